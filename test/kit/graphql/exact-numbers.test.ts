import { GraphQLScalarType, Kind } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writableNumbers } from '../../../src/kit/graphql/exact-numbers.ts';
import { serveGraphql } from '../../support/graphql-server.ts';

/** A value with the types of its numbers, so that bigints can be told apart. */
const seen = (value: unknown) =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each));
const echo = (_: unknown, args: unknown) => seen(args);

class Money {
  readonly amount = 5n;
  toJSON() {
    return `${this.amount} coins`;
  }
}
const bare: object = Object.assign(Object.create(null), { n: 7n });
const written = {
  ...{ list: [1, 2n, [3n]], plain: [1, { a: 'b' }], none: null, text: 'x', bare },
  ...{ money: new Money(), deep: { of: { n: -9007199254740993n } } },
};

const sdl = `
  scalar Any scalar Text scalar Literal scalar Small scalar Strict
  input Box { any: Any id: ID ids: [ID] grid: [[ID]] float: Float box: Box boxes: [Box!] }
  type Query {
    any(v: Any, w: Any): String! anys(v: [Any]): String! box(v: Box, w: Any): String!
    id(v: ID): String! ids(v: [ID!]): String! grid(v: [[ID]]): String!
    float(v: Float): String! int(v: Int): String! string(v: String): String!
    text(v: Text): String! literal(v: Literal): String! small(v: Small): String! strict(v: Strict): String!
    written: Any none: Any
  }`;
const fields = ['any', 'anys', 'box', 'id', 'ids', 'grid', 'float', 'int', 'string', 'text'];
const resolvers = {
  Query: {
    ...Object.fromEntries([...fields, 'literal', 'small', 'strict'].map((name) => [name, echo])),
    ...{ written: () => written, none: () => null },
  },
};
const refuse = (what: string): never => {
  throw new TypeError(`Strict takes no ${what}.`);
};
const scalars = {
  Any: new GraphQLScalarType({ name: 'Any' }),
  // Reads the text of a document itself.
  Text: new GraphQLScalarType({
    name: 'Text',
    parseValue: (value) => value,
    parseLiteral: (node) => (node.kind === Kind.INT ? `text ${node.value}` : 'no number'),
  }),
  Literal: new GraphQLScalarType({
    name: 'Literal',
    coerceInputValue: (value) => value,
    coerceInputLiteral: (node) => (node.kind === Kind.INT ? `literal ${node.value}` : null),
  }),
  Strict: new GraphQLScalarType({
    name: 'Strict',
    parseValue: (value) => (typeof value === 'number' ? refuse('numbers') : value),
    parseLiteral: () => refuse('literals'),
  }),
  Small: new GraphQLScalarType({
    name: 'Small',
    coerceInputValue(value) {
      if (typeof value === 'number' && value < 100) return value;
      throw new TypeError(`Small cannot be a ${typeof value}.`);
    },
  }),
};

let server: Awaited<ReturnType<typeof serveGraphql>>;
beforeAll(async () => {
  server = await serveGraphql(sdl, resolvers, { scalars, env: { GRAPHQL_GET: 'on' } });
});
afterAll(() => server.stop());

