// engines: sqlite, postgres
import { readFileSync } from 'node:fs';
import { buildSchema, getNamedType, isEnumType, isInputObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { api as definition } from '../../src/api/api.ts';
import { readContract } from '../../src/kit/contract/contract.ts';
import { present } from '../../src/kit/errors.ts';
import type { Question } from '../../src/kit/store/store.ts';
import { useServer } from '../support/api-server.ts';
import { collections, samples } from '../support/collections.ts';
import { ENOUGH_CONNECTIONS, isMissing } from '../support/engine.ts';
import { answerOf } from '../support/question-model.ts';

type AnyRecord = { readonly id: number; readonly [field: string]: unknown };

const { api, graphql } = useServer({ DATABASE_POOL: `${ENOUGH_CONNECTIONS}` });
const contract = await readContract(new URL('../../openapi.yaml', import.meta.url));
const schema = buildSchema(readFileSync(definition.graphql, 'utf8'));

/** The values of a field, and for `contains` a part of each. */
function operands(records: readonly AnyRecord[], field: string, operator: string): unknown[] {
  const values = [...new Set(records.map((record) => record[field]))];
  if (operator !== 'contains') return values;
  return values.map((value) => [...String(value)].slice(0, 3).join('')).filter(Boolean);
}

const listOf = (name: string) =>
  present(contract.operations.find(({ method, path }) => method === 'GET' && path === `/${name}`));
const sorted = collections.filter((name) =>
  listOf(name).parameters.some((each) => each.name === 'sort'),
);

it('the four collections of the specification are sorted', () => {
  expect(sorted).toEqual(expect.arrayContaining(['books', 'tasks', 'notes', 'items']));
});

describe.each(sorted)('GET /%s', (name) => {
  const { input, other, edges } = samples[name];
  const operation = listOf(name);
  const named = operation.parameters.map((each) => each.name);
  const filters = named.filter((each) => !['sort', 'limit', 'after'].includes(each));
  const { items } = Object(operation.parameters.find((each) => each.name === 'sort')?.schema);
  let records: AnyRecord[];
  beforeAll(async () => {
    if (isMissing()) return;
    for (const json of [other, input, ...edges, input, other]) {
      await api({ method: 'POST', path: `/${name}`, json });
    }
    records = (await api({ path: `/${name}` })).json;
  });

  it('has filters, an order and pages', () => {
    expect(filters.length).toBeGreaterThan(2);
    expect(named).toEqual(expect.arrayContaining(['sort', 'limit', 'after']));
  });

  it.each(filters)('?%s leaves out what does not meet it', async (filter) => {
    const [, field = '', operator = 'eq'] = filter.match(/^(\w+)(?:\[(\w+)\])?$/) ?? [];
    for (const value of operands(records, field, operator)) {
      const query = new URLSearchParams({ [filter]: String(value) });
      const { json } = await api({ path: `/${name}?${query}` });
      expect(json).toEqual(answerOf(records, { where: { [field]: { [operator]: value } } }));
    }
  });

  it.each(items.enum as string[])('?sort=%s is that order, page by page', async (sort) => {
    const field = sort.replace('-', '');
    const asked = { sort: [{ field, isDescending: sort.startsWith('-') }] };
    const found: AnyRecord[] = [];
    for (let path: string | undefined = `/${name}?sort=${sort}&limit=2`; path; ) {
      const { json, headers } = await api({ path });
      found.push(...json);
      path = headers.link?.toString().match(/^<(.*)>; rel="next"$/)?.[1];
    }
    expect(found).toEqual(answerOf(records, asked));
  });

  it.each([
    'sort=',
    'sort=colour',
    'sort=--id',
    'sort=id,',
    'sort=-id&after=1',
    'id=1',
    'id[gt]=1',
  ])('?%s is 400', async (query) => {
    expect((await api({ path: `/${name}?${query}` })).status).toBe(400);
  });
});

const selections = {
  User: 'id name',
  Post: 'id title body',
  Comment: 'id body',
  Book: 'id title pages',
  Todo: 'id title done',
} as const;

describe.each([
  ['Query', 'users', 'User'],
  ['Query', 'books', 'Book'],
  ['Query', 'todos', 'Todo'],
  ['User', 'posts', 'Post'],
  ['Post', 'comments', 'Comment'],
] as const)('%s.%s', (parent, field, type) => {
  const { args } = present(Object(schema.getType(parent)).getFields()[field]);
  const typeOf = (name: string) =>
    getNamedType(args.find((each: { name: string }) => each.name === name).type);
  const [where, sort] = [typeOf('where'), typeOf('sort')];
  let records: AnyRecord[];
  beforeAll(async () => {
    if (isMissing()) return;
    await fill();
    records = await read({});
  });

  /** All of them are of one user and one post. */
  async function read(variables: object): Promise<AnyRecord[]> {
    const list = `list: ${field}(where: $where, sort: $sort, first: $first, after: $after) {
      ${selections[type]} cursor(sort: $sort)
    }`;
    const { json } = await graphql(
      `query ($where: ${type}Filter, $sort: [${type}Sort!], $first: Int, $after: String) {
        ${parent === 'Query' ? list : parent === 'User' ? `users(first: 1) { ${list} }` : `users(first: 1) { posts(first: 1) { ${list} } }`}
      }`,
      variables,
    );
    const found =
      json.data.users?.[0].posts?.[0].list ?? json.data.users?.[0].list ?? json.data.list;
    return found.map(({ id, ...rest }: AnyRecord) => ({ ...rest, id: Number(id) }));
  }

  const plain = (list: readonly AnyRecord[]) => list.map(({ cursor: _, ...rest }) => rest);

  it('takes every comparison of its filter', async () => {
    if (!isInputObjectType(where)) throw new Error('where is an input object');
    expect(records.length).toBeGreaterThan(3);
    for (const { name, type } of Object.values(where.getFields())) {
      for (const operator of Object.keys(Object(getNamedType(type)).getFields())) {
        for (const value of operands(records, name, operator)) {
          const condition = { [name]: { [operator]: value } };
          const found = plain(await read({ where: condition }));
          expect(found).toEqual(plain(answerOf(records, { where: condition })));
        }
      }
    }
  });

  it('takes every order, page by page', async () => {
    if (!isEnumType(sort)) throw new Error('sort is an enum');
    for (const { name } of sort.getValues()) {
      const isDescending = name.endsWith('_DESC');
      const asked: Question<AnyRecord> = {
        sort: [{ field: name.replace('_DESC', '').toLowerCase(), isDescending }],
      };
      const found: AnyRecord[] = [];
      for (let after: unknown; ; after = found.at(-1)?.cursor) {
        const page = await read({ sort: [name], first: 2, after });
        found.push(...page);
        if (page.length < 2) break;
      }
      expect(plain(found)).toEqual(plain(answerOf(records, asked)));
    }
  });

  it('continues after an id', async () => {
    const [first, ...rest] = plain(records);
    expect(plain(await read({ after: String(first?.id) }))).toEqual(rest);
  });
});

async function fill(): Promise<void> {
  const { json } = await graphql('{ users { id posts { id } } }');
  if (json.data.users.length > 0) return;
  for (const name of ['b', 'A', 'ä', 'a', 'b']) {
    const email = `${Math.random()}@example.com`;
    await graphql(`mutation { createUser(name: "${name}", email: "${email}") { id } }`);
    await graphql(`mutation { createPost(userId: 1, title: "${name}", body: "${name}x") { id } }`);
    await graphql(`mutation { addComment(postId: 1, body: "${name}y") { id } }`);
    await graphql(`mutation { addTodo(title: "${name}") { id } }`);
  }
  await graphql('mutation { setTodoDone(id: 2, done: true) { id } }');
}

describe('what only some may read', () => {
  it('is neither filtered nor sorted by', () => {
    expect(String(Object.keys(Object(schema.getType('UserFilter')).getFields()))).toBe('name');
    expect(Object(schema.getType('UserSort')).getValue('EMAIL')).toBeUndefined();
  });
});

describe('pages that are read while others insert and delete', () => {
  const WRITERS = 6;
  const ROUNDS = 20;
  const book = () => ({
    title: `${Math.floor(Math.random() * 9)}`,
    pages: 1 + Math.floor(Math.random() * 5),
  });

  async function byLinks(): Promise<AnyRecord[]> {
    const found: AnyRecord[] = [];
    for (let path: string | undefined = '/books?pages[gte]=2&sort=-pages,title&limit=7'; path; ) {
      const { json, headers } = await api({ path });
      found.push(...json);
      path = headers.link?.toString().match(/^<(.*)>; rel="next"$/)?.[1];
    }
    return found;
  }

  async function byCursors(): Promise<AnyRecord[]> {
    const sort = '[PAGES_DESC, TITLE]';
    const found: AnyRecord[] = [];
    for (let after: unknown; ; after = found.at(-1)?.cursor) {
      const { json } = await graphql(
        `query ($after: String) {
          books(where: { pages: { gte: 2 } }, sort: ${sort}, first: 7, after: $after) {
            id title pages cursor(sort: ${sort})
          }
        }`,
        { after },
      );
      found.push(...json.data.books.map((each: AnyRecord) => ({ ...each, id: Number(each.id) })));
      if (json.data.books.length < 7) return found;
    }
  }

  it('show no record twice, and each that was there throughout', async () => {
    const lasting: AnyRecord[] = (await api({ path: '/books' })).json;
    for (let i = 0; i < 40; i++) {
      lasting.push((await api({ method: 'POST', path: '/books', json: book() })).json);
    }
    const question: Question<AnyRecord> = {
      where: { pages: { gte: 2 } },
      sort: [{ field: 'pages', isDescending: true }, { field: 'title' }],
    };
    const expected = answerOf(lasting, question).map(({ id }) => id);
    const known = new Set(expected);
    let writing = WRITERS;
    async function write(): Promise<void> {
      for (let i = 0; i < ROUNDS; i++) {
        const { json } = await api({ method: 'POST', path: '/books', json: book() });
        await api({ method: 'DELETE', path: `/books/${json.id}` });
      }
      writing--;
    }
    async function watch(read: () => Promise<AnyRecord[]>): Promise<void> {
      do {
        const found = await read();
        const ids = found.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.filter((id) => known.has(id))).toEqual(expected);
        expect(ids).toEqual(answerOf(found, question).map(({ id }) => id));
      } while (writing > 0);
    }
    await Promise.all([
      ...Array.from({ length: WRITERS }, write),
      watch(byLinks),
      watch(byCursors),
    ]);
  });
});
