// engines: sqlite, postgres
import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { api as definition } from '../../src/api/api.ts';
import { useServer } from '../support/api-server.ts';

const { api, graphql, log } = useServer();
const sdl = buildSchema(readFileSync(definition.graphql, 'utf8'));
const standard = { accept: 'application/graphql-response+json' };

type Named = { name: string };
type TypeRef = { kind: string; name: string | null; ofType: TypeRef | null };

/** A type reference as the SDL writes it. */
function written({ kind, name, ofType }: TypeRef): string {
  if (!ofType) return String(name);
  return kind === 'LIST' ? `[${written(ofType)}]` : `${written(ofType)}!`;
}

describe('by introspection', async () => {
  const ref = 'kind name ofType { kind name ofType { kind name ofType { kind name } } }';
  const query = `query ($name: String!) {
    __type(name: $name) { fields { name type { ${ref} } args { name type { ${ref} } } } }
  }`;

  const list = (type: string) =>
    `where: ${type}Filter, sort: [${type}Sort!], first: Int, after: String`;

  it.each([
    ['User', 'id', '', 'ID!'],
    ['User', 'name', '', 'String!'],
    ['User', 'email', '', 'String!'],
    ['User', 'posts', list('Post'), '[Post!]!'],
    ['Post', 'id', '', 'ID!'],
    ['Post', 'title', '', 'String!'],
    ['Post', 'body', '', 'String!'],
    ['Post', 'comments', list('Comment'), '[Comment!]!'],
    ['Comment', 'body', '', 'String!'],
    ['Book', 'id', '', 'ID!'],
    ['Book', 'title', '', 'String!'],
    ['Book', 'pages', '', 'Int!'],
    ['Todo', 'id', '', 'ID!'],
    ['Todo', 'title', '', 'String!'],
    ['Todo', 'done', '', 'Boolean!'],
    ['Query', 'user', 'id: ID!', 'User'],
    ['Query', 'users', list('User'), '[User!]!'],
    ['Query', 'book', 'id: ID!', 'Book'],
    ['Query', 'books', list('Book'), '[Book!]!'],
    ['Query', 'todos', list('Todo'), '[Todo!]!'],
    ['Mutation', 'createUser', 'name: String!, email: String!', 'User!'],
    ['Mutation', 'addTodo', 'title: String!', 'Todo!'],
    ['Mutation', 'createPost', 'userId: ID!, title: String!, body: String!', 'Post!'],
    ['Mutation', 'addComment', 'postId: ID!, body: String!', 'Comment!'],
    ['Mutation', 'setTodoDone', 'id: ID!, done: Boolean!', 'Todo'],
  ])('%s.%s(%s) is %s', async (name, field, args, type) => {
    const { json } = await graphql(query, { name });
    const found = json.data.__type.fields.find((each: Named) => each.name === field);
    expect(written(found.type)).toBe(type);
    const given = found.args.map(
      (arg: Named & { type: TypeRef }) => `${arg.name}: ${written(arg.type)}`,
    );
    expect(given.join(', ')).toBe(args);
  });

  it('Query and Mutation hold what the SDL has, and nothing else', async () => {
    const names = async (name: string) =>
      (await graphql(query, { name })).json.data.__type.fields.map((field: Named) => field.name);
    expect(await names('Query')).toEqual(Object.keys(sdl.getQueryType()?.getFields() ?? {}));
    expect(await names('Mutation')).toEqual(Object.keys(sdl.getMutationType()?.getFields() ?? {}));
  });
});

