import { describe, expect, it } from 'vitest';
import { useServer } from '../../support/api-server.ts';
import { circularDocuments, hostileDocuments } from '../../support/hostile-documents.ts';

const { api, graphql, log } = useServer();
const standard = { accept: 'application/graphql-response+json' };
const documents = [...Object.entries(hostileDocuments), ...Object.entries(circularDocuments)];

describe('a hostile document', () => {
  it.each(documents)('(%s) is refused while a bystander is served', async (_, document) => {
    const text = String(document);
    const [hostile, bystander] = await Promise.all([
      graphql(text, {}, standard),
      api({ path: '/greet/en' }),
    ]);
    expect([400, 413]).toContain(hostile.status);
    expect(hostile.json.data).toBeUndefined();
    expect(hostile.text.length).toBeLessThan(5000);
    expect(bystander.status).toBe(200);
  });
});

it('a document is not quoted at length', async () => {
  const { json } = await graphql(`{ ${'x'.repeat(100_000)} }`);
  expect(json.errors[0].message).toMatch(/^Cannot query field "x+$/);
  expect(json.errors[0].message).toHaveLength(500);
});

it('text in a document that is asked for often is never executed as code', async () => {
  const mark = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d';
  const query = `{ user(id: "${mark}globalThis.wasExecuted = 1") { id } }`;
  for (let i = 0; i < 12; i++) {
    expect((await graphql(query)).json).toEqual({ data: { user: null } });
  }
  expect('wasExecuted' in globalThis).toBe(false);
});

it('nothing of it was a failure of the server', () => {
  expect(log.filter((line) => line.includes('failed'))).toEqual([]);
});

describe('the limits as settings', () => {
  const strict = useServer({ GRAPHQL_DEPTH: '2', GRAPHQL_ERRORS: '1', INTROSPECTION: 'off' });

  it('a lower depth refuses what is deeper', async () => {
    const { json } = await strict.graphql('{ users { posts { id } } }');
    expect(json.errors[0].message).toContain('at most 2 levels deep');
    expect((await strict.graphql('{ users { id } }')).json).toEqual({ data: { users: [] } });
  });

  it('only so many errors are told', async () => {
    expect((await strict.graphql('{ a b c }')).json.errors.length).toBe(1);
    expect((await graphql('{ a b c }')).json.errors.length).toBe(3);
  });

  it('introspection can be off, __typename stays, and no name is suggested', async () => {
    const { json } = await strict.graphql('{ __schema { types { name } } }');
    expect(json.errors[0].extensions).toEqual({ code: 'GRAPHQL_VALIDATION_FAILED' });
    const { json: named } = await strict.graphql('{ __typename }');
    expect(named).toEqual({ data: { __typename: 'Query' } });
    expect((await strict.graphql('{ usr { id } }')).text).not.toContain('Did you mean');
  });
});
