// engines: sqlite, postgres
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { policy } from '../../../src/api/access.ts';
import { api } from '../../../src/api/api.ts';
import type { Store } from '../../../src/api/tables.ts';
import { present } from '../../../src/kit/errors.ts';
import { createSchema } from '../../../src/kit/graphql/executable-schema.ts';
import { createAccess } from '../../../src/kit/http/authentication.ts';
import { readJson } from '../../../src/kit/store/read-json.ts';
import type { StoreOf, Tables } from '../../../src/kit/store/table-declarations.ts';
import { isMissing, needPostgres } from '../../support/engine.ts';
import { queriesOf } from '../../support/random-queries.ts';
import { createAnswers } from '../../support/statement-answers.ts';
import * as foreign from '../../support/statement-contract.ts';
import { openTables, type TableStore } from '../../support/table-store.ts';

// On two contracts.
const OPERATIONS = Math.ceil(Number(process.env.STATEMENT_OPERATIONS ?? 300) / 2);

const { texts } = foreign;
const sdl = readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8');
const schema = createSchema(sdl, api.resolvers);
const foreignSchema = createSchema(foreign.sdl, foreign.resolvers);
const everybody = createAccess<never>(undefined, policy);

needPostgres();

describe('one statement', () => {
  const own = useStore(api.tables, fillOwn);
  const other = useStore(foreign.tables, foreign.fill);

  it.each([
    ['this API', schema, own],
    ['a contract with every type of column', foreignSchema, other],
  ])('answers with the bytes of graphql’s execution, on %s', async (_, on, store) => {
    const answers = createAnswers(on, store(), everybody);
    const { stated, total } = await compared(on, answers);
    console.log(stated, total); expect(stated / total).toBeGreaterThan(0.4);
  });

  it('is found out where it answers with another byte', async () => {
    const planted = {
      ...other(),
      [readJson]: {
        ...present(Object(other())[readJson]),
        read: async (statement: never) => {
          const json = await Object(other())[readJson].read(statement);
          return json?.replace('\\u2028', '').replace('"isOpen":null', '"isOpen":false');
        },
      },
    };
    const answers = createAnswers(foreignSchema, planted, everybody);
    await expect(compared(foreignSchema, answers, 2000)).rejects.toThrow('isOpen');
  });

  it.each([
    '{ things { id name note body } }',
    '{ things { size total count weight ratio isDone isOpen } }',
    '{ things { day until seenAt leftAt key mark color cursor } }',
    '{ makers { name things { name parts { title maker { name } } } } }',
    '{ things(sort: [NAME_DESC], first: 5) { name cursor(sort: [ID]) maker { name } } }',
    '{ makers { things(sort: [NAME], first: 2, where: { size: { gte: 0 } }) { name size } } }',
    '{ thing(id: 1) { name parts { thing { parts { thing { name } } } } } }',
    '{ a: thing(id: 1) { name } a: thing(id: 1) { id name } b: thing(id: "x") { id } }',
    '{ things { ...A ... on Thing { name } ...A } } fragment A on Thing { parts { id } parts { title } }',
    '{ things { __typename __proto__: id toString: name } __typename }',
    '{ things(first: 3, after: "2") { id } none: things(first: 0) { id } }',
    '{ things(where: { mark: { in: [A, b] } }, sort: [MARK]) { mark id } }',
  ])('answers %s', async (query) => {
    const { executed, stated } = present(await answersOf(other())(query));
    const isWhole =
      !executed.includes('"errors"') &&
      !query.includes('body') &&
      !query.includes('count') &&
      !query.includes('color');
    if (isWhole) expect(stated).toBe(executed);
    else expect(stated).toBeUndefined();
  });

  it.each([
    // Values of these fields have no place in the answer, or are too long for one statement.
    ['{ things { count } }', /Int cannot represent/],
    ['{ things { color } }', /cannot represent value: .*green/],
    ['{ makers { label } }', /Cannot return null/],
    ['{ someThing(id: "99") { id } }', /Cannot return null/],
    ['{ things { body } }', /^\{"data"/],
    // Their conditions may have to look at every record.
    ['{ things(where: { body: { contains: "a" } }) { id } }', /^\{"data"/],
    ['{ things(sort: [IS_DONE, NAME]) { id } }', /^\{"data"/],
    // Not from a table.
    ['{ things { shout } }', /^\{"data"/],
    ['{ things { data { a } } }', /^\{"data"/],
    ['{ things { cursor(sort: [NAME]) } }', /^\{"data"/],
    ['{ __schema { queryType { name } } }', /^\{"data"/],
    // Refused.
    ['{ things(first: -1) { id } }', /must not be negative/],
    ['{ things(after: "x") { id } }', /invalid-request/],
    ['{ things(where: { size: { eq: null } }) { id } }', /must not be null/],
  ])('leaves %s to execution', async (query, expected) => {
    const { executed, stated } = present(await answersOf(other())(query));
    expect(stated).toBeUndefined();
    expect(executed).toMatch(expected);
  });

  it('takes variables, which may choose the fields as well', async () => {
    const query = `query ($first: Int, $after: String, $sort: [ThingSort!], $where: ThingWhere, $id: ID!, $yes: Boolean!) {
      things(first: $first, after: $after, sort: $sort, where: $where) { id name @include(if: $yes) ... @skip(if: $yes) { size name } }
      thing(id: $id) { name }
    }`;
    const answers = answersOf(other());
    for (const variables of [
      { id: '1', yes: true },
      { id: '1', yes: false, first: 3 },
      { id: '99', yes: true, first: 2, after: '3' },
      { id: 'x', yes: false, sort: ['NAME'], first: 4 },
      { id: '2', yes: true, sort: 'SIZE_DESC', where: { size: { gte: 0, lt: 7 } } },
      { id: '2', yes: true, where: { name: { eq: '"' } }, first: null, sort: null },
      { id: 2, yes: true, where: {}, sort: [] },
    ]) {
      const { executed, stated } = present(await answers(query, variables));
      expect(stated).toBe(executed);
    }
    for (const variables of [{ id: '1' }, { id: '1', yes: 'true' }, { id: null, yes: true }]) {
      expect(present(await answers(query, variables)).stated).toBeUndefined();
    }
  });

  function answersOf(store: unknown) {
    return createAnswers(foreignSchema, store, everybody);
  }
});

/** Compares both answers to many operations; how many there were, and how many of them one statement answered. */
async function compared(
  on: typeof schema,
  answers: ReturnType<typeof createAnswers>,
  numRuns = OPERATIONS,
): Promise<{ stated: number; total: number }> {
  let stated = 0;
  let total = 0;
  await fc.assert(
    fc.asyncProperty(queriesOf(on, texts), async ({ query, variables }) => {
      const both = await answers(query, variables);
      fc.pre(both !== undefined);
      total++;
      if (both.stated === undefined) return;
      stated++;
      expect(both.stated).toBe(both.executed);
    }),
    { numRuns, maxSkipsPerRun: 100 },
  );
  return { stated, total };
}

function useStore<T extends Tables>(tables: T, fill: (store: StoreOf<T>) => Promise<void>) {
  let opened: TableStore<T> | undefined;
  beforeAll(async () => {
    if (isMissing()) return;
    opened = await openTables(tables);
    await fill(opened.store);
  });
  afterAll(() => opened?.close());
  return () => present(opened).store;
}

async function fillOwn(store: Store): Promise<void> {
  for (const [i, text] of texts.entries()) {
    const name = text || 'nobody';
    const user = await store.users.create({ name, email: `${i}@example.com` });
    await store.books.create({ title: name, pages: 1 + (i % 5) });
    await store.todos.create({ title: name, done: i % 3 === 0 });
    for (let k = 0; k < i % 4; k++) {
      const post = await store.posts.create({ userId: user.id, title: name, body: text.repeat(k) });
      if (k > 1) await store.comments.create({ postId: post.id, body: text || '-' });
    }
  }
}
