// engines: sqlite, postgres
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/api/api.ts';
import type { Post } from '../../../src/api/tables.ts';
import { createAnswerBudget, type ReadPage } from '../../../src/kit/graphql/answer-budget.ts';
import { createSemaphore } from '../../../src/kit/semaphore.ts';
import { openStore } from '../../../src/kit/store/open-store.ts';
import type { ChildPage } from '../../../src/kit/store/store.ts';
import { useServer } from '../../support/api-server.ts';
import { isMissing, needPostgres, newDatabase } from '../../support/engine.ts';

const tooLarge = { code: 'QUERY_TOO_COMPLEX' };
/** As often as it takes for an operation to be compiled, and a little more. */
const OFTEN = 12;

describe('an answer of at most 100 fields', () => {
  const { api, graphql, statements } = useServer({ GRAPHQL_FIELDS: '100' });
  const addTodos = async (count: number) => {
    for (let i = 0; i < count; i++) await graphql('mutation { addTodo(title: "a") { id } }');
  };
  const refusal = async (query: string, variables = {}) => {
    const { status, json } = await graphql(query, variables);
    expect(status).toBe(200);
    expect(json.errors?.length ?? 0).toBeLessThanOrEqual(1);
    return json.errors?.[0].extensions;
  };

  it('holds as many records as fit, and one more is refused, the same each time', async () => {
    // Each takes a field and one for itself; their titles together none, and one more title one.
    await addTodos(49);
    const whole = await graphql('{ todos { id } }');
    expect(whole.json.data.todos.length).toBe(49);
    expect(await refusal('{ todos { __typename } }')).toBeUndefined();
    await addTodos(1);
    const first = await graphql('{ todos { id } }');
    expect(first.json.data).toBeNull();
    expect(first.json.errors[0].extensions).toEqual(tooLarge);
    expect(first.json.errors[0].message).toMatch(/100 fields/);
    for (let i = 0; i < OFTEN; i++)
      expect((await graphql('{ todos { id } }')).text).toBe(first.text);
  });

  it('is shared by all lists of an operation, aliases of one list too', async () => {
    expect(await refusal('{ a: todos { id } }')).toEqual(tooLarge);
    expect(await refusal('{ books { id } users { id } }')).toBeUndefined();
    for (let i = 0; i < OFTEN; i++) {
      const post = { method: 'POST', path: '/books', json: { title: `Book ${i}`, pages: 1 } };
      await api(post);
    }
    expect(await refusal('{ books { id } }')).toBeUndefined();
    expect(
      await refusal('{ a: books { id } b: books { id } c: books { id } d: books { id } }'),
    ).toBeUndefined();
    expect(
      await refusal(
        '{ a: books { id } b: books { id } c: books { id } d: books { id } e: books { id } }',
      ),
    ).toEqual(tooLarge);
    expect(
      await refusal('{ a: books { id } b: books { id } c: books { id title pages } }'),
    ).toEqual(tooLarge);
  });

  it('counts what hangs on records before it is resolved, in the answer to a mutation as well', async () => {
    const created = await graphql(
      'mutation { createUser(name: "a", email: "a@example.com") { id posts { id } } }',
    );
    const { id } = created.json.data.createUser;
    const add =
      'mutation ($id: ID!, $body: String!) { createPost(userId: $id, title: "t", body: $body) { id comments { body } } }';
    const post = (await graphql(add, { id, body: '' })).json.data.createPost.id;
    const posts = '{ users { id posts { id } } }';
    expect(await refusal(posts)).toBeUndefined();
    for (let i = 0; i < 40; i++) await graphql(add, { id, body: '' });
    for (let i = 0; i < OFTEN; i++) expect(await refusal(posts)).toEqual(tooLarge);
    const comment = 'mutation ($post: ID!) { addComment(postId: $post, body: "c") { body } }';
    for (let i = 0; i < 60; i++) await graphql(comment, { post });
    expect(await refusal('{ user(id: 1) { posts { comments { body } } } }')).toEqual(tooLarge);
  });

  it('counts long text: fifty characters are a field', async () => {
    const created = await graphql(
      'mutation { createUser(name: "b", email: "b@example.com") { id } }',
    );
    const { id } = created.json.data.createUser;
    const add =
      'mutation ($id: ID!, $body: String!) { createPost(userId: $id, title: "t", body: $body) { id } }';
    const read = 'query ($id: ID!) { user(id: $id) { posts { body } } }';
    await graphql(add, { id, body: 'x'.repeat(4000) });
    expect(await refusal(read, { id })).toBeUndefined();
    // An alias makes a copy of it, though it is read once.
    for (const again of [
      'query ($id: ID!) { user(id: $id) { posts { body again: body } } }',
      'query ($id: ID!) { user(id: $id) { posts { body } } again: user(id: $id) { posts { body } } }',
    ]) {
      expect((await graphql(again, { id })).json.errors[0].extensions).toEqual(tooLarge);
    }
    await graphql(add, { id, body: 'x'.repeat(6000) });
    expect(await refusal(read, { id })).toEqual(tooLarge);
  });

  it('is refused after one statement, which reads no more than fits', async () => {
    const before = statements();
    await graphql('{ a: todos { id } b: todos { id } c: todos { id } }');
    expect(statements() - before).toBe(1);
  });
});

const costs = (ofRecord: number) => ({
  ofList: new Map([['Query.all', { ofRecord, copies: 1 }]]),
  copies: 1,
});