describe('an operation', () => {
  it('reads with query, writes with mutation, and gets just the fields it selects', async () => {
    const created = await graphql(
      'mutation ($name: String!, $email: String!) { createUser(name: $name, email: $email) { id name } }',
      { name: 'Grace', email: 'grace@example.com' },
    );
    const { id, ...rest } = created.json.data.createUser;
    expect(rest).toEqual({ name: 'Grace' });
    const post = await graphql(
      'mutation ($id: ID!) { createPost(userId: $id, title: "Bugs", body: "") { id body } }',
      { id },
    );
    expect(post.json.data.createPost.body).toBe('');
    const added = await graphql(
      'mutation ($id: ID!) { addComment(postId: $id, body: "A moth!") { id } }',
      { id: post.json.data.createPost.id },
    );
    const comment = added.json.data.addComment.id;
    expect(comment).toMatch(/^[1-9][0-9]*$/);
    const { json } = await graphql(
      'query ($id: ID!) { user(id: $id) { email posts { title comments { id body } } } }',
      { id },
    );
    expect(json).toEqual({
      data: {
        user: {
          email: 'grace@example.com',
          posts: [{ title: 'Bugs', comments: [{ id: comment, body: 'A moth!' }] }],
        },
      },
    });
  });

  it('keeps to-dos', async () => {
    const { json } = await graphql('mutation { addTodo(title: "Sleep") { id title done } }');
    const { id } = json.data.addTodo;
    expect(json.data.addTodo).toEqual({ id, title: 'Sleep', done: false });
    const done = await graphql(
      'mutation ($id: ID!) { setTodoDone(id: $id, done: true) { done } }',
      { id },
    );
    expect(done.json).toEqual({ data: { setTodoDone: { done: true } } });
    const all = await graphql('{ todos { id title done } }');
    expect(all.json.data.todos).toContainEqual({ id, title: 'Sleep', done: true });
    const none = await graphql('mutation { setTodoDone(id: "999", done: true) { done } }');
    expect(none.json).toEqual({ data: { setTodoDone: null } });
  });

  it('sees the books of REST, and the same ones', async () => {
    const { json } = await api({
      method: 'POST',
      path: '/books',
      json: { title: 'Ubik', pages: 202 },
    });
    const { json: got } = await graphql(
      'query ($id: ID!) { book(id: $id) { id title pages } books { id } }',
      {
        id: json.id,
      },
    );
    expect(got.data.book).toEqual({ ...json, id: String(json.id) });
    expect(got.data.books.length).toBe((await api({ path: '/books' })).json.length);
    await api({ method: 'DELETE', path: `/books/${json.id}` });
    const gone = await graphql(`{ book(id: ${json.id}) { id } }`);
    expect(gone.json).toEqual({ data: { book: null } });
  });

  it('sees all books, however many', async () => {
    for (let i = 0; i < 230; i++) {
      await api({ method: 'POST', path: '/books', json: { title: `${i}`, pages: 1 } });
    }
    const { json } = await graphql('{ books { title } }');
    expect(json.data.books.length).toBe((await api({ path: '/books' })).json.length);
  });

  it.each(['999', 'abc', '01', '1e3', '-1', '', ' 1', '9007199254740993', '٣'])(
    'finds null under the id %j',
    async (id) => {
      const { json } = await graphql(
        'query ($id: ID!) { user(id: $id) { id } book(id: $id) { id } }',
        { id },
      );
      expect(json).toEqual({ data: { user: null, book: null } });
    },
  );

  it('is one of several, by its name', async () => {
    const query = 'query A { todos { id } } query B { __typename }';
    const send = (operationName: string | undefined) =>
      api({ method: 'POST', path: '/graphql', json: { query, operationName } });
    expect((await send('B')).json).toEqual({ data: { __typename: 'Query' } });
    expect((await send('C')).json.errors.length).toBe(1);
    expect((await send(undefined)).json.errors.length).toBe(1);
  });
});

