// engines: sqlite, postgres
import { readFileSync } from 'node:fs';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { graphql } from 'graphql';
import { describe, expect, it } from 'vitest';
import { enforceBounds } from '../../../src/kit/graphql/bounds.ts';

const typeDefs = readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8');

const mutations = {
  createUser: 'createUser(name: $name, email: $email) { __typename }',
  createPost: 'createPost(userId: 1, title: $title, body: $body) { __typename }',
  addComment: 'addComment(postId: 1, body: $body) { __typename }',
  addTodo: 'addTodo(title: $title) { __typename }',
};

type Mutation = keyof typeof mutations;
type Texts = Record<string, string>;

const sound: Texts = { name: 'Ada', email: 'ada@example.com', title: 'Title', body: 'Body' };

/** Sends a mutation, its texts as variables or as literals; says how often it ran, and errors. */
async function send(mutation: Mutation, texts: Texts, as: 'variables' | 'literals') {
  let runs = 0;
  const run = () => {
    runs += 1;
    return {};
  };
  const Mutation = { createUser: run, createPost: run, addComment: run, addTodo: run };
  const schema = makeExecutableSchema({ typeDefs, resolvers: { Mutation } });
  enforceBounds(schema);
  const field = mutations[mutation];
  const used = Object.entries({ ...sound, ...texts }).filter(([key]) => field.includes(`$${key}`));
  const inlined = field.replace(/\$(\w+)/g, (_, key) =>
    JSON.stringify({ ...sound, ...texts }[key]),
  );
  const { errors = [] } =
    as === 'literals'
      ? await graphql({ schema, source: `mutation { ${inlined} }` })
      : await graphql({
          schema,
          source: `mutation (${used.map(([key]) => `$${key}: String!`)}) { ${field} }`,
          variableValues: Object.fromEntries(used),
        });
  return [runs, ...errors.map(({ message, extensions }) => `${extensions.code}: ${message}`)];
}

const refused = (faults: string) => [0, `BAD_USER_INPUT: ${faults}`];
const badEmail = 'Argument "email" must be an e-mail address such as name@example.com.';
const badCharacters = 'Argument "title" must not contain U+0000 or lone surrogates.';

describe.each(['variables', 'literals'] as const)('Arguments sent as %s', (as) => {
  it.each([
    ['createUser', 'name', '1 to 200', 1, 200],
    ['createPost', 'title', '1 to 200', 1, 200],
    ['createPost', 'body', 'at most 10000', 0, 10_000],
    ['addComment', 'body', '1 to 10000', 1, 10_000],
    ['addTodo', 'title', '1 to 200', 1, 200],
  ] as const)(
    'reach %s only with a %s of %s characters',
    async (mutation, key, bounds, min, max) => {
      const wrong = refused(`Argument "${key}" must be ${bounds} characters long.`);
      for (const character of ['x', 'é', '😀', ' ', '\n']) {
        const sendLength = (length: number) =>
          send(mutation, { [key]: character.repeat(length) }, as);
        expect(await sendLength(min)).toEqual([1]);
        expect(await sendLength(max)).toEqual([1]);
        expect(await sendLength(max + 1)).toEqual(wrong);
        expect(await sendLength(2 * max + 1)).toEqual(wrong);
        if (min > 0) expect(await sendLength(min - 1)).toEqual(wrong);
      }
    },
  );

  it.each([
    ['ada@example.com'],
    ['ada+lovelace@mail.example.co.uk'],
    ["o'hara@example.com"],
    ['Юлия@пример.рф'],
    [`${'x'.repeat(242)}@example.com`],
  ])('reach createUser with the e-mail address %s', async (email) => {
    expect(await send('createUser', { email }, as)).toEqual([1]);
  });

  it.each([
    ...['', 'ada', '@', 'ada@', '@example.com', 'ada@example', 'ada@@example.com', 'a@b@c.de'],
    ...['ada@.com', 'ada@example.', 'ada@example..com', 'a da@example.com', 'ada@exam ple.com'],
    ...['ada@example.com\n', ' ada@example.com', '\u0001ada@example.com', 'a@a.'.repeat(60)],
  ])('do not reach createUser with the e-mail address %j', async (email) => {
    expect(await send('createUser', { email }, as)).toEqual(refused(badEmail));
  });

  it('do not reach createUser with an e-mail address of 255 characters', async () => {
    const email = `${'x'.repeat(243)}@example.com`;
    const fault = 'Argument "email" must be at most 254 characters long.';
    expect(await send('createUser', { email }, as)).toEqual(refused(fault));
  });

  it('are refused for all their faults at once', async () => {
    const fault = `Argument "name" must be 1 to 200 characters long. ${badEmail}`;
    expect(await send('createUser', { name: '', email: 'ada' }, as)).toEqual(refused(fault));
  });

  it('do not contain U+0000, but any other control character', async () => {
    expect(await send('addTodo', { title: 'a\0b' }, as)).toEqual(refused(badCharacters));
    expect(await send('addTodo', { title: '\t\u0001\u007f' }, as)).toEqual([1]);
  });
});

it.each(['\ud800', '\udc00', 'a\udc00\ud800b'])(
  'A lone surrogate is refused: %j',
  async (title) => {
    expect(await send('addTodo', { title }, 'variables')).toEqual(refused(badCharacters));
  },
);

describe('The directive @bounds', () => {
  const schemaWith = (argument: string) =>
    makeExecutableSchema({
      typeDefs: `directive @bounds(minLength: Int! = 0, maxLength: Int!) on ARGUMENT_DEFINITION
        type Query { echo(${argument}): String }`,
    });

  it('leaves alone an optional argument that is absent or null', async () => {
    const schema = schemaWith('text: String @bounds(minLength: 1, maxLength: 2)');
    enforceBounds(schema);
    const rootValue = { echo: () => 'reached' };
    const result = await graphql({ schema, rootValue, source: '{ a: echo b: echo(text: null) }' });
    expect(result).toEqual({ data: { a: 'reached', b: 'reached' } });
  });

  it.each([
    ['n: Int @bounds(maxLength: 2)', 'wants a String.'],
    ['n: [String] @bounds(maxLength: 2)', 'wants a String.'],
    ['n: String @bounds(minLength: 3, maxLength: 2)', 'wants 0 <= minLength <= maxLength.'],
    ['n: String @bounds(minLength: -1, maxLength: 2)', 'wants 0 <= minLength <= maxLength.'],
  ])('stops the start when it is used wrongly: %s', (argument, message) => {
    const schema = schemaWith(argument);
    expect(() => enforceBounds(schema)).toThrow(`@bounds on Query.echo(n:) ${message}`);
  });
});
