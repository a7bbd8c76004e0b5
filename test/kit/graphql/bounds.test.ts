// engines: sqlite, postgres
import { readFileSync } from 'node:fs';
import { makeExecutableSchema } from '@graphql-tools/schema';
import {
  type GraphQLArgument,
  GraphQLString,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  graphql,
  isCompositeType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { enforceBounds } from '../../../src/kit/graphql/bounds.ts';

const directive = `directive @bounds(minLength: Int! = 0, maxLength: Int!, format: TextFormat) on ARGUMENT_DEFINITION
  enum TextFormat { EMAIL }`;

const own = bounded(`${directive}
  type Query { id: ID }
  type Done { id: ID }
  type Mutation {
    sign(name: String! @bounds(minLength: 1, maxLength: 200), email: String! @bounds(maxLength: 254, format: EMAIL)): Done
    note(text: String! @bounds(minLength: 1, maxLength: 200)): Done
  }`);
const served = bounded(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));

type Bounded = ReturnType<typeof bounded>;
type Values = Readonly<Record<string, string>>;

/** A schema whose mutations only count how often they ran. */
function bounded(typeDefs: string) {
  let runs = 0;
  const bare = makeExecutableSchema({ typeDefs });
  const fields = Object.values(bare.getMutationType()?.getFields() ?? {});
  const run = () => {
    runs += 1;
    return {};
  };
  const Mutation = Object.fromEntries(fields.map(({ name }) => [name, run]));
  const schema = makeExecutableSchema({ typeDefs, resolvers: { Mutation } });
  enforceBounds(schema);
  return { schema, fields, runs: () => runs };
}

/** Sends a mutation, its texts as variables or as literals; says how often it ran, and errors. */
async function send(on: Bounded, name: string, texts: Values, as: 'variables' | 'literals') {
  const field = on.fields.find((each) => each.name === name);
  if (!field) throw new Error(`there is no ${name}`);
  const given = field.args.map((arg) => ({ ...arg, value: texts[arg.name] ?? sound(on, arg) }));
  const isLiteral = as === 'literals';
  const args = given.map((arg) =>
    isLiteral ? `${arg.name}: ${JSON.stringify(arg.value)}` : `${arg.name}: $${arg.name}`,
  );
  const head = isLiteral ? '' : `(${given.map((arg) => `$${arg.name}: ${arg.type}`)})`;
  const selection = isCompositeType(getNamedType(field.type)) ? ' { __typename }' : '';
  const before = on.runs();
  const { errors = [] } = await graphql({
    schema: on.schema,
    source: `mutation ${head} { ${name}(${args})${selection} }`,
    variableValues: isLiteral ? {} : Object.fromEntries(given.map((arg) => [arg.name, arg.value])),
  });
  const faults = errors.map(({ message, extensions }) => `${extensions.code}: ${message}`);
  return [on.runs() - before, ...faults];
}

function boundsOf({ schema }: Bounded, { astNode }: GraphQLArgument) {
  const bounds = schema.getDirective('bounds');
  return bounds && astNode && getDirectiveValues(bounds, astNode);
}

function sound(on: Bounded, arg: GraphQLArgument): unknown {
  if (getNamedType(arg.type).name === 'Boolean') return true;
  if (getNamedType(arg.type) !== GraphQLString) return 1;
  return boundsOf(on, arg)?.format === 'EMAIL' ? 'ada@example.com' : 'Text';
}

const texts = served.fields.flatMap((field) =>
  field.args
    .filter((arg) => getNullableType(arg.type) === GraphQLString)
    .map((arg) => ({ mutation: field.name, key: arg.name, bounds: boundsOf(served, arg) })),
);

const refused = (faults: string) => [0, `BAD_USER_INPUT: ${faults}`];
const badEmail = 'Argument "email" must be an e-mail address such as name@example.com.';
const badCharacters = 'Argument "text" must not contain U+0000 or lone surrogates.';

it.each(texts)('$mutation has bounds for $key', ({ bounds }) => {
  expect(bounds).toBeDefined();
});

