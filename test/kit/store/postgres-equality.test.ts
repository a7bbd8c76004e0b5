// engines: postgres
// long: compares generated sequences of requests
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tables } from '../../../src/api/tables.ts';
import { columnsOf } from '../../../src/kit/store/columns.ts';
import { useServer } from '../../support/api-server.ts';
import type { ApiRequest, Client } from '../../support/client.ts';
import { collections, samples } from '../../support/collections.ts';

const same = useBoth();

const oddities = [
  Array.from({ length: 255 }, (_, i) => String.fromCharCode(i + 1))
    .join('')
    .slice(0, 160),
  '\u007f\u0080\u2028\u2029\ufeff\ufffd\uffff',
  'e\u0301 é ß İ ı ﬁ ǆ',
  '👩‍👩‍👧‍👦\u{10ffff}',
  '</script>"\\/\b\f\n\r\t\'',
  ' leading and trailing ',
  '{"id":1}',
  '%s $1 ?1 :x @y --',
];

const graphql = (query: string, variables = {}): ApiRequest => ({
  method: 'POST',
  path: '/graphql',
  json: { query, variables },
});

describe('SQLite and PostgreSQL give the same status, headers and bytes', () => {
  it.each(collections)('for /%s from empty to many, by every operation', async (name) => {
    const { input, other, edges, refused, text } = samples[name];
    const path = `/${name}`;
    await same({ path });
    for (const json of [input, other, ...edges]) await same({ method: 'POST', path, json });
    for (const value of oddities) {
      await same({ method: 'POST', path, json: { ...input, [text]: value } });
    }
    for (const [, json] of refused) await same({ method: 'POST', path, json });
    await same({ method: 'PUT', path: `${path}/1`, json: other });
    await same({ method: 'PUT', path: `${path}/9007199254740991`, json: other });
    for (const tag of ['"2"', 'W/"2"', '"x"', '*', '"9007199254740991"', '"-1"', '"0x2", "2"']) {
      const headers = { 'if-match': tag };
      await same({ path: `${path}/1`, headers: { 'if-none-match': tag } });
      await same({ method: 'PUT', path: `${path}/1`, json: input, headers });
      await same({ method: 'DELETE', path: `${path}/2`, headers });
      await same({ method: 'DELETE', path: `${path}/9007199254740991`, headers });
    }
    await same({ method: 'POST', path, json: input });
    for (let i = 0; i < 120; i++) await same({ method: 'POST', path, json: edges[0] });
    for (const query of ['', '?limit=1', '?limit=100', '?limit=101&after=3', '?limit=1000']) {
      await same({ path: path + query });
      await same({ method: 'HEAD', path: path + query });
    }
    for (const after of [0, 1, 126, 2_147_483_648, 9_007_199_254_740_991]) {
      await same({ path: `${path}?limit=2&after=${after}` });
      await same({ path: `${path}/${after}` });
    }
  });

  it('for GraphQL, its conflicts and missing parents included', async () => {
    const user =
      'mutation ($name: String!, $email: String!) { createUser(name: $name, email: $email) { id name email } }';
    const post =
      'mutation ($id: ID!, $text: String!) { createPost(userId: $id, title: $text, body: $text) { id title body } }';
    const comment =
      'mutation ($id: ID!, $text: String!) { addComment(postId: $id, body: $text) { body } }';
    await same(graphql('{ users { id } todos { id } user(id: 1) { id } }'));
    for (const [i, text] of oddities.entries()) {
      await same(graphql(user, { name: text, email: `u${i % 6}@example.com` }));
      await same(graphql(user, { name: text, email: `U${i % 6}@example.com` }));
      for (const id of [1, 99, 2, '9007199254740991', '9007199254740992', 'x']) {
        await same(graphql(post, { id, text }));
        await same(graphql(comment, { id, text }));
      }
      await same(
        graphql('mutation ($text: String!) { addTodo(title: $text) { id title done } }', { text }),
      );
    }
    for (const id of [1, 2, 99]) {
      await same(graphql(`mutation { setTodoDone(id: ${id}, done: true) { id done } }`));
    }
    await same(graphql('{ users { id name email posts { id title body comments { id body } } } }'));
    await same(
      graphql('{ books { id title pages } todos { id title done } book(id: 1) { title } }'),
    );
  });

  describe('on databases of their own', () => {
    const same = useBoth();

    it('for sequences that nobody thought of', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyRequest, { minLength: 20, maxLength: 40 }),
          async (requests) => {
            for (const request of requests) await same(request);
          },
        ),
        // Both servers keep what a run stored, so that a shorter run would not be the same.
        { numRuns: 25, endOnFailure: true },
      );
    });
  });
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 210 }),
  fc.constantFrom(...oddities),
);
const anyNumber = fc.oneof(fc.integer({ min: -1, max: 1_000_001 }), fc.maxSafeInteger());
const anyValue = {
  text: anyText,
  'long text': anyText,
  integer: anyNumber,
  number: anyNumber,
  boolean: fc.boolean(),
  date: anyText,
  'date-time': anyText,
  uuid: anyText,
  enum: anyText,
  json: fc.jsonValue(),
};
const anyBody = (name: (typeof collections)[number]) => {
  const columns = columnsOf(tables[name].columns);
  const fields = columns.map(({ field, type }) => [field, anyValue[type]] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
};
const anyRequest: fc.Arbitrary<ApiRequest> = fc.constantFrom(...collections).chain((name) =>
  fc
    .record({
      kind: fc.constantFrom('list', 'page', 'get', 'create', 'create', 'replace', 'remove'),
      id: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.maxSafeInteger()),
      limit: fc.integer({ min: 0, max: 20 }),
      tag: fc.option(fc.constantFrom('"1"', '"2"', '"3"', '*', 'W/"1"', '"1", "2"')),
      json: anyBody(name),
    })
    .map(({ kind, id, limit, tag, json }) => {
      const path = `/${name}`;
      const one = `${path}/${id}`;
      const headers = tag === null ? {} : { 'if-match': tag };
      if (kind === 'list') return { path };
      if (kind === 'page') return { path: `${path}?limit=${limit}&after=${id}` };
      if (kind === 'create') return { method: 'POST', path, json };
      if (kind === 'replace') return { method: 'PUT', path: one, json, headers };
      if (kind === 'remove') return { method: 'DELETE', path: one, headers };
      return { path: one, headers: tag === null ? {} : { 'if-none-match': tag } };
    }),
);

/** Two servers for the tests that follow, each on an engine of its own; both are to say the same. */
function useBoth(): (request: ApiRequest) => Promise<void> {
  const postgres = useServer({}, collections);
  const sqlite = useServer({ DATABASE_URL: 'sqlite::memory:' }, collections);
  return async (request) => {
    expect(await answer(postgres.api, request)).toEqual(await answer(sqlite.api, request));
  };
}

async function answer(api: Client, request: ApiRequest) {
  const named = { 'x-request-id': 'the-same', ...request.headers };
  const { status, headers, text } = await api({ ...request, headers: named });
  const { date: _, ...rest } = headers;
  return { request, status, headers: rest, text };
}
