// slow: compares generated operations
import fc from 'fast-check';
import { execute as executePlainly, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { IsCompilable } from '../../../src/kit/graphql/compilable.ts';
import { createSchema } from '../../../src/kit/graphql/executable-schema.ts';
import { createExecute, operationsIn } from '../../../src/kit/graphql/execution.ts';
import { everyFeatureSchema } from '../../support/every-feature.ts';
import { abstractSchema, type FeatureSchema, plainSchema } from '../../support/feature-schemas.ts';
import { operationOf, pickBy } from '../../support/generated-operations.ts';
import { serveGraphql } from '../../support/graphql-server.ts';

/** As often as it takes for an operation to be compiled, and a little more. */
const OFTEN = 12;
const numRuns = Number(process.env.COMPILED_RUNS ?? 100);
const echo = (_: unknown, args: unknown) => JSON.stringify(args);

/** What graphql-jit does otherwise than graphql: an SDL and its resolvers, and an operation that shows it. */
const faults = {
  'SDL defaults of arguments vanish': {
    sdl: 'type Query { a(first: Int = 2): String }',
    resolvers: { Query: { a: echo } },
    query: '{ a }',
    answer: { a: '{"first":2}' },
  },
  'a variable left out inside an input object becomes null': {
    sdl: 'input I { n: Int } type Query { a(i: I): String }',
    resolvers: { Query: { a: echo } },
    query: 'query ($n: Int) { a(i: { n: $n }) }',
    answer: { a: '{"i":{}}' },
  },
  'an asynchronous isTypeOf throws': {
    sdl: 'interface N { n: Int } type T implements N { n: Int } type Query { a: N }',
    resolvers: { Query: { a: () => ({ n: 1 }) }, T: { __isTypeOf: async () => true } },
    query: '{ a { n } }',
    answer: { a: { n: 1 } },
  },
  'text of the client is executed': {
    sdl: 'type Query { a(text: String): String }',
    resolvers: { Query: { a: echo } },
    query: '{ a(text: "__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d0 * 0") }',
    answer: { a: '{"text":"__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d0 * 0"}' },
  },
};

describe('an operation that is asked for often', () => {
  it.each([
    ['interfaces, unions, input objects and defaults', abstractSchema, 0],
    ['objects, and resolvers and records of every kind', plainSchema, 0.05],
    ['every feature of the SDL', everyFeatureSchema, 0],
  ])('is executed as graphql does on a schema with %s', async (_, make, share) => {
    const { found, executed, compiled } = await compare(make());
    expect(found).toBeUndefined();
    expect(executed).toBeGreaterThan(numRuns / 3);
    expect(compiled).toBeGreaterThanOrEqual(share * executed);
  });

  it.each(Object.entries(faults))(
    'is answered as at first, though in graphql-jit %s',
    async (_, fault) => {
      const server = await serveGraphql(fault.sdl, fault.resolvers);
      for (let i = 0; i < OFTEN; i++) {
        expect((await server.graphql(fault.query)).json).toEqual({ data: fault.answer });
      }
      await server.stop();
    },
  );

  it.each(Object.entries(faults))(
    'would be found out if all were compiled: %s',
    async (_, fault) => {
      const make = () => ({ schema: createSchema(fault.sdl, fault.resolvers), changes: () => 0 });
      expect((await compare(make(), { runs: 3000, isCompilable: () => true })).found).toBeDefined();
      expect((await compare(make())).found).toBeUndefined();
    },
  );
});

type Options = {
  readonly runs?: number;
  /** What is compiled, where that is not what is known to be executed alike. */
  readonly isCompilable?: IsCompilable;
};

const exactly = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);

/** Asks for generated operations again and again, and says which one was not executed as graphql does. */
async function compare({ schema, changes }: FeatureSchema, options: Options = {}) {
  const { runs = numRuns, isCompilable } = options;
  let executed = 0;
  let compiled = 0;
  const execute = createExecute(schema, () => compiled++, isCompilable);
  const roots = schema.getMutationType()
    ? (['query', 'query', 'mutation'] as const)
    : ['query' as const];
  const property = fc.asyncProperty(fc.gen(), async (generate) => {
    const pick = pickBy(generate);
    const { query, variables } = operationOf(schema, pick(roots), pick);
    const document = parse(query);
    if (validate(schema, document).length > 0) return;
    executed++;
    const [operation] = operationsIn(document);
    if (!operation) throw new Error('the document has no operation');
    const args = { schema, document, variableValues: variables };
    const asked = { document, operation, variables, contextOf: () => ({}) };
    const told = async (run: () => unknown) => {
      const before = changes();
      const result = await run();
      return `${JSON.stringify(result, exactly)} after ${changes() - before} changes, by ${query} with ${JSON.stringify(variables, exactly)}`;
    };
    const plain = await told(() => executePlainly({ ...args, contextValue: {} }));
    for (let i = 0; i < OFTEN; i++) {
      expect(await told(() => execute(asked))).toBe(plain);
    }
  });
  const { failed, errorInstance } = await fc.check(property, { numRuns: runs, endOnFailure: true });
  return { executed, compiled: compiled / (OFTEN - 9), found: failed ? errorInstance : undefined };
}
