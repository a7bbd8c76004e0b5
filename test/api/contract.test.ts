import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readContract } from '../../src/kit/contract/contract.ts';
import { isObject, type SchemaObject } from '../../src/kit/contract/openapi-document.ts';
import { useServer } from '../support/api-server.ts';

const file = new URL('../../openapi.yaml', import.meta.url);
const contract = await readContract(file);
const { document } = contract;

type Node = { readonly at: string; readonly value: Record<string, unknown> };

function nodes(value: unknown, at = '#'): Node[] {
  if (!isObject(value)) return [];
  return [
    { at, value },
    ...Object.entries(value).flatMap(([key, child]) => nodes(child, `${at}/${key}`)),
  ];
}

const all = nodes(document);

describe('openapi.yaml', () => {
  it('has examples that its own schemas admit', () => {
    const holders = all.filter(({ value }) => isObject(value.schema) && isObject(value.examples));
    let count = 0;
    for (const { at, value } of holders) {
      const validate = contract.schemas(value.schema as SchemaObject);
      for (const example of Object.values(Object(value.examples))) {
        const { $ref, value: direct } = Object(example);
        const given = $ref
          ? Object(document.components?.examples)[$ref.split('/').at(-1)]
          : { value: direct };
        expect(validate(given.value), `${at} ${JSON.stringify(validate.errors)}`).toBe(true);
        count++;
      }
    }
    for (const { at, value } of all) {
      if (!isObject(value.schema) || value.example === undefined) continue;
      const validate = contract.schemas(value.schema as SchemaObject);
      expect(validate(value.example), `${at} ${JSON.stringify(validate.errors)}`).toBe(true);
      count++;
    }
    expect(count).toBeGreaterThan(40);
  });
});

describe('the contract as it is served', () => {
  const { api } = useServer();

  it('is the file itself at /openapi.yaml', async () => {
    const { text } = await api({ path: '/openapi.yaml' });
    expect(text).toBe(readFileSync(file, 'utf8'));
  });

  it('is the same at /openapi.json', async () => {
    const { json } = await api({ path: '/openapi.json' });
    expect(json).toEqual(document);
  });

  it('is the file itself at /schema.graphql', async () => {
    const { text } = await api({ path: '/schema.graphql' });
    expect(text).toBe(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
  });

  it.each(['/openapi.yaml', '/openapi.json', '/schema.graphql', '/healthz', '/readyz'])(
    '%s takes no query parameter and no other method',
    async (path) => {
      expect((await api({ path: `${path}?x=1` })).status).toBe(400);
      const { status, headers } = await api({ method: 'POST', path });
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    },
  );

  it('says that the process is alive and ready', async () => {
    expect((await api({ path: '/healthz' })).json).toEqual({ status: 'ok' });
    expect((await api({ path: '/readyz' })).json).toEqual({ status: 'ready' });
  });

  it.each(['/nothing', '/openapi.yml', '/healthz/', '/%', '/%ff', '*', '/..', '/.%2e/x'])(
    '%s is 404',
    async (path) => {
      expect((await api({ path })).status).toBe(404);
    },
  );
});