describe('an error', () => {
  it('says "Cannot query field X on type Y"', async () => {
    const { json } = await graphql('{ users { age } }');
    expect(json.errors[0].message).toContain('Cannot query field "age" on type "User".');
    expect(json.errors[0].extensions).toEqual({ code: 'GRAPHQL_VALIDATION_FAILED' });
  });

  it('refuses a write sent with the query keyword, and writes nothing', async () => {
    const before = (await graphql('{ todos { id } }')).text;
    const { json } = await graphql('query { addTodo(title: "x") { id } }');
    expect(json.errors[0].message).toContain('Cannot query field "addTodo" on type "Query".');
    expect((await graphql('{ todos { id } }')).text).toBe(before);
  });

  it.each([
    ['a document cut short', 'GRAPHQL_PARSE_FAILED', '{ todos { id }'],
    ['a field without a selection', 'GRAPHQL_VALIDATION_FAILED', '{ todos }'],
    ['a subscription', 'GRAPHQL_VALIDATION_FAILED', 'subscription { todos { id } }'],
    ['a missing variable', 'BAD_USER_INPUT', 'query ($id: ID!) { book(id: $id) { id } }'],
    ['too many tokens', 'QUERY_TOO_COMPLEX', `{ ${'todos { id } '.repeat(300)} }`],
  ])('of the request is 400 where the client speaks the standard: %s', async (_, code, query) => {
    const { status, json } = await graphql(query, {}, standard);
    expect(status).toBe(400);
    expect(json.errors[0].extensions).toEqual({ code });
    expect(json.data).toBeUndefined();
    expect((await graphql(query)).status).toBe(200);
  });

  it.each([
    ['createUser(name: "", email: "a@example.com") { id }', 'BAD_USER_INPUT'],
    ['createUser(name: "x", email: "nobody") { id }', 'BAD_USER_INPUT'],
    ['addTodo(title: "\\u0000") { id }', 'BAD_USER_INPUT'],
    ['createPost(userId: "999", title: "x", body: "") { id }', 'NOT_FOUND'],
    ['createPost(userId: "x", title: "x", body: "") { id }', 'NOT_FOUND'],
    ['addComment(postId: "999", body: "x") { body }', 'NOT_FOUND'],
  ])('%s has the code %s', async (field, code) => {
    const { status, json } = await graphql(`mutation { ${field} }`, {}, standard);
    expect(status).toBe(200);
    expect(json.data).toBeNull();
    expect(json.errors[0].extensions).toEqual({ code });
    expect(json.errors[0].path.length).toBe(1);
  });

  it('has the code CONFLICT for the address of another user, by the database, one of many at once', async () => {
    const create = () =>
      graphql('mutation { createUser(name: "Twin", email: "twin@example.com") { id } }');
    const answers = await Promise.all(Array.from({ length: 10 }, create));
    const codes = answers.map(({ json }) => json.errors?.[0].extensions.code ?? 'created');
    expect(codes.sort()).toEqual([...Array(9).fill('CONFLICT'), 'created']);
    const { json } = await graphql('{ users { email } }');
    const twins = json.data.users.filter(
      ({ email }: { email: string }) => email === 'twin@example.com',
    );
    expect(twins.length).toBe(1);
  });

  it('uses up no id for a user whose address another has', async () => {
    const create = async (name: string) => {
      const email = `${name}@example.com`;
      const text = 'mutation ($email: String!) { createUser(name: "U", email: $email) { id } }';
      return (await graphql(text, { email })).json;
    };
    const { id } = (await create('before')).data.createUser;
    expect((await create('before')).errors[0].message).toBe('There is such a record already.');
    expect((await create('after')).data.createUser.id).toBe(String(Number(id) + 1));
  });

  it('never quotes more than a little of what the client sent', async () => {
    const { text } = await graphql('query ($id: ID!) { book(id: $id) { id } }', {
      id: ['x'.repeat(9000)],
    });
    expect(text.length).toBeLessThan(1000);
  });
});

describe('a variable with a default that is sent as null', () => {
  it('is the client’s mistake where null does not fit', async () => {
    const query = 'query ($a: ID = "1") { user(id: $a) { id } }';
    const before = log.length;
    for (let i = 0; i < 12; i++) {
      const { json } = await graphql(query, { a: null });
      expect(json.data).toEqual({ user: null });
      expect(json.errors[0].extensions).toEqual({ code: 'BAD_USER_INPUT' });
      expect(json.errors[0].message).toContain('"$a"');
    }
    expect(log.slice(before).filter((line) => line.includes('failed'))).toEqual([]);
  });
});

