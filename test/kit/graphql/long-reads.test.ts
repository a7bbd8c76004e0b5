import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { present } from '../../../src/kit/errors.ts';
import type { GraphqlContext } from '../../../src/kit/graphql/context.ts';
import { createPrepare } from '../../../src/kit/graphql/documents.ts';
import { createSchema } from '../../../src/kit/graphql/executable-schema.ts';
import { defaultLimits } from '../../../src/kit/graphql/limits/limits.ts';
import { createRun, type Run } from '../../../src/kit/graphql/operation-run.ts';
import type { Page, Readable } from '../../../src/kit/store/store.ts';

type Thing = { readonly id: number };
type Context = GraphqlContext<unknown, never>;

const COUNT = 1500;
const things = Array.from({ length: COUNT }, (_, i): Thing => ({ id: i + 1 }));
let gate: PromiseWithResolvers<void>;
let second = 0;
beforeEach(() => {
  gate = Promise.withResolvers();
  second = 0;
});
afterEach(() => gate.resolve());

/** A list of two pages, the second of which is read when the gate is open. */
const table = {
  listable: { name: 'things', columns: [], filter: [], sort: [] },
  textLength: () => 0,
  async page({ limit, after }: Page<Thing>) {
    if (after === undefined) return things.slice(0, limit);
    second++;
    await gate.promise;
    return things.slice(limit);
  },
  // Only what lists read of it.
} as unknown as Readable<Thing>;

const list = (_: unknown, __: unknown, { lists }: Context) => lists.all('Query.things', table);
const schema = createSchema(
  `type Query { things: [Thing!]! fails: Int! }
   type Subscription { things: [Thing!]! }
   type Thing { id: Int! }`,
  {
    Query: {
      things: list,
      fails: () => {
        throw new Error('broken');
      },
    },
    Subscription: {
      things: {
        subscribe: async function* () {
          for (let i = 0; i < 6; i++) yield {};
        },
        resolve: list,
      },
    },
  },
);
const none = () => {};
const prepare = createPrepare(schema, {
  ...{ limits: defaultLimits, introspection: true, onLookup: none },
});

function runOf(query: string): Run {
  const prepared = prepare(query);
  if ('faults' in prepared) throw new Error(String(prepared.faults));
  // What a run needs of it.
  const exchange = { request: { headers: {} }, headers: [] } as unknown as Run['exchange'];
  const operation = present(prepared.operations[0]);
  return { exchange, prepared, operation, variables: {}, rounded: undefined };
}

const newRun = () =>
  createRun({
    ...{ schema, store: undefined, access: () => async () => undefined, limits: defaultLimits },
    ...{ listTimeout: 600_000, onDeprecated: none, onExecuted: none },
  });
const lengthOf = (data: unknown) => Object(data).things?.length;

it('Four operations read long lists at a time, the others wait', async () => {
  const run = newRun();
  const all = Array.from({ length: 6 }, () => run.execute(runOf('{ things { id } }')));
  while (second < 4) await turn();
  for (let i = 0; i < 100; i++) await turn();
  expect(second).toBe(4);
  gate.resolve();
  const results = await Promise.all(all);
  expect(results.map(({ data }) => lengthOf(data))).toEqual(Array(6).fill(COUNT));
  expect(second).toBe(6);
});

it('One that fails leaves its place, compiled or not', async () => {
  const run = newRun();
  gate.resolve();
  for (let i = 0; i < 60; i++) {
    const { errors } = await run.execute(runOf('{ things { id } fails }'));
    expect(errors).toHaveLength(1);
  }
  expect(lengthOf((await run.execute(runOf('{ things { id } }'))).data)).toBe(COUNT);
});

it('An event leaves its place before the next', async () => {
  const run = newRun();
  gate.resolve();
  const { signal } = new AbortController();
  const results = await run.subscribe(runOf('subscription { things { id } }'), signal);
  if (!('next' in results)) throw new Error(JSON.stringify(results));
  const lengths: unknown[] = [];
  for await (const { data } of results) lengths.push(lengthOf(data));
  expect(lengths).toEqual(Array(6).fill(COUNT));
});
