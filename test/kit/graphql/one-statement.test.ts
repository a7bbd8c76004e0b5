// engines: sqlite, postgres
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { policy } from '../../../src/api/access.ts';
import { api } from '../../../src/api/api.ts';
import type { Store } from '../../../src/api/tables.ts';
import { ApiError, present } from '../../../src/kit/errors.ts';
import { createSchema } from '../../../src/kit/graphql/executable-schema.ts';
import { createAccess } from '../../../src/kit/http/authentication.ts';
import { readJson } from '../../../src/kit/store/read-json.ts';
import type { StoreOf, Tables } from '../../../src/kit/store/table-declarations.ts';
import { useServer } from '../../support/api-server.ts';
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

const secret = 'a secret that is long enough for HS256';

describe('over HTTP', () => {
  const open = useServer({ SEED_DEMO: 'true' });
  const closed = useServer({ SEED_DEMO: 'true', AUTH_SECRET: secret });
  const query = '{ users(first: 2) { id email posts { title comments { body } } } }';

  it('an operation that is sent again takes one statement', async () => {
    const first = await open.graphql(query);
    const before = open.statements();
    const again = await open.graphql(query);
    expect(open.statements() - before).toBe(1);
    expect(again.text).toBe(first.text);
  });

  it('a field with a policy is refused or shown as it was the first time', async () => {
    const { text: whole } = await open.graphql(query);
    for (const [headers, expected] of [
      [{}, 'UNAUTHENTICATED'],
      [{ authorization: 'Bearer x.y.z' }, 'UNAUTHENTICATED'],
      [{ authorization: `Bearer ${await token()}` }, whole],
      [{}, 'UNAUTHENTICATED'],
    ] as const) {
      const { text } = await closed.graphql(query, {}, headers);
      expect(text).toContain(expected);
      expect((await closed.graphql(query, {}, headers)).text).toBe(text);
    }
    const plain = '{ users(first: 2) { id } }';
    const { text } = await closed.graphql(plain);
    expect((await closed.graphql(plain)).text).toBe(text);
  });

  it('the answer has the media type and the extensions that are asked for', async () => {
    const accept = 'application/graphql-response+json';
    for (let i = 0; i < 3; i++) {
      const json = { query, extensions: { contractDigest: true } };
      const post = { method: 'POST', path: '/graphql', json, headers: { accept } };
      const { headers, json: body } = await open.api(post);
      expect(headers['content-type']).toContain(accept);
      expect(body.data.users.length).toBe(2);
      expect(body.extensions.contractDigest).toBe(headers['contract-digest']);
    }
  });
});

describe('one statement', () => {
  const own = useStore(api.tables, fillOwn);
  const other = useStore(foreign.tables, foreign.fill);

  it.each([
    ['this API', schema, own],
    ['a contract with every type of column', foreignSchema, other],
  ])('answers with the bytes of graphql’s execution, on %s', async (_, on, store) => {
    const answers = createAnswers(on, store(), everybody);
    const { stated, total } = await compared(on, answers);
    // On average 0.3 to 0.4; the others fail, or have fields that no table has.
    expect(stated / total).toBeGreaterThan(0.15);
  });

  it('answers nothing that the answer budget refuses', async () => {
    const answers = createAnswers(foreignSchema, other(), everybody, 400);
    const { stated, total } = await compared(foreignSchema, answers);
    expect(stated / total).toBeGreaterThan(0.05);
  });

  it('is found out where it answers with another byte', async () => {
    const planted = {
      ...other(),
      [readJson]: {
        ...present(Object(other())[readJson]),
        read: async (...given: never[]) => {
          const json = await Object(other())[readJson].read(...given);
          // A space, before some values.
          return json?.replace(/:(null|true|\[\])/, ': $1');
        },
      },
    };
    const answers = createAnswers(foreignSchema, planted, everybody);
    await expect(compared(foreignSchema, answers, 2000)).rejects.toThrow('Property failed');
  });

  it.each([
    '{ things { id name note } few: things(first: 5) { body color } }',
    '{ things { size total weight ratio isDone isOpen } }',
    '{ things { day until seenAt leftAt key mark cursor } }',
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
    expect(stated).toBe(executed);
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

  it('continues lists in any order after any record', async () => {
    const answers = answersOf(other());
    const sorts = ['ID_DESC', 'NAME', 'NOTE_DESC', 'NOTE', 'WEIGHT', 'LEFT_AT_DESC', 'IS_DONE'];
    for (const sort of sorts) {
      const cursors = `{ things(sort: [${sort}]) { cursor(sort: [${sort}]) } }`;
      const { data } = JSON.parse(present(await answers(cursors)).executed);
      const query = `query ($after: String) {
        things(sort: [${sort}], after: $after, first: 3) { id }
        makers { things(sort: [${sort}], after: $after, first: 2) { id name } }
        all: makers { things(sort: [${sort}], after: $after) { id } }
      }`;
      for (const { cursor } of data.things) {
        const { executed, stated } = present(await answers(query, { after: cursor }));
        expect(stated).toBe(executed);
      }
    }
  });

  it('asks the policy before, and only for what is selected', async () => {
    const query = `query ($yes: Boolean!) {
      makers { name ...S @include(if: $yes) }
    } fragment S on Maker { secret again: secret }`;
    const actions: string[] = [];
    const asking = (isAllowed: boolean) =>
      createAccess<never>(undefined, async (action) => {
        actions.push(action);
        if (!isAllowed) throw new ApiError('forbidden');
        return '';
      });
    const allowed = createAnswers(foreignSchema, other(), asking(true));
    const whole = present(await allowed(query, { yes: true }));
    expect(whole.stated).toBe(whole.executed);
    expect(new Set(actions)).toEqual(new Set(['read a secret']));
    // Four records with two fields, executed twice, then once.
    expect(actions.length).toBe(2 * 8 + 1);
    actions.length = 0;
    const denied = createAnswers(foreignSchema, other(), asking(false));
    const without = present(await denied(query, { yes: false }));
    expect(without.stated).toBe(without.executed);
    expect(actions).toEqual([]);
    const refused = present(await denied(query, { yes: true }));
    expect(refused.stated).toBeUndefined();
    expect(refused.executed).toContain('"errors"');
    // There is nothing to refuse where there is no record.
    const none = present(await denied('{ makers(after: "99") { secret } }'));
    expect(none).toMatchObject({ executed: '{"data":{"makers":[]}}', stated: undefined });
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
      expect(both.counted[1]).toBe(both.counted[0]);
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

function token(): Promise<string> {
  return new SignJWT({ sub: 'ada' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret));
}