describe('a request in JSON', () => {
  it.each([
    'application/json',
    'application/json; charset="utf-8"',
    'application/json;',
    'application/json;x=1',
    'Application/JSON; a=b; charset=utf8',
  ])('may say so as %s', async (type) => {
    const headers = { 'content-type': type };
    const body = '{"query":"{ __typename }"}';
    const answer = await api({ method: 'POST', path: '/graphql', headers, body });
    expect([answer.status, answer.json]).toEqual([200, { data: { __typename: 'Query' } }]);
  });
});

describe('a request that is not a GraphQL request', () => {
  it.each(['foo=1', '[a]=1', '%5Ba%5D=1', 'query=%7B__typename%7D', 'a%26%5B=2', 'b', '=1', '?'])(
    'has a query parameter, which the contract does not name: ?%s',
    async (parameters) => {
      const path = `/graphql?${parameters}`;
      const json = { query: '{ __typename }' };
      const refused = await api({ method: 'POST', path, json });
      expect(refused.status).toBe(400);
      expect(refused.json.errors[0].extensions).toEqual({ code: 'BAD_REQUEST' });
      expect((await api({ method: 'POST', path: '/graphql?', json })).status).toBe(200);
    },
  );

  const headers = { 'content-type': 'application/json' };
  const post = (body: string, more: Record<string, string> = {}) =>
    api({ method: 'POST', path: '/graphql', body, headers: { ...headers, ...more } });
  const write = 'mutation { addTodo(title: "never") { id } }';

  it.each([
    ['an array of operations', JSON.stringify([{ query: write }])],
    ['no query', '{}'],
    ['a query that is not text', '{"query": 1}'],
    ['an empty query', '{"query": ""}'],
    ['a null query', '{"query": null}'],
    ['variables that are a list', JSON.stringify({ query: write, variables: [] })],
    ['variables that are text', JSON.stringify({ query: write, variables: '{}' })],
    ['a name that is a number', JSON.stringify({ query: write, operationName: 1 })],
    ['extensions that are text', JSON.stringify({ query: write, extensions: 'x' })],
    ['null', 'null'],
    ['text', '"{ todos { id } }"'],
    ['a bare operation', write],
    ['nothing', ''],
    ['bytes that are not UTF-8', '{"query": "\xff'],
  ])('%s is 400 and nothing is executed', async (_, body) => {
    const { status, json } = await post(body);
    expect(status).toBe(400);
    expect(json.errors[0].extensions).toEqual({ code: 'BAD_REQUEST' });
    expect((await graphql('{ todos { title } }')).text).not.toContain('never');
  });

  it.each([
    'text/plain',
    'application/graphql',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
  ])('the content type %s is 400 and nothing is executed', async (type) => {
    const { status, json } = await post(JSON.stringify({ query: write }), { 'content-type': type });
    expect(status).toBe(400);
    expect(json.errors[0].message).toContain('content-type');
    expect((await graphql('{ todos { title } }')).text).not.toContain('never');
  });

  it('a body over the limit is 413', async () => {
    const { status, json } = await post(
      JSON.stringify({ query: `${write}${' '.repeat(300_000)}` }),
    );
    expect(status).toBe(413);
    expect(json.errors[0].message).toContain('262144');
  });

  it('an answer that nobody can give is 406', async () => {
    const { status } = await graphql('{ todos { id } }', {}, { accept: 'text/html' });
    expect(status).toBe(406);
  });

  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])(
    '%s is 405 with Allow',
    async (method) => {
      const { status, headers: sent } = await api({ method, path: '/graphql' });
      expect(status).toBe(405);
      expect(sent.allow).toBe('POST');
    },
  );

  it.each(['/graphql/', '/GraphQL', '/graphql/users', '/graphql/x'])('%s is 404', async (path) => {
    expect((await api({ method: 'POST', path, json: { query: write } })).status).toBe(404);
  });
});

it('nothing of it was a failure of the server', () => {
  expect(log.filter((line) => line.includes('failed'))).toEqual([]);
});
