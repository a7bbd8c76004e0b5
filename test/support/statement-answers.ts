import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { present } from '../../src/kit/errors.ts';
import { createPrepare } from '../../src/kit/graphql/documents.ts';
import { defaultLimits } from '../../src/kit/graphql/limits/limits.ts';
import { createRun, type Run, type RunParts } from '../../src/kit/graphql/operation-run.ts';

export type Answers = {
  /** The answer of graphql's own execution. */
  readonly executed: string;
  /** That of one statement; undefined where it declined. */
  readonly stated: string | undefined;
  /** How many fields the metrics counted in both. */
  readonly counted: readonly number[];
};

/** Answers operations in both ways; undefined where the document is refused. */
export function createAnswers(
  schema: GraphQLSchema,
  store: unknown,
  access: RunParts['access'],
  fields = defaultLimits.fields,
): (query: string, variables?: Run['variables']) => Promise<Answers | undefined> {
  const none = () => {};
  const limits = { ...defaultLimits, aliases: 100, directives: 100, cost: 1_000_000, fields };
  const counts: number[] = [];
  const prepare = createPrepare(schema, { limits, introspection: true, onLookup: none });
  const run = createRun({
    ...{ schema, store, access, limits, listTimeout: 60_000 },
    onDeprecated: none,
    onExecuted: (_, __, count) => void counts.push(count),
  });
  // What a run needs of it.
  const exchange = { request: { headers: {} }, headers: [] } as unknown as Run['exchange'];
  return async (query, variables) => {
    const prepared = prepare(query);
    if ('faults' in prepared) return undefined;
    const operation = present(prepared.operations[0]);
    const asked = { exchange, prepared, operation, variables, rounded: undefined };
    counts.length = 0;
    const executed = JSON.stringify(await run.execute(asked));
    let last: ExecutionResult | { readonly json: string } = {};
    // A document that is new is executed.
    for (let i = 0; i < 2; i++) last = await run.answer(asked);
    const stated = 'json' in last ? `{"data":${last.json}}` : undefined;
    const { 0: first = 0, 2: third = 0 } = counts;
    return { executed, stated, counted: [first, third] };
  };
}