/** Sends variables as the text that they are. */
async function ask(query: string, variables = '{}'): Promise<string> {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"query":${JSON.stringify(query)},"variables":${variables}}`,
  });
  return response.text();
}

const data = (field: string, text: string) => JSON.stringify({ data: { [field]: text } });
const big = '9007199254740993';
const long = '0.12345678901234567890123';
const lost = (name: string) =>
  JSON.stringify(`Variable "$${name}" has a number that cannot be kept as it is written.`);

describe('A number of a variable', () => {
  it.each([
    ['any', 'Any', '900719925474099', '900719925474099'],
    ['any', 'Any', '9007199254740991', '9007199254740991'],
    ['any', 'Any', '9007199254740992', '"9007199254740992n"'],
    ['any', 'Any', '-9007199254740992', '"-9007199254740992n"'],
    ['any', 'Any', '9'.repeat(1000), `"${'9'.repeat(1000)}n"`],
    ['any', 'Any', '1e3', '1000'],
    ['any', 'Any', '1e21', '1e+21'],
    ['any', 'Any', '1.5E3', '1500'],
    ['any', 'Any', '0.1234567890123456', '0.1234567890123456'],
    ['any', 'Any', `[1,${big},{"a":[${big}]}]`, `[1,"${big}n",{"a":["${big}n"]}]`],
    [
      'any',
      'Any',
      `{"a":${big},"b":${big},"c":null,"d":"${big}"}`,
      `{"a":"${big}n","b":"${big}n","c":null,"d":"${big}"}`,
    ],
    ['anys', '[Any]', `[${big},null,[${big}]]`, `["${big}n",null,["${big}n"]]`],
    ['anys', '[Any]', big, `["${big}n"]`],
    ['id', 'ID', big, `"${big}"`],
    ['id', 'ID!', big, `"${big}"`],
    ['ids', '[ID!]', `[${big},1]`, `["${big}","1"]`],
    ['ids', '[ID!]', big, `["${big}"]`],
    ['grid', '[[ID]]', `[[${big}],null,[null,2]]`, `[["${big}"],null,[null,"2"]]`],
    ['grid', '[[ID]]', big, `[["${big}"]]`],
    [
      'box',
      'Box',
      `{"id":${big},"any":{"a":${big}},"ids":[${big}]}`,
      `{"any":{"a":"${big}n"},"id":"${big}","ids":["${big}"]}`,
    ],
    [
      'box',
      'Box',
      `{"box":{"boxes":[{"id":${big}},{"grid":[[${big}]]}]}}`,
      `{"box":{"boxes":[{"id":"${big}"},{"grid":[["${big}"]]}]}}`,
    ],
    ['box', 'Box', `{"float":${big},"box":null}`, '{"float":9007199254740992,"box":null}'],
    [
      'box',
      'Box',
      `{"float":${long},"boxes":{"id":${big}}}`,
      `{"float":0.12345678901234568,"boxes":[{"id":"${big}"}]}`,
    ],
    ['float', 'Float', big, '9007199254740992'],
    ['float', 'Float', long, '0.12345678901234568'],
  ])('%s: %s of %s reaches its resolver exactly', async (field, type, value, expected) => {
    const query = `query ($v: ${type}) { ${field}(v: $v) }`;
    expect(await ask(query, `{"v":${value}}`)).toBe(data(field, `{"v":${expected}}`));
  });

  it.each([
    ['any', 'Any', long],
    ['any', 'Any', '1e400'],
    ['any', 'Any', '-1e400'],
    ['any', 'Any', '12345678901234567890e0'],
    ['any', 'Any', '9'.repeat(1001)],
    ['any', 'Any', `{"a":[1,{"b":${long}}]}`],
    ['anys', '[Any]', `[1,${long}]`],
    ['anys', '[Any]', long],
    ['box', 'Box', `{"any":${long}}`],
    ['box', 'Box', `{"boxes":[{"id":1},{"box":{"any":[${long}]}}]}`],
  ])('%s: %s of %s is refused where it cannot be kept', async (field, type, value) => {
    const text = await ask(`query ($v: ${type}) { ${field}(v: $v) }`, `{"v":${value}}`);
    expect(text).toContain(lost('v'));
    expect(text).toContain('"code":"BAD_USER_INPUT"');
  });

  it('is looked at where its variable is declared, and the first that is lost is named', async () => {
    const query = 'query ($v: Any, $w: Any) { any(v: $v, w: $w) }';
    expect(await ask(query, `{"w":${long}}`)).toContain(lost('w'));
    expect(await ask(query, `{"v":${long},"w":${long}}`)).toContain(lost('v'));
    expect(await ask(query, `{"w":${big},"x":${long}}`)).toBe(data('any', `{"w":"${big}n"}`));
    expect(await ask(query, '{"w":1e3}')).toBe(data('any', '{"w":1000}'));
    expect(await ask('{ any(v: 1) }', `{"v":${long}}`)).toBe(data('any', '{"v":1}'));
    expect(await ask('{ any(v: 1) }', `null, "extensions": {"v":${long}}`)).toContain('"data"');
    const both = 'query ($v: Box, $w: Any) { box(v: $v, w: $w) }';
    const kept = `{"v":{"id":"${big}"},"w":"${big}n"}`;
    expect(await ask(both, `{"v":{"id":${big}},"w":${big}}`)).toBe(data('box', kept));
  });

  it.each([
    ['int', 'Int', big, /Int cannot represent/],
    ['string', 'String', big, /String cannot represent/],
    ['id', 'ID', long, /ID cannot represent/],
    ['small', 'Small', big, /Small cannot be a bigint/],
  ])('%s: %s of %s is for its type to refuse', async (field, type, value, message) => {
    const text = await ask(`query ($v: ${type}) { ${field}(v: $v) }`, `{"v":${value}}`);
    expect(text).toMatch(message);
  });

  it('is exact as deep as variables may nest, by POST and by GET', async () => {
    const nested = (levels: number) => `{"v":${'['.repeat(levels)}${big}${']'.repeat(levels)}}`;
    const query = 'query ($v: Any) { any(v: $v) }';
    const get = async (variables: string) => {
      const parameters = new URLSearchParams({ query, variables });
      return (await fetch(`${server.url}/graphql?${parameters}`)).text();
    };
    for (const levels of [1, 98, 99, 100]) {
      const expected = data('any', nested(levels).replace(big, `"${big}n"`));
      expect(await ask(query, nested(levels))).toBe(expected);
      expect(await get(nested(levels))).toBe(expected);
    }
    const beside = new URLSearchParams({ query, variables: nested(1), extensions: nested(2) });
    const both = await fetch(`${server.url}/graphql?${beside}`);
    expect(await both.text()).toBe(data('any', `{"v":["${big}n"]}`));
    const refused = '/body/variables must not nest more than 100 levels deep';
    expect(await ask(query, nested(101))).toContain(refused);
    expect(await get(nested(101))).toContain(refused);
  });
});

describe('A number in a document', () => {
  it.each([
    ['any', '9007199254740991', '9007199254740991'],
    ['any', '9007199254740992', '"9007199254740992n"'],
    ['any', '9'.repeat(1000), `"${'9'.repeat(1000)}n"`],
    ['any', '1.5', '1.5'],
    ['any', '"1"', '"1"'],
    ['any', `[${big}, 1, "a", null, true, RED, 1.5]`, `["${big}n",1,"a",null,true,"RED",1.5]`],
    ['any', `{ a: [1, ${big}], b: { c: -${big} } }`, `{"a":[1,"${big}n"],"b":{"c":"-${big}n"}}`],
    ['any', '{ a: [1, 2], b: { c: 3 } }', '{"a":[1,2],"b":{"c":3}}'],
    ['anys', `[1, ${big}]`, `[1,"${big}n"]`],
    ['box', `{ any: ${big}, id: ${big} }`, `{"any":"${big}n","id":"${big}"}`],
    ['text', big, `"text ${big}"`],
    ['text', '1', '"text 1"'],
    ['text', 'true', '"no number"'],
    ['literal', big, `"literal ${big}"`],
    ['small', '99', '99'],
  ])('%s: %s reaches its resolver exactly', async (field, value, expected) => {
    expect(await ask(`{ ${field}(v: ${value}) }`)).toBe(data(field, `{"v":${expected}}`));
  });

  it('is exact beside variables', async () => {
    const query = `query ($w: Any) { any(v: { a: $w, b: [$w, ${big}] }) }`;
    expect(await ask(query, '{"w":[1]}')).toBe(data('any', `{"v":{"a":[1],"b":[[1],"${big}n"]}}`));
  });

  it('is refused by its type, and where it has too many digits', async () => {
    expect(await ask(`{ small(v: ${big}) }`)).toMatch(/Small cannot be a bigint/);
    expect(await ask(`{ strict(v: ${big}) }`)).toMatch(/Strict takes no literals/);
    expect(await ask(`{ any(v: ${'9'.repeat(1001)}) }`)).toMatch(/at most 1000 digits/);
    expect(await ask(`{ any(v: [1, { a: ${'9'.repeat(1001)} }]) }`)).toMatch(/at most 1000 digits/);
  });
});

describe('A number of an answer', () => {
  it('is written with all its digits, beside all else as it is', async () => {
    expect(await ask('{ written }')).toBe(
      `{"data":{"written":{"list":[1,2,[3]],"plain":[1,{"a":"b"}],"none":null,"text":"x","bare":{"n":7},"money":"5 coins","deep":{"of":{"n":-${big}}}}}}`,
    );
    expect(await ask('{ none }')).toBe('{"data":{"none":null}}');
  });

  it('changes only the objects that it is in', () => {
    const plain = { a: [1, { b: 'c' }], d: null };
    expect(writableNumbers(plain)).toBe(plain);
    const mixed = { plain, big: 1n, list: [plain, 2n] };
    const made = Object(writableNumbers(mixed));
    expect(made).not.toBe(mixed);
    expect([made.plain, made.list[0]]).toEqual([plain, plain]);
    expect(made.plain).toBe(plain);
    expect(mixed.big).toBe(1n);
  });
});

it('A body that nests too deep for its numbers to be looked up is refused', async () => {
  const value = `${'['.repeat(20_000)}${big}${']'.repeat(20_000)}`;
  const plain = await serveGraphql(
    'scalar Big type Query { a(v: Int): Int big: Big }',
    { Query: { a: () => 1, big: () => 2n ** 60n } },
    { scalars: { Big: new GraphQLScalarType({ name: 'Big' }) } },
  );
  const send = async (body: string) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${plain.url}/graphql`, { method: 'POST', headers, body })).text();
  };
  const body = `{"query":"query ($v: Int) { a(v: $v) }","variables":{"v":${value}}}`;
  expect(await send(body)).toContain('Int cannot represent non-integer value');
  expect(plain.failures).toEqual([]);
  expect(await send('{"query":"{ big }"}')).toBe('{"data":{"big":1152921504606846976}}');
  await plain.stop();
});