describe('a list that is read in pages', () => {
  needPostgres();

  it('is read with what is left of the budget as its limit, and no further', async () => {
    const limits: number[] = [];
    const from =
      (start: number): ReadPage<number> =>
      (limit) => {
        limits.push(limit);
        const records = Array.from({ length: limit }, (_, i) => start + i);
        return { records, more: from(start + limit) };
      };
    const budget = createAnswerBudget(5000, costs(2), createSemaphore(1), Number.POSITIVE_INFINITY);
    const list = { name: 'Query.all', read: from(0), lengthOf: () => 0 };
    await expect(Promise.resolve(budget.readAll(list))).rejects.toThrow('Answer limit exceeded');
    // The first page is read again when there is room for a long list.
    expect(limits).toEqual([1000, 1000, 1000, 501]);
    expect(() => budget.readAll(list)).toThrow('Answer limit exceeded');
    expect(limits.length).toBe(4);
  });

  it('waits while as many others as may are read, and holds nothing meanwhile', async () => {
    const longReads = createSemaphore(1);
    const budgets = [1, 2].map(() =>
      createAnswerBudget(10_000, costs(1), longReads, Number.POSITIVE_INFINITY),
    );
    const reads: number[] = [];
    const [first, second] = budgets.map((budget, i) => {
      const page =
        (more: ReadPage<number> | undefined): ReadPage<number> =>
        () => {
          reads.push(i);
          return { records: [1], more };
        };
      const read = page(page(page(undefined)));
      return Promise.resolve(budget.readAll({ name: 'Query.all', read, lengthOf: () => 0 }));
    });
    expect(await first).toEqual([1, 1, 1]);
    expect(reads).toEqual([0, 1, 0, 0, 0]);
    budgets[0]?.close();
    expect(await second).toEqual([1, 1, 1]);
    expect(reads).toEqual([0, 1, 0, 0, 0, 1, 1, 1]);
  });

  it('keeps no place when its operation ends while it waits', async () => {
    const longReads = createSemaphore(1);
    const list = (read: ReadPage<number>) => ({ name: 'Query.all', read, lengthOf: () => 0 });
    const last: ReadPage<number> = () => ({ records: [1], more: undefined });
    const long: ReadPage<number> = () => ({ records: [1], more: last });
    const [first, second, third] = [1, 2, 3].map(() =>
      createAnswerBudget(10_000, costs(1), longReads, Number.POSITIVE_INFINITY),
    );
    await first?.readAll(list(long));
    const failed = Promise.resolve(second?.readAll(list(long)));
    second?.close();
    first?.close();
    await expect(failed).rejects.toThrow('the answer is made already');
    expect(await third?.readAll(list(long))).toEqual([1, 1]);
  });

  it('waits for those before it, so that each knows what they left', async () => {
    const limits: number[] = [];
    const read: ReadPage<number> = async (limit) => {
      limits.push(limit);
      return { records: [1, 2, 3], more: undefined };
    };
    const budget = createAnswerBudget(10, costs(1), createSemaphore(1), Number.POSITIVE_INFINITY);
    const list = { name: 'Query.all', read, lengthOf: () => 0 };
    const all = await Promise.allSettled([1, 2, 3, 4, 5].map(() => budget.readAll(list)));
    expect(all.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
    ]);
    expect(limits).toEqual([11, 8, 5, 2]);
  });

  it('has each child once, whatever the pages', async () => {
    if (isMissing()) return;
    const { store, ready } = await openStore(await newDatabase(), api);
    await ready;
    for (const name of ['a', 'b', 'c']) await store.users.create({ name, email: `${name}@b.c` });
    for (let i = 0; i < 20; i++) {
      await store.posts.create({ userId: 1 + ((i * 7) % 3), title: `${i}`, body: '' });
    }
    const ids = [3, 1, 2];
    const whole = await store.posts.by('userId').ofParents(ids, { limit: 1000 });
    expect(whole.length).toBe(20);
    for (const limit of [1, 3, 7, 20, 21]) {
      const read: Post[] = [];
      let page: ChildPage<Post> = { limit };
      for (;;) {
        const records = await store.posts.by('userId').ofParents(ids, page);
        read.push(...records);
        if (records.length < limit) break;
        page = { limit, after: records.at(-1) };
      }
      expect(read).toEqual(whole);
    }
    await store.close();
  });
});

describe('20,000 books', () => {
  const folder = mkdtempSync(join(tmpdir(), 'accord-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'books.db');
  const { api, graphql } = useServer({ DATABASE_URL: `sqlite:${file}` });

  it('are answered once, and refused 15 times over while a bystander is served', async () => {
    const database = new DatabaseSync(file);
    database.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO books (title, pages) SELECT 'Book ' || i, i FROM n`);
    database.close();
    const { json } = await graphql('{ books { id title pages } }');
    expect(json.data.books.length).toBe(20_000);
    expect(json.data.books[19_999]).toEqual({ id: '20000', title: 'Book 20000', pages: 20_000 });
    const aliases = Array.from({ length: 15 }, (_, i) => `a${i}: books { id }`).join(' ');
    const [refused, bystander] = await Promise.all([
      graphql(`{ ${aliases} }`),
      api({ path: '/greet/en' }),
    ]);
    expect(refused.json.data).toBeNull();
    expect(refused.json.errors.length).toBe(1);
    expect(refused.json.errors[0].extensions).toEqual(tooLarge);
    expect(bystander.status).toBe(200);
  });
});
