import { serverAudits } from 'graphql-http';
import { describe, expect, it } from 'vitest';
import { useServer } from '../../support/api-server.ts';

const server = useServer();

// Reading over GET is optional, and this endpoint answers POST only.
const optionalGet = /GET|URL|query string/i;

describe("graphql-http's audits of GraphQL over HTTP", async () => {
  const audits = serverAudits({ url: () => `${server.url}/graphql` });
  const named = audits.map((audit) => ({ ...audit, title: `${audit.id} ${audit.name}` }));
  const left = new Set(named.filter(({ name }) => optionalGet.test(name)).map(({ id }) => id));

  it.each(named.filter(({ id }) => !left.has(id)))('$title', async (audit) => {
    const result = await audit.fn();
    expect(result.status, JSON.stringify('reason' in result && result.reason)).toBe('ok');
  });

  it('only optional ones that want GET are not passed', async () => {
    const results = await Promise.all(named.map((audit) => audit.fn()));
    const failed = results.filter(({ status }) => status !== 'ok').map(({ name }) => name);
    expect(failed.filter((name) => !name.startsWith('MAY') || !optionalGet.test(name))).toEqual([]);
  });
});

describe('a request to /graphql without a body', () => {
  it.each([
    ['and its type', {}],
    ['of a type', { 'content-type': 'application/json' }],
  ])('%s is refused, and told why', async (_, headers) => {
    const response = await fetch(`${server.url}/graphql`, { method: 'POST', headers });
    const message = 'The request is not a GraphQL request: /body is required';
    const errors = [{ message, extensions: { code: 'BAD_REQUEST' } }];
    expect([response.status, await response.json()]).toEqual([400, { errors }]);
  });
});
