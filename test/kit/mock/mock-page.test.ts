// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';
import { whole } from '../../support/schemas.ts';

const sizes = ['per_page', 'perPage', 'page_size', 'pageSize', 'limit'];
const counts = ['total', 'total_count', 'totalCount', 'count'];
const row = { type: 'object', required: ['id'], properties: { id: whole } };
const rows = [1, 2, 3, 4, 5].map((id) => ({ id }));
const nullable = { type: ['string', 'null'] };
const zero = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 0]));
const numbers = zero([...counts, ...sizes, 'offset', 'page', 'other']);
const query = (names: readonly string[]) =>
  names.map((name) => ({ name, in: 'query', schema: {} }));
const asked = query([...sizes, 'page', 'offset', 'filter']);
const described = { description: 'Rows.' };

/** A collection whose list has this schema and example. */
const collection = (
  path: string,
  schema: object,
  example: unknown,
  others: object = {},
  parameters: readonly object[] = asked,
) => ({
  [path]: {
    get: {
      operationId: `list${path}`,
      parameters,
      responses: {
        200: { ...described, ...others, content: { 'application/json': { schema, example } } },
      },
    },
    post: {
      operationId: `make${path}`,
      requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
      responses: { 201: { ...described, content: { 'application/json': { schema: row } } } },
    },
  },
  [`${path}/{id}`]: {
    get: {
      operationId: `get${path}`,
      parameters: [{ name: 'id', in: 'path', required: true, schema: whole }],
      responses: {
        200: { ...described, content: { 'application/json': { schema: row, example: { id: 1 } } } },
      },
    },
  },
});
const list = { type: 'array', items: row };
const links = { next: nullable, prev: nullable };
const header = { headers: { link: { schema: { type: 'string' } } } };
const paths = {
  ...collection(
    '/rows',
    {
      type: 'object',
      properties: { items: list, meta: { type: 'object', properties: links }, ...links },
    },
    {
      items: rows,
      ...numbers,
      next: '',
      prev: '',
      word: 'a',
      meta: { ...numbers, next: '', prev: null, pages: { total: 0 } },
    },
  ),
  // Where there is no next page, the member is left out, or stays as it is.
  ...collection(
    '/texts',
    {
      type: 'object',
      properties: { items: list, next: { type: 'string' }, prev: { type: 'string' } },
    },
    { items: rows, next: 'x', prev: 'x', total: 0 },
  ),
  ...collection(
    '/kept',
    { type: 'object', required: ['next'], properties: { items: list, next: { type: 'string' } } },
    { items: rows, next: 'x', total: 0 },
  ),
  ...collection(
    '/fixed',
    { type: 'object', properties: { items: list, total: { const: 9 } } },
    { items: rows, total: 9, next: null },
  ),
  ...collection(
    '/objects',
    { type: 'object', properties: { items: list, next: { type: 'object' } } },
    { items: rows, next: { href: 'x' } },
  ),
  ...collection('/plain', list, rows, header),
  ...collection('/undeclared', list, rows),
  ...collection('/unnumbered', list, rows, header, [
    ...query(['per_page']),
    { name: 'page', in: 'header', schema: {} },
  ]),
  ...collection('/written', list, rows, {}, [
    { name: 'limit', in: 'query', content: { 'application/json': { schema: {} } } },
  ]),
};

let server: Awaited<ReturnType<typeof serveContract>>;
beforeAll(async () => {
  const contract = { openapi: '3.1.0', info: { title: 'Rows', version: '1' }, paths };
  server = await serveContract(JSON.stringify(contract), {}, { mocks: true, share: 1 });
});
afterAll(() => server.stop());

const ask = async (path: string, headers = {}) => {
  const response = await fetch(server.url + path, { headers });
  expect(response.status).toBe(200);
  return { json: Object(await response.json()), link: response.headers.get('link') };
};
const ids = (items: { readonly id: number }[]) => items.map(({ id }) => id);
const told = (total: number, size: number, offset: number, page: number) => ({
  ...Object.fromEntries(counts.map((name) => [name, total])),
  ...Object.fromEntries(sizes.map((name) => [name, size])),
  ...{ offset, page, other: 0 },
});