describe.each(['variables', 'literals'] as const)('Arguments sent as %s', (as) => {
  it.each(texts.filter(({ bounds }) => bounds && !bounds.format))(
    'reach $mutation only with a $key within its bounds',
    async ({ mutation, key, bounds }) => {
      const [min, max] = [Number(bounds?.minLength), Number(bounds?.maxLength)];
      const range = min === 0 ? `at most ${max}` : `${min} to ${max}`;
      const wrong = refused(`Argument "${key}" must be ${range} characters long.`);
      for (const character of ['x', 'é', '😀', ' ', '\n']) {
        const sendLength = (length: number) =>
          send(served, mutation, { [key]: character.repeat(length) }, as);
        expect(await sendLength(min)).toEqual([1]);
        expect(await sendLength(max)).toEqual([1]);
        expect(await sendLength(max + 1)).toEqual(wrong);
        expect(await sendLength(2 * max + 1)).toEqual(wrong);
        if (min > 0) expect(await sendLength(min - 1)).toEqual(wrong);
      }
    },
  );

  it.each(texts.filter(({ bounds }) => bounds?.format === 'EMAIL'))(
    'reach $mutation only with an e-mail address as $key',
    async ({ mutation, key }) => {
      const fault = `Argument "${key}" must be an e-mail address such as name@example.com.`;
      expect(await send(served, mutation, { [key]: 'ada@example.com' }, as)).toEqual([1]);
      expect(await send(served, mutation, { [key]: 'ada' }, as)).toEqual(refused(fault));
    },
  );

  it.each([
    ['ada@example.com'],
    ['ada+lovelace@mail.example.co.uk'],
    ["o'hara@example.com"],
    ['Юлия@пример.рф'],
    [`${'x'.repeat(242)}@example.com`],
  ])('may be the e-mail address %s', async (email) => {
    expect(await send(own, 'sign', { email }, as)).toEqual([1]);
  });

  it.each([
    ...['', 'ada', '@', 'ada@', '@example.com', 'ada@example', 'ada@@example.com', 'a@b@c.de'],
    ...['ada@.com', 'ada@example.', 'ada@example..com', 'a da@example.com', 'ada@exam ple.com'],
    ...['ada@example.com\n', ' ada@example.com', '\u0001ada@example.com', 'a@a.'.repeat(60)],
  ])('may not be %j for an e-mail address', async (email) => {
    expect(await send(own, 'sign', { email }, as)).toEqual(refused(badEmail));
  });

  it('may not be an e-mail address of 255 characters', async () => {
    const email = `${'x'.repeat(243)}@example.com`;
    const fault = 'Argument "email" must be at most 254 characters long.';
    expect(await send(own, 'sign', { email }, as)).toEqual(refused(fault));
  });

  it('are refused for all their faults at once', async () => {
    const fault = `Argument "name" must be 1 to 200 characters long. ${badEmail}`;
    expect(await send(own, 'sign', { name: '', email: 'ada' }, as)).toEqual(refused(fault));
  });

  it('do not contain U+0000, but any other control character', async () => {
    expect(await send(own, 'note', { text: 'a\0b' }, as)).toEqual(refused(badCharacters));
    expect(await send(own, 'note', { text: '\t\u0001\u007f' }, as)).toEqual([1]);
  });
});

it.each(['\ud800', '\udc00', 'a\udc00\ud800b'])('A lone surrogate is refused: %j', async (text) => {
  expect(await send(own, 'note', { text }, 'variables')).toEqual(refused(badCharacters));
});

describe('The directive @bounds', () => {
  const schemaWith = (argument: string) =>
    makeExecutableSchema({ typeDefs: `${directive} type Query { echo(${argument}): String }` });

  it('leaves alone an optional argument that is absent or null', async () => {
    const schema = schemaWith('text: String @bounds(minLength: 1, maxLength: 2)');
    enforceBounds(schema);
    const rootValue = { echo: () => 'reached' };
    const result = await graphql({ schema, rootValue, source: '{ a: echo b: echo(text: null) }' });
    expect(result).toEqual({ data: { a: 'reached', b: 'reached' } });
  });

  it.each([
    ['n: Int @bounds(maxLength: 2)', 'wants a String.'],
    ['n: [Int] @bounds(maxLength: 2)', 'wants a String.'],
    ['n: String @bounds(minLength: 3, maxLength: 2)', 'wants 0 <= minLength <= maxLength.'],
    ['n: String @bounds(minLength: -1, maxLength: 2)', 'wants 0 <= minLength <= maxLength.'],
  ])('stops the start when it is used wrongly: %s', (argument, message) => {
    const schema = schemaWith(argument);
    expect(() => enforceBounds(schema)).toThrow(`@bounds on Query.echo(n:) ${message}`);
  });
});

