// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyFeature, featureResolvers, scalars } from '../../support/every-feature.ts';
import { serveGraphql } from '../../support/graphql-server.ts';

let server: Awaited<ReturnType<typeof serveGraphql>>;
beforeAll(async () => {
  server = await serveGraphql(everyFeature, featureResolvers(), { scalars });
});
afterAll(() => server.stop());

/** As often as it takes for an operation to be compiled, and a little more. */
const OFTEN = 12;

/** The answer as text, because JSON.parse would round its numbers. */
async function send(body: string): Promise<string> {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return response.text();
}

const ask = (query: string, variables = '{}') =>
  send(`{"query":${JSON.stringify(query)},"variables":${variables}}`);

describe('a schema with every feature', () => {
  it.each([
    ['a renamed root', '{ __typename }', '{"__typename":"Reads"}'],
    ['a type that is extended', '{ plain }', '{"plain":"TWO"}'],
    [
      'an interface',
      '{ vessel(id: 8) { __typename name(upper: true) ... on Raft { planks } } }',
      '{"vessel":{"__typename":"Raft","name":"KON-TIKI","planks":9}}',
    ],
    ['an interface of an interface', '{ node(id: 1) { id } }', '{"node":{"id":"8"}}'],
    [
      'a union',
      '{ floating { ... on Ship { name } ... on Vessel { id } ... on Buoy { light } } }',
      '{"floating":[{"name":"Vasa","id":"7"},null,{"id":"8"},{"light":true}]}',
    ],
    ['an enum with internal values', '{ ships { shade } }', '{"ships":[{"shade":"PALE"}]}'],
    [
      'a custom scalar',
      '{ ships { launched } }',
      '{"ships":[{"launched":"1628-08-10T00:00:00.000Z"}]}',
    ],
    [
      'a large number',
      '{ ships { tonnage log } }',
      '{"ships":[{"tonnage":12345678901234567890,"log":{"pages":[1,{"last":9007199254740993}]}}]}',
    ],
    ['a default', '{ matrix }', '{"matrix":"{\\"rows\\":[[1],[2,3]]}"}'],
    [
      'the defaults of input fields',
      '{ echo(filter: {}) }',
      '{"echo":"{\\"filter\\":{\\"text\\":\\"any\\",\\"shades\\":[1,2],\\"range\\":{\\"from\\":2,\\"to\\":9},\\"tonnage\\":\\"9007199254740993n\\"},\\"shade\\":1}"}',
    ],
    ['@skip and @include', '{ plain @skip(if: true) p: plain @include(if: true) }', '{"p":"TWO"}'],
    ['a directive of its own', '{ plain @mark(level: 2) @mark }', '{"plain":"TWO"}'],
    [
      'a Relay connection',
      '{ ships { crew(first: 5) { edges { cursor node { name } } pageInfo { endCursor } } } }',
      '{"ships":[{"crew":{"edges":[{"cursor":"a","node":{"name":"Ann"}}],"pageInfo":{"endCursor":"{\\"first\\":5}"}}}]}',
    ],
    [
      '@specifiedBy',
      '{ __type(name: "BigInt") { specifiedByURL description } }',
      '{"__type":{"specifiedByURL":"https://example.com/big-int","description":"Any whole number."}}',
    ],
    ['@oneOf', '{ __type(name: "Choice") { isOneOf } }', '{"__type":{"isOneOf":true}}'],
    [
      'a description',
      '{ __schema { description } }',
      '{"__schema":{"description":"Ships and their crews, with every feature of the SDL."}}',
    ],
  ])('serves %s, compiled or not', async (_, query, data) => {
    for (let i = 0; i < OFTEN; i++) expect(await ask(query)).toBe(`{"data":${data}}`);
  });

  it.each([
    ['{ id: "a", name: "b" }', /exactly one field/],
    ['{}', /exactly one field/],
    ['{ id: null }', /must be non-null/],
    ['{ nope: 1 }', /unknown field/],
  ])('refuses the choice %s', async (choice, message) => {
    expect(await ask(`{ echo(choice: ${choice}) }`)).toMatch(message);
  });

  it('counts the deprecated parts that documents and variables use', async () => {
    await ask('{ old(a: 1) }');
    await ask('query ($f: Filter) { echo(filter: $f, shade: LIGHT) }', '{"f":{"all":[{"old":1}]}}');
    await ask('{ echo(filter: { nested: { old: 2, shades: [PALE] } }) }');
    await ask('query ($s: Shade) { echo(shade: $s) }', '{"s":"LIGHT"}');
    expect(Object.fromEntries(server.deprecatedUse)).toEqual({
      'Reads.old': 1,
      'Reads.old(a:)': 1,
      'Shade.LIGHT': 2,
      'Filter.old': 2,
    });
  });
});