/** What is asked for, the ids that are listed, offset and number of the page, and where the others are. */
const pages: readonly (readonly [
  query: string,
  ids: number[],
  size: number,
  offset: number,
  page: number,
  next: string | null,
  prev: string | null,
])[] = [
  ['', [1, 2, 3, 4, 5], 100, 0, 1, null, null],
  ['limit=2', [1, 2], 2, 0, 1, 'limit=2&offset=2', null],
  ['limit=2&offset=0', [1, 2], 2, 0, 1, 'limit=2&offset=2', null],
  ['limit=2&offset=1', [2, 3], 2, 1, 1, 'limit=2&offset=3', null],
  ['limit=1&offset=1', [2], 1, 1, 1, 'limit=1&offset=2', 'limit=1&offset=0'],
  ['limit=2&offset=2', [3, 4], 2, 2, 1, 'limit=2&offset=4', 'limit=2&offset=0'],
  ['limit=2&offset=3', [4, 5], 2, 3, 1, null, 'limit=2&offset=1'],
  ['limit=2&offset=4', [5], 2, 4, 1, null, 'limit=2&offset=2'],
  ['limit=5', [1, 2, 3, 4, 5], 5, 0, 1, null, null],
  ['limit=4', [1, 2, 3, 4], 4, 0, 1, 'limit=4&offset=4', null],
  ['limit=0', [], 0, 0, 1, null, null],
  ['limit=0&offset=2', [], 0, 2, 1, null, null],
  ['limit=100', [1, 2, 3, 4, 5], 100, 0, 1, null, null],
  ['limit=101', [1, 2, 3, 4, 5], 100, 0, 1, null, null],
  ['limit=-1&offset=-1', [1, 2, 3, 4, 5], 100, 0, 1, null, null],
  ['limit=x&offset=1.5', [1, 2, 3, 4, 5], 100, 0, 1, null, null],
  ['offset=9', [], 100, 9, 1, null, null],
  ['page=1&limit=2', [1, 2], 2, 0, 1, 'page=2&limit=2', null],
  ['page=2&limit=2', [3, 4], 2, 2, 2, 'page=3&limit=2', 'page=1&limit=2'],
  ['page=3&limit=2', [5], 2, 4, 3, null, 'page=2&limit=2'],
  ['page=0&limit=2', [1, 2], 2, 0, 1, 'page=2&limit=2', null],
  ['page=x&limit=2', [1, 2], 2, 0, 1, 'page=2&limit=2', null],
  ['page=2&offset=4&limit=3', [4, 5], 3, 3, 2, null, 'page=1&offset=4&limit=3'],
  // The first of several names counts.
  ['per_page=1&limit=2', [1], 1, 0, 1, 'per_page=1&limit=2&offset=1', null],
];

describe('a page of a mocked list', () => {
  it.each(pages)(
    'is what is asked for: %j',
    async (query, listed, size, offset, page, next, prev) => {
      const { json, link } = await ask(`/rows?${query}`);
      const at = (each: string | null) => (each === null ? null : `/rows?${each}`);
      expect(ids(json.items)).toEqual(listed);
      const own = { ...told(5, size, offset, page), next: at(next), prev: at(prev) };
      expect(json).toMatchObject({ ...own, word: 'a', meta: { ...own, pages: { total: 0 } } });
      expect(link).toBeNull();
    },
  );

  it.each([
    ['2', 2],
    ['null', 5],
    ['{}', 5],
  ])('is as long as a number in JSON says: %s', async (limit, length) => {
    expect((await ask(`/written?limit=${encodeURIComponent(limit)}`)).json).toHaveLength(length);
  });

  it.each(sizes)('is as long as %s says', async (name) => {
    expect(ids((await ask(`/rows?${name}=3`)).json.items)).toEqual([1, 2, 3]);
  });

  it('is the last of a hundred and one, or a hundred of them', async () => {
    const headers = { 'content-type': 'application/json' };
    for (let i = 0; i < 96; i++) {
      const made = await fetch(`${server.url}/undeclared`, { method: 'POST', headers, body: '{}' });
      expect(await made.json()).toEqual({ id: 6 + i });
    }
    expect((await ask('/undeclared')).json).toHaveLength(100);
    expect((await ask('/undeclared?limit=101')).json).toHaveLength(100);
    expect(ids((await ask('/undeclared?offset=99')).json)).toEqual([100, 101]);
    expect((await ask('/undeclared?limit=1&page=1')).link).toBeNull();
  });

  it('has counts and links as far as its schema admits them', async () => {
    const texts = async (path: string) => (await ask(path)).json;
    expect(await texts('/texts?limit=4')).toMatchObject({
      next: '/texts?limit=4&offset=4',
      total: 5,
    });
    expect(await texts('/texts')).toEqual({ items: rows, total: 5 });
    expect(await texts('/kept?limit=4')).toMatchObject({
      next: '/kept?limit=4&offset=4',
      total: 5,
    });
    expect(await texts('/kept')).toEqual({ items: rows, next: 'x', total: 5 });
    expect(await texts('/fixed?limit=1')).toEqual({ items: [{ id: 1 }], next: null, total: 9 });
    expect(await texts('/objects?limit=1')).toEqual({ items: [{ id: 1 }], next: { href: 'x' } });
  });

  it.each([
    ['per_page=2', ['next 2', 'last 3']],
    ['per_page=2&page=1', ['next 2', 'last 3']],
    ['per_page=2&page=2', ['prev 1', 'next 3', 'last 3', 'first 1']],
    ['per_page=2&page=3', ['prev 2', 'first 1']],
    ['per_page=2&page=4', ['prev 3', 'first 1']],
    ['per_page=2&page=9', ['prev 3', 'first 1']],
    ['per_page=5', undefined],
    ['per_page=4', ['next 2', 'last 2']],
    ['per_page=0', ['next 2', 'last 5']],
    ['', undefined],
  ])('with %j has the links of RFC 8288 that its contract declares', async (query, expected) => {
    const { link } = await ask(`/plain?${query}&filter=a`);
    const found = link?.split(', ').map((each) => {
      const [, address = '', relation] = /^<(.*)>; rel="(.*)"$/.exec(each) ?? [];
      const url = new URL(address);
      expect([url.origin, url.pathname]).toEqual([server.url, '/plain']);
      expect(url.searchParams.get('filter')).toBe('a');
      return `${relation} ${url.searchParams.get('page')}`;
    });
    expect(found).toEqual(expected);
  });

  it('has no links where its contract has no numbered pages', async () => {
    expect((await ask('/unnumbered?per_page=2', { page: '2' })).link).toBeNull();
    expect((await ask('/undeclared?per_page=2&page=2')).link).toBeNull();
  });
});
