import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readContract } from '../src/contract/contract.ts';
import { isObject, methods, type SchemaObject } from '../src/contract/document.ts';
import { useServer } from './support/server.ts';

const file = new URL('../openapi.yaml', import.meta.url);
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
const isExample = ({ at }: Node) => /\/examples?\//.test(at);
const schemas = all.filter((node) => /\/schemas?\//.test(`${node.at}/`) && !isExample(node));
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  methods.flatMap((method) => {
    const value = item[method];
    return value ? [{ at: `${method.toUpperCase()} ${path}`, value: Object(value) }] : [];
  }),
);

describe('openapi.yaml', () => {
  it.each(operations)('$at has a name, words, tags, examples and its failures', ({ value }) => {
    expect(value.operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(value.summary.length).toBeGreaterThan(5);
    expect(value.description.length).toBeGreaterThan(10);
    expect(value.tags.length).toBe(1);
    const statuses = Object.keys(value.responses);
    expect(statuses).toEqual(expect.arrayContaining(['400', '405', '500']));
  });

  it('has an example for every body', () => {
    const bodies = all.filter(({ at, value }) => /\/content\/[a-z]/.test(at) && value.schema);
    expect(bodies.length).toBeGreaterThan(30);
    for (const { at, value } of bodies) expect(value.examples, at).toBeDefined();
  });

  it('has bounds on every string, number and array', () => {
    for (const { at, value } of schemas) {
      if (value.type === 'string') {
        expect(value.maxLength ?? value.enum, at).toBeDefined();
      } else if (value.type === 'integer') {
        expect([typeof value.minimum, typeof value.maximum], at).toEqual(['number', 'number']);
      } else if (value.type === 'array') {
        expect(value.maxItems, at).toBeDefined();
      }
    }
  });

  it('refuses unknown properties in every input and record', () => {
    for (const [name, value] of Object.entries(document.components?.schemas ?? {})) {
      const { type, additionalProperties } = Object(value);
      // GraphQL over HTTP keeps other members of a request for its own future.
      const isOpen = name === 'GraphqlRequest';
      if (type === 'object') expect(additionalProperties, name).toBe(isOpen);
    }
  });

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
    expect(count).toBeGreaterThan(40);
  });

  it('uses every part that it shares', () => {
    const text = readFileSync(file, 'utf8');
    const { securitySchemes: _, ...components } = document.components ?? {};
    for (const [kind, parts] of Object.entries(components)) {
      for (const name of Object.keys(parts)) {
        expect(text, `${kind}/${name}`).toContain(`"#/components/${kind}/${name}"`);
      }
    }
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
    expect(text).toBe(readFileSync(new URL('../schema.graphql', import.meta.url), 'utf8'));
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

  it.each(['/', '/nothing', '/openapi.yml', '/healthz/', '/%', '/%ff', '*', '/..', '/.%2e/x'])(
    '%s is 404',
    async (path) => {
      expect((await api({ path })).status).toBe(404);
    },
  );
});