describe('a whole number beyond 2^53', () => {
  const big = '9007199254740993';
  const data = (text: string) => `{"data":{"back":${text}}}`;

  it.each([
    ['in a variable', 'query ($v: BigInt) { back(big: $v) }', `{"v":${big}}`, big],
    ['in a document', `{ back(big: ${big}) }`, '{}', big],
    [
      'within any value',
      'query ($v: Anything) { back(any: $v) }',
      `{"v":{"a":[${big}]}}`,
      `{"a":[${big}]}`,
    ],
    ['within any literal', `{ back(any: { a: [${big}, 1] }) }`, '{}', `{"a":[${big},1]}`],
    ['that is negative', 'query ($v: BigInt) { back(big: $v) }', `{"v":-${big}}`, `-${big}`],
    [
      'of 300 digits',
      'query ($v: BigInt) { back(big: $v) }',
      `{"v":1${'0'.repeat(300)}}`,
      `1${'0'.repeat(300)}`,
    ],
  ])('%s reaches a scalar and the client as it is', async (_, query, variables, text) => {
    for (let i = 0; i < OFTEN; i++) expect(await ask(query, variables)).toBe(data(text));
  });

  it('is an ID as it is written', async () => {
    expect(await ask('query ($v: ID) { echo(id: $v) }', `{"v":${big}}`)).toContain(
      `\\"id\\":\\"${big}\\"`,
    );
  });

  it('is rounded for a Float, as everywhere', async () => {
    const text = await ask('query ($v: Float) { echo(ratio: $v) }', `{"v":${big}}`);
    expect(text).toContain('\\"ratio\\":9007199254740992');
  });

  it.each([
    ['a fraction that is too long', '0.12345678901234567890123'],
    ['a number that is too large', '1e400'],
    ['a number of too many digits', '9'.repeat(1001)],
    ['one deep inside', `{"a":[{"b":0.12345678901234567890123}]}`],
  ])('is refused where it cannot be kept: %s', async (_, value) => {
    const text = await ask('query ($v: Anything) { back(any: $v) }', `{"v":${value}}`);
    const message = 'Variable \\"$v\\" has a number that cannot be kept as it is written.';
    expect(text).toContain(message);
    const filter = await ask(
      'query ($f: Filter) { echo(filter: $f) }',
      `{"f":{"all":[{"tonnage":${value}}]}}`,
    );
    expect(filter).toContain('cannot be kept as it is written');
  });

  it('of very many digits is refused in a document, too', async () => {
    const text = await ask(`{ back(big: ${'9'.repeat(1001)}) }`);
    expect(text).toContain('A whole number has at most 1000 digits.');
  });

  it('is refused by a scalar that takes no such number', async () => {
    expect(await ask('query ($v: BigInt) { back(big: $v) }', '{"v":1.5}')).toContain(
      'no whole number',
    );
  });
});

describe('hostile input', () => {
  it('that nests deep is refused before it is coerced', async () => {
    const nested = (levels: number) =>
      `{"f":${'{"nested":'.repeat(levels)}{}${'}'.repeat(levels)}}`;
    const query = 'query ($f: Filter) { echo(filter: $f) }';
    expect(await ask(query, nested(20_000))).toContain('must not nest more than 100 levels deep');
    expect(await ask(query, nested(90))).toContain('"data"');
    const lists = `{"f":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    expect(await ask(query, lists)).toContain('must not nest more than 100 levels deep');
  });

  it.each(['__proto__', 'constructor', 'toString'])('may not name a field %s', async (name) => {
    const query = 'query ($f: Filter) { echo(filter: $f) }';
    expect(await ask(query, `{"f":{"${name}":{"text":"x"}}}`)).toMatch(/invalid value/);
    const any = await ask('query ($v: Anything) { back(any: $v) }', `{"v":{"${name}":1}}`);
    expect(any).toBe(`{"data":{"back":{"${name}":1}}}`);
    expect(Object.keys({})).toEqual([]);
  });

  it('of many choices takes time in proportion', async () => {
    const all = Array.from({ length: 5000 }, () => '{"text":"x"}').join();
    const text = await ask('query ($f: Filter) { echo(filter: $f) }', `{"f":{"all":[${all}]}}`);
    expect(text).toContain('"data"');
  });

  it.each([
    'null',
    '[]',
    '"text"',
    '1',
    '{}',
    '{"query":1}',
    '{"query":"{ plain }","variables":[]}',
  ])('is no GraphQL request without a REST contract either: %s', async (body) => {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'BAD_REQUEST' } }],
    });
  });

  it('may be an enum of thousands of values', async () => {
    const values = Array.from({ length: 20_000 }, (_, i) => `V${i}`);
    const sdl = `enum E { ${values.join(' ')} } type Query { e(e: E): E }`;
    const large = await serveGraphql(sdl, {
      Query: { e: (_: unknown, { e }: { e: string }) => e },
    });
    expect((await large.graphql('{ e(e: V19999) }')).json).toEqual({ data: { e: 'V19999' } });
    expect((await large.graphql('{ e(e: V1999x) }')).json.errors[0].message).toMatch(
      /does not exist/,
    );
    await large.stop();
  });
});

describe('an API without a REST contract', () => {
  it('answers other methods with 405', async () => {
    const response = await fetch(`${server.url}/graphql`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('has docs of its schema', async () => {
    const [landing, page] = await Promise.all(
      ['/docs', '/docs/schema'].map(async (path) => (await fetch(`${server.url}${path}`)).text()),
    );
    expect(landing).not.toContain('/docs/rest');
    for (const part of [
      'union',
      'interface',
      'Choice',
      'Use PALE',
      'Use range',
      'BigInt',
      'Specified by',
      'Feed',
    ]) {
      expect(page).toContain(part);
    }
  });
});
