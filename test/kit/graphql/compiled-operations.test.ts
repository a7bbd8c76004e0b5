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

/** Executes an operation with some variables, and counts how often it was compiled. */
function executing(text: string, name?: string, on = schema) {
  const options = { limits: defaultLimits, introspection: true, onLookup: () => {} };
  const prepared = createPrepare(on, options)(text);
  if ('faults' in prepared) throw new Error(String(prepared.faults));
  let compiled = 0;
  const execute = createExecute(on, () => compiled++);
  const { document, operations } = prepared;
  const operation = present(operations.find((each) => name === undefined || each.name === name));
  const contextOf = () => ({ own: 'context' });
  return {
    compiled: () => compiled,
    async ask(variables: object = {}) {
      const asked = { document, operation, variables: { ...variables }, contextOf };
      const { data, errors } = await execute(asked);
      return JSON.stringify({ data, errors: errors?.map(({ message }) => message) });
    },
  };
}

/** Asks for an operation again and again; the answer, which is always the same, and how often it was compiled. */
async function repeated(text: string, variables: object = {}, name?: string, on = schema) {
  const { ask, compiled } = executing(text, name, on);
  const answers = new Set<string>();
  for (let i = 0; i < OFTEN; i++) answers.add(await ask(variables));
  expect(answers.size).toBe(1);
  return { answer: JSON.parse([...answers].join()), compiled: compiled() };
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

  it.each([
    ['{ changes { a b } }', { changes: { a: 1, b: 2 } }],
    ['mutation { add { id changes { a b } } }', { add: { id: 3, changes: { a: 1, b: 2 } } }],
  ])('has each value where the fields of changes are not at the root: %s', async (text, data) => {
    const changes = () => ({});
    const on = createSchema(
      `type Query { changes: Mutation }
       type Mutation { a: Int b: Int add: Made }
       type Made { id: Int changes: Mutation }`,
      {
        Query: { changes },
        Mutation: { a: () => 1, b: () => 2, add: () => ({ id: 3 }) },
        Made: { changes },
      },
    );
    expect(await repeated(text, {}, undefined, on)).toEqual({ answer: { data }, compiled: 4 });
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
    const fit = executing('query ($n: Int) { a(n: $n) }');
    for (let i = 0; i < OFTEN; i++) await fit.ask({ n: 5 });
    expect(fit.compiled()).toBe(4);
    await fit.ask({ n: 'x' });
    await fit.ask({ n: 5 });
    expect(fit.compiled()).toBe(5);
  });

  it('after it failed, when other work has run', async () => {
    const order: string[] = [];
    let isBroken = false;
    const a = () => {
      order.push('a');
      if (!isBroken) return 1;
      setImmediate(() => order.push('other'));
      throw new Error('broken');
    };
    const { ask } = executing(
      '{ a }',
      undefined,
      createSchema('type Query { a: Int }', { Query: { a } }),
    );
    for (let i = 0; i < OFTEN; i++) await ask();
    order.length = 0;
    isBroken = true;
    await ask();
    expect(order.slice(0, 3)).toEqual(['a', 'other', 'a']);
  });
});
