import { describe, expect, it } from 'vitest';
import { present } from '../../../src/kit/errors.ts';
import { createPrepare } from '../../../src/kit/graphql/documents.ts';
import { createSchema } from '../../../src/kit/graphql/executable-schema.ts';
import { createExecute } from '../../../src/kit/graphql/execution.ts';
import { defaultLimits } from '../../../src/kit/graphql/limits/limits.ts';

const seen = (source: unknown, args: unknown, { own }: { readonly own?: string }) =>
  `${source} ${JSON.stringify(args)} ${own}`;
const informed = (source: unknown, args: object, context: object, info: { fieldName: string }) =>
  `${seen(source, args, context)} ${info.fieldName}`;
const schema = createSchema(
  `type Query { a(n: Int, m: Int): String thing: Thing }
   type Mutation { m(n: Int, m: Int): String informed(n: Int): String make: Thing fails: Int }
   type Thing { id: Int name: String }`,
  {
    Query: { a: seen, thing: () => ({ id: 1, name: 'x' }) },
    Mutation: {
      ...{ m: seen, informed, make: () => ({ id: 2, name: 'y' }) },
      fails: () => {
        throw new Error('broken');
      },
    },
  },
);

/** As often as it takes for an operation to be compiled, and three times more. */
const OFTEN = 13;

/** Asks for an operation again and again; the answer, which is always the same, and how often it was compiled. */
async function repeated(text: string, variables: object = {}, name?: string) {
  const options = { limits: defaultLimits, introspection: true, onLookup: () => {} };
  const prepared = createPrepare(schema, options)(text);
  if ('faults' in prepared) throw new Error(String(prepared.faults));
  let compiled = 0;
  const execute = createExecute(schema, () => compiled++);
  const { document, operations } = prepared;
  const operation = present(operations.find((each) => name === undefined || each.name === name));
  const contextOf = () => ({ own: 'context' });
  const answers = new Set<string>();
  for (let i = 0; i < OFTEN; i++) {
    const asked = { document, operation, variables: { ...variables }, contextOf };
    const { data, errors } = await execute(asked);
    answers.add(JSON.stringify({ data, errors: errors?.map(({ message }) => message) }));
  }
  expect(answers.size).toBe(1);
  return { answer: JSON.parse([...answers].join()), compiled };
}

describe('A compiled operation', () => {
  it.each([
    ['query ($n: Int) { a(n: $n) }', { n: 5 }, { a: 'undefined {"n":5} context' }],
    ['query ($n: Int = 7) { a(n: $n) }', {}, { a: 'undefined {"n":7} context' }],
    ['{ a(n: 1, m: 2) }', {}, { a: 'undefined {"n":1,"m":2} context' }],
    ['mutation ($n: Int) { m(n: $n) }', { n: 5 }, { m: 'undefined {"n":5} context' }],
    ['mutation { x: m(m: 2) }', {}, { x: 'undefined {"m":2} context' }],
    ['{ thing { ...T } } fragment T on Thing { id name }', {}, { thing: { id: 1, name: 'x' } }],
    [
      'mutation { make { ...T } } fragment T on Thing { id name }',
      {},
      { make: { id: 2, name: 'y' } },
    ],
  ])('gives its resolvers what graphql gives them: %s', async (text, variables, data) => {
    expect(await repeated(text, variables)).toEqual({ answer: { data }, compiled: 4 });
  });

  it('is the one of its document that is named', async () => {
    const text = `query A { x: a } mutation B { y: m } query C { thing { ...T } } mutation D { make { ...T } }
      fragment T on Thing { id }`;
    for (const [name, data] of [
      ['A', { x: 'undefined {} context' }],
      ['B', { y: 'undefined {} context' }],
      ['C', { thing: { id: 1 } }],
      ['D', { make: { id: 2 } }],
    ] as const) {
      expect(await repeated(text, {}, name)).toEqual({ answer: { data }, compiled: 4 });
    }
  });
});

describe('An operation is executed by graphql each time', () => {
  it.each([
    [
      'of several changes',
      'mutation { m x: m }',
      {},
      { data: { m: 'undefined {} context', x: 'undefined {} context' } },
    ],
    [
      'of a change in a fragment',
      'mutation { ... on Mutation { m } }',
      {},
      { data: { m: 'undefined {} context' } },
    ],
    [
      'whose resolver reads more',
      'mutation { informed(n: 1) }',
      {},
      { data: { informed: 'undefined {"n":1} context informed' } },
    ],
    ['that fails', 'mutation { fails }', {}, { data: { fails: null }, errors: ['broken'] }],
  ])('%s', async (_, text, variables, answer) => {
    expect(await repeated(text, variables)).toEqual({ answer, compiled: 0 });
  });

  it('where its variables do not fit, and compiled where they do', async () => {
    const { answer, compiled } = await repeated('query ($n: Int) { a(n: $n) }', { n: 'x' });
    expect(answer.errors).toEqual([expect.stringContaining('Variable "$n" has invalid value')]);
    expect(compiled).toBe(0);
  });
});
