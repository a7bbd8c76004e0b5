import { deepStrictEqual, equal, match } from 'node:assert/strict';
import { type HttpResponse, requestText } from '../tools/support/http-wire.ts';
import { BOOKS, book, POSTS_EACH, post, range, USERS, user } from './data.ts';
import type { Dialect } from './dialects.ts';

/** One kind of request, repeated by clients that each wait for the response. */
export type Case = {
  readonly name: string;
  readonly title: string;
  readonly protocol: 'rest' | 'graphql';
  readonly clients: number;
  /** The share of `--requests` that it sends. */
  readonly share: number;
  /** The i-th request, from 1; `ids` are of records made for the case. */
  request(i: number, dialect: Dialect, ids: readonly number[]): string;
  status(dialect: Dialect): number;
  /** Throws when the content is wrong. */
  check(answer: HttpResponse, i: number, dialect: Dialect): void;
  /** Whether it changes the store. */
  readonly writes?: boolean;
  /** Whether the case creates books, deleted afterwards, or deletes books created before. */
  readonly books?: 'adds' | 'removes';
};

const CLIENTS = 32;
const fields = { title: 'A book that is new, and not too short', pages: 345 };

// Ids out of order, so that no cache predicts them.
const idOf = (i: number, books = BOOKS) => 1 + ((i * 7919) % books);

type Rest = Omit<Case, 'protocol' | 'clients' | 'share' | 'status'> &
  Partial<Pick<Case, 'clients' | 'share'>> & { readonly status: number | Case['status'] };

const rest = ({ status, ...given }: Rest): Case => ({
  protocol: 'rest',
  clients: CLIENTS,
  share: 1,
  status: typeof status === 'number' ? () => status : status,
  ...given,
});
type Graphql = Pick<Case, 'name' | 'title' | 'share'> & {
  body(i: number, dialect: Dialect): unknown;
  check(data: unknown, i: number): void;
};
const graphql = ({ body, check, ...given }: Graphql): Case => ({
  ...given,
  protocol: 'graphql',
  clients: CLIENTS,
  status: () => 200,
  request: (i, dialect) => http('POST', '/graphql', body(i, dialect)),
  check(answer, i, dialect) {
    const { data, ...others } = JSON.parse(answer.body);
    deepStrictEqual(others, {});
    check(dialect.answered(data), i);
  },
});

/** One of so many books. */
export const getOne = (books: number): Case =>
  rest({
    name: 'get-one',
    title: 'get one',
    status: 200,
    request: (i) => http('GET', `/books/${idOf(i, books)}`),
    check: ({ body }, i) => deepStrictEqual(JSON.parse(body), book(idOf(i, books))),
  });

export const list20: Case = rest({
  name: 'list-20',
  title: 'list 20',
  share: 0.5,
  status: 200,
  request: (_, { page }) => http('GET', `/books?${page}=20`),
  check: ({ body }) => deepStrictEqual(JSON.parse(body), range(20).map(book)),
});

/** The first users with their posts, of however many there are. */
export const nestedFirst: Case = graphql({
  name: 'nested',
  title: `GraphQL, nested, the first ${USERS}`,
  share: 0.25,
  body: () => ({ query: `{ users(first: ${USERS}) { id name posts { id title } } }` }),
  check: (data) => deepStrictEqual(data, { users: range(USERS).map(withPosts) }),
});

export const cases: readonly Case[] = [
  getOne(BOOKS),
  rest({
    name: 'get-absent',
    title: 'get absent',
    status: 404,
    request: (i) => http('GET', `/books/${900_000_000 + i}`),
    check: ({ body }) => equal(typeof JSON.parse(body), 'object'),
  }),
  list20,
  rest({
    name: 'list-all',
    title: 'list all 10,000',
    clients: 4,
    share: 0.02,
    status: 200,
    request: () => http('GET', '/books'),
    check: ({ body }) => deepStrictEqual(JSON.parse(body), range(BOOKS).map(book)),
  }),
  rest({
    name: 'create',
    title: 'create, 32 clients',
    share: 0.5,
    writes: true,
    books: 'adds',
    status: 201,
    request: () => http('POST', '/books', fields),
    check({ head, body }) {
      const { id, ...others } = JSON.parse(body);
      deepStrictEqual(others, fields);
      match(head, new RegExp(`\r\nlocation: \\S*/books/${id}(\r|$)`, 'i'));
    },
  }),
  rest({
    name: 'delete',
    title: 'delete',
    share: 0.5,
    writes: true,
    books: 'removes',
    status: ({ deleted }) => deleted,
    request: (i, _, ids) => http('DELETE', `/books/${ids[i - 1]}`),
    check: () => {},
  }),
  rest({
    name: 'replace',
    title: 'replace',
    share: 0.5,
    writes: true,
    status: 200,
    request: (i) => http('PUT', `/books/${idOf(i)}`, { ...book(idOf(i)), id: undefined }),
    check: ({ body }, i) => deepStrictEqual(JSON.parse(body), book(idOf(i))),
  }),
  rest({
    name: 'invalid',
    title: '400, invalid body',
    share: 0.5,
    status: 400,
    request: () => http('POST', '/books', { ...fields, pages: 'many' }),
    check: ({ body }) => match(body, /pages/),
  }),
  rest({
    name: 'not-allowed',
    title: '405',
    share: 0.5,
    status: 405,
    request: () => http('PATCH', '/books', fields),
    check: ({ head }) => match(head, /\r\nallow: /i),
  }),
  graphql({
    name: 'nested',
    title: 'GraphQL, nested',
    share: 0.25,
    body: (_, { documents }) => ({ query: documents.nested }),
    check: (data) => deepStrictEqual(data, { users: range(USERS).map(withPosts) }),
  }),
  graphql({
    name: 'by-variables',
    title: 'GraphQL, by variables',
    share: 0.5,
    body: (i, { documents }) => ({
      query: documents.byVariables,
      variables: { id: String(idOf(i)) },
    }),
    check: (data, i) => deepStrictEqual(data, { book: { ...book(idOf(i)), id: String(idOf(i)) } }),
  }),
  graphql({
    name: 'mutation',
    title: 'GraphQL, mutation, 32 clients',
    share: 0.5,
    body: (i, { documents }) => ({
      query: documents.mutation,
      variables: { title: `Read volume ${i}` },
    }),
    check(data, i) {
      const { id, ...others } = Object(data).addTodo;
      match(id, /^\d+$/);
      deepStrictEqual(others, { title: `Read volume ${i}`, done: false });
    },
  }),
];

function withPosts(id: number) {
  const posts = range(POSTS_EACH).map((i) => post((id - 1) * POSTS_EACH + i));
  const shown = posts.map(({ id, title }) => ({ id: String(id), title }));
  return { id: String(id), name: user(id).name, posts: shown };
}

export function http(method: string, path: string, body?: unknown): string {
  return requestText(method, path, body === undefined ? undefined : JSON.stringify(body));
}

/** The request that creates a book. */
export const createBook = Buffer.from(http('POST', '/books', fields));