describe('The directive @bounds on numbers, lists and input fields', () => {
  const wide = `directive @bounds(minLength: Int = 0, maxLength: Int, minimum: Float, maximum: Float, minItems: Int, maxItems: Int)
      on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
    input Line { text: String! @bounds(minLength: 1, maxLength: 3), count: Int @bounds(minimum: 1), lines: [Line!] @bounds(maxItems: 2), line: Line }
    input Other { line: Line }
    type Query { echo(
      n: Int @bounds(minimum: 0, maximum: 10), f: Float @bounds(maximum: 0.5),
      list: [Int!] @bounds(minItems: 1, maxItems: 2, maximum: 5), texts: [[String]] @bounds(maxLength: 2),
      line: Line, lines: [Line], other: Other
    ): String }`;

  it.each([
    ['n: 0', undefined],
    ['n: null, list: null, line: null', undefined],
    ['n: 11', 'Argument "n" must be 0 to 10.'],
    ['n: -1', 'Argument "n" must be 0 to 10.'],
    ['f: 0.5', undefined],
    ['f: 0.6', 'Argument "f" must be at most 0.5.'],
    ['list: []', 'Argument "list" must have 1 to 2 items.'],
    ['list: [1, 2, 3]', 'Argument "list" must have 1 to 2 items.'],
    ['list: 5', undefined],
    ['list: [5, 6]', 'Argument "list[1]" must be at most 5.'],
    ['texts: [["a", null], ["abc"]]', 'Argument "texts[1][0]" must be at most 2 characters long.'],
    ['line: { text: "a", line: { text: "b" } }', undefined],
    ['line: { text: "" }', 'Argument "line.text" must be 1 to 3 characters long.'],
    ['line: { text: "a", count: 0 }', 'Argument "line.count" must be at least 1.'],
    [
      'lines: [{ text: "a" }, { text: "abcd" }]',
      'Argument "lines[1].text" must be 1 to 3 characters long.',
    ],
    [
      'line: { text: "a", lines: [{ text: "a", line: { text: "\\u0000" } }] }',
      'Argument "line.lines[0].line.text" must not contain U+0000 or lone surrogates.',
    ],
    [
      'line: { text: "a", lines: [{ text: "a" }, { text: "b" }, { text: "c" }] }',
      'Argument "line.lines" must have at most 2 items.',
    ],
    [
      'other: { line: { text: "abcd" } }',
      'Argument "other.line.text" must be 1 to 3 characters long.',
    ],
  ])('judges %s', async (args, message) => {
    const schema = makeExecutableSchema({ typeDefs: wide });
    enforceBounds(schema);
    const rootValue = { echo: () => 'reached' };
    const { data, errors } = await graphql({ schema, rootValue, source: `{ echo(${args}) }` });
    expect(errors?.map((error) => error.message)).toEqual(message && [message]);
    expect(data).toEqual({ echo: message ? null : 'reached' });
  });

  it('says a few of very many faults', async () => {
    const schema = makeExecutableSchema({ typeDefs: wide });
    enforceBounds(schema);
    const lines = Array.from({ length: 1000 }, () => ({ text: '' }));
    const source = 'query ($lines: [Line]) { echo(lines: $lines) }';
    const { errors } = await graphql({ schema, source, variableValues: { lines } });
    expect(errors?.[0]?.message.match(/Argument/g)).toHaveLength(5);
  });

  it.each([
    ['n: Int @bounds(minimum: 2, maximum: 1)', 'wants minimum <= maximum.'],
    ['n: Int @bounds(maxItems: 1)', 'wants a list.'],
    ['n: [Int] @bounds(minItems: -1)', 'wants 0 <= minItems <= maxItems.'],
    ['n: String @bounds(maximum: 1)', 'wants an Int or a Float.'],
    ['n: Boolean @bounds(maxLength: 1)', 'wants a String.'],
  ])('stops the start when it is used wrongly: %s', (argument, message) => {
    const typeDefs = wide.replace('n: Int @bounds(minimum: 0, maximum: 10)', argument);
    const schema = makeExecutableSchema({ typeDefs });
    expect(() => enforceBounds(schema)).toThrow(`@bounds on Query.echo(n:) ${message}`);
  });

  it.each([
    'directive @bounds(max: Int) on ARGUMENT_DEFINITION type Query { echo(n: Int @bounds(max: 1)): String }',
    'directive @bounds on ARGUMENT_DEFINITION type Query { echo(n: Int @bounds): String }',
    'directive @bounds(maxLength: String) on ARGUMENT_DEFINITION type Query { echo(n: Int @bounds(maxLength: "1")): String }',
    'enum F { URL } directive @bounds(maxLength: Int, format: F) on ARGUMENT_DEFINITION type Query { echo(n: Int @bounds(maxLength: 1)): String }',
  ])('is not taken for an API’s own: %s', async (typeDefs) => {
    const schema = makeExecutableSchema({ typeDefs });
    enforceBounds(schema);
    const rootValue = { echo: () => 'reached' };
    expect(await graphql({ schema, rootValue, source: '{ echo(n: 5) }' })).toEqual({
      data: { echo: 'reached' },
    });
  });
});
