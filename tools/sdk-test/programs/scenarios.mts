import { Accord, ApiError, ConnectionError, GraphqlRequestError } from 'accord-sdk';

declare const process: { readonly argv: readonly string[] };

const [, , baseUrl = '', action = ''] = process.argv;
let warnings = 0;
let tokens = 0;
const accord = new Accord({ baseUrl, onWarning: () => warnings++ });
const ubik = { title: 'Ubik', pages: 202 };

const actions: Readonly<Record<string, () => Promise<unknown>>> = {
  get: () => accord.books.get(2),
  list: async () => (await accord.books.list()).length,
  'get quickly': () => accord.books.get(2, { timeout: 3000 }),
  'create something invalid': () => accord.books.create({ title: '', pages: 1 }),
  create: () => accord.books.create(ubik),
  'create quickly': () => accord.books.create(ubik, { timeout: 3000 }),
  'create twice': async () =>
    (await Promise.all([accord.books.create(ubik), accord.books.create(ubik)])).length,
  replace: () => accord.books.replace(2, ubik),
  'replace a version': () => accord.books.replace(2, ubik, { ifMatch: '"1"' }),
  delete: async () => (await accord.books.delete(2)) ?? null,
  'delete nothing': () => accord.books.delete(2000),
  update: () => accord.books.update(2, (book) => ({ ...book, pages: book.pages + 1 })),
  query: () => accord.graphql.book({ id: '2' }),
  mutate: () => accord.graphql.addTodo({ title: 'Once' }),
  'mutate in vain': () => accord.graphql.addComment({ postId: '2000', body: 'Hello?' }),
  iterate: async () => (await accord.books.iterate({ limit: 1 }).toArray()).map(({ id }) => id),
  'iterate in part': async () => {
    for await (const { id } of accord.books.iterate({ limit: 1 })) return [id];
    return [];
  },
  // Once the first answer is there, the SDK waits for what it says.
  cancel: () => {
    const cancel = new AbortController();
    const watched: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      setTimeout(() => cancel.abort(), 100);
      return response;
    };
    return new Accord({ baseUrl, fetch: watched }).books.get(2, { signal: cancel.signal });
  },
  'get with tokens': () =>
    new Accord({ baseUrl, token: async () => `token-${++tokens}` }).books.get(2),
  'get twice': async () => {
    await accord.books.get(2);
    return accord.books.get(2);
  },
};

function told(error: unknown): object {
  if (error instanceof ConnectionError) return { error: 'ConnectionError' };
  if (error instanceof GraphqlRequestError) {
    return { error: `${error.name} ${error.code}`, status: error.status };
  }
  if (error instanceof ApiError) {
    return { error: error.name, status: error.status, retryAfter: error.retryAfter };
  }
  return { error: error instanceof DOMException ? 'cancelled' : String(error) };
}

const outcome = await (
  actions[action]?.() ?? Promise.reject(new Error(`no action ${action}`))
).then((ok) => ({ ok }), told);
console.log(JSON.stringify({ ...outcome, warnings }));
