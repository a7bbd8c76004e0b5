// engines: sqlite, postgres
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { useServer } from '../support/api-server.ts';
import type { ApiResponse } from '../support/client.ts';
import { collections, samples } from '../support/collections.ts';

const { api, log } = useServer({}, collections);
const headers = { 'content-type': 'application/json' };

const deep = (open: string, close: string) => open.repeat(50_000) + close.repeat(50_000);

/** Values of a text field that no client in good faith sends, as they stand in the JSON. */
const values: [string, string | Buffer][] = [
  ['U+0000', '"a\\u0000b"'],
  ['a lone high surrogate', '"\\ud800"'],
  ['a lone low surrogate', '"a\\udc00b"'],
  ['surrogates in the wrong order', '"\\udc00\\ud800"'],
  ['a byte that is not UTF-8', latin1('"\xff"')],
  ['an overlong encoding', latin1('"\xc0\xaf"')],
  ['a surrogate in UTF-8', latin1('"\xed\xa0\x80"')],
  ['a character cut short', latin1('"\xe2\x82"')],
  ['a raw control character', '"\n"'],
  ['lists 50,000 deep', deep('[', ']')],
  ['a number beyond all measure', '1e999'],
];

/** What comes beside the fields of a valid record. */
const members: [string, string][] = [
  ['__proto__', '"__proto__":{"done":true,"pages":1}'],
  ['constructor', '"constructor":{"prototype":{}}'],
  ['a property without a name', '"":1'],
  ['90 unknown properties', Array.from({ length: 90 }, (_, i) => `"${i}":1`).join()],
  ['20,000 unknown properties', Array.from({ length: 20_000 }, (_, i) => `"${i}":1`).join()],
  ['an unknown property of 200,000 characters', `"${'k'.repeat(200_000)}":1`],
];

/** Whole bodies, each with the status it gets. */
const bodies: [string, number, string | Buffer, object?][] = [
  ['UTF-16', 400, Buffer.from('{"title":"x","pages":1}', 'utf16le')],
  ['lists 50,000 deep', 400, deep('[', ']')],
  ['objects 40,000 deep', 400, `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`],
  ['a body one byte too large', 413, `"${'x'.repeat(262_143)}"`],
  ['a body of 8 MB', 413, Buffer.alloc(8_000_000, 32)],
  [
    'a body of 8 MB in chunks',
    413,
    Buffer.alloc(8_000_000, 32),
    { 'transfer-encoding': 'chunked' },
  ],
  ['an empty body in chunks', 400, '', { 'transfer-encoding': 'chunked' }],
];

/** Headers that make a valid body one that cannot be taken as it is. */
const beside: [string, Record<string, string | string[]>][] = [
  ['a gzip bomb', { 'content-encoding': 'gzip' }],
  ['an encoding that nobody knows', { 'content-encoding': 'x' }],
  ['UTF-16 by charset', { 'content-type': 'application/json; charset=utf-16' }],
  ['a list of content types', { 'content-type': 'application/json, text/plain' }],
  ['two content types', { 'content-type': ['application/json', 'text/plain'] }],
  ['a transfer coding', { 'transfer-encoding': 'gzip, chunked' }],
];

describe.each(collections)('/%s', (name) => {
  const path = `/${name}`;
  const { text, input } = samples[name];
  const valid = JSON.stringify(input);

  /** Refused on POST and PUT alike, in few words, and nothing is stored. */
  async function refused(
    status: number,
    body: string | Buffer,
    more: object = {},
  ): Promise<ApiResponse> {
    const before = (await api({ path })).text;
    const request = { body, headers: { ...headers, ...more } };
    const put = await api({ method: 'PUT', path: `${path}/1`, ...request });
    const post = await api({ method: 'POST', path, ...request });
    expect([put.status, post.status]).toEqual([status, status]);
    expect(post.text.length).toBeLessThan(8000);
    expect((await api({ path })).text).toBe(before);
    return post;
  }

  it('would take the record as it is', async () => {
    expect((await api({ method: 'POST', path, body: valid, headers })).status).toBe(201);
  });

  it.each(values)('refuses %s in its text, and nothing else is wrong', async (_, value) => {
    const [before = '', after = ''] = JSON.stringify({ ...input, [text]: 'HERE' }).split('"HERE"');
    const whole = Buffer.concat([before, value, after].map((part) => Buffer.from(part)));
    const { json } = await refused(400, whole);
    expect(['/body', `/body/${text}`]).toContain(json.errors[0].path);
    expect(json.errors.length).toBe(1);
  });

  it.each(members)('refuses a record with %s', async (_, member) => {
    const { json } = await refused(400, `${valid.slice(0, -1)},${member}}`);
    expect(json.errors[0].path).toMatch(/^\/body/);
  });

  it.each(['', ' ', '\n\t'])(
    'refuses a record with a member twice, "%s" before the colon',
    async (space) => {
      const again = `,"${text}"${space}:"again"}`;
      const { json } = await refused(400, `${valid.slice(0, -1)}${again}`);
      expect(json.errors).toEqual([{ path: '/body', message: 'has two members with one name' }]);
      const escaped = again.replace(
        text,
        `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}${text.slice(1)}`,
      );
      expect((await refused(400, `${valid.slice(0, -1)}${escaped}`)).json).toEqual(json);
    },
  );

  it.each(bodies)('refuses %s with %i', async (_, status, body, more) => {
    await refused(status, body, more);
  });

  it.each(beside)('refuses a valid record beside %s', async (_, more) => {
    const isGzip = more['content-encoding'] === 'gzip';
    const { json } = await refused(400, isGzip ? gzipSync(Buffer.alloc(50_000_000)) : valid, more);
    expect(json.errors[0].path).toMatch(/^\/headers\//);
  });

  it('gives text back byte for byte', async () => {
    const texts = [
      '\u2028\u2029',
      '\u0001\u001f\u007f',
      'e\u0301 é',
      '👩‍👩‍👧‍👦',
      '</script>"\\/',
      '\ufffd\uffff',
    ];
    for (const value of texts) {
      const created = await api({ method: 'POST', path, json: { ...input, [text]: value } });
      expect(created.json[text]).toBe(value);
      const read = await api({ path: `${path}/${created.json.id}` });
      expect(read.json[text]).toBe(value);
      expect(read.text).toBe(created.text);
    }
  });
});

describe('a number', () => {
  const post = (pages: string) =>
    api({ method: 'POST', path: '/books', headers, body: `{"title":"\\"a\\\\","pages":${pages}}` });

  it.each([
    '1.00000000000000001',
    '0.99999999999999999999',
    '100.000000000000000000001',
    '1e-400',
    '9007199254740993',
    `1${'0'.repeat(200_000)}1`,
    `1.${'0'.repeat(200_000)}1`,
  ])('that would be rounded is refused: %.40s', async (pages) => {
    const { status, json } = await post(pages);
    expect(status).toBe(400);
    const message = 'has a number that cannot be kept as it is written';
    expect(json.errors).toEqual([{ path: '/body', message }]);
  });

  it('may be rounded where it means nothing, beside a GraphQL operation', async () => {
    const body =
      '{"query": "{ __typename }", "extensions": {"a": 37704911942066896, "b": 1.0e-400}}';
    const { status, json } = await api({ method: 'POST', path: '/graphql', headers, body });
    expect(status).toBe(200);
    expect(json).toEqual({ data: { __typename: 'Query' } });
  });

  it.each([
    ['1.0', 1],
    ['1e2', 100],
    ['120E-1', 12],
    ['10.00000000000000000000000', 10],
    ['0.5e1', 5],
    ['1000000', 1_000_000],
  ])('that is whole is taken however it is written: %s', async (pages, wanted) => {
    expect((await post(pages)).json.pages).toBe(wanted);
  });
});

describe('a list of entity tags with many gaps', () => {
  it.each(['GET', 'PUT', 'DELETE'])('does not hold up the server on %s', async (method) => {
    const header = method === 'GET' ? 'if-none-match' : 'if-match';
    const send = (gaps: number, end: string) =>
      api({
        method,
        path: '/books/9007199254740991',
        headers: { [header]: `"a"${', '.repeat(gaps)}${end}` },
        ...(method === 'PUT' && { json: samples.books.input }),
      });
    await send(1, '!');
    // A pattern that backtracks exponentially would not come to an end.
    expect((await send(490, '!')).json.errors[0].path).toBe(`/headers/${header}`);
    expect((await send(490, '"b"')).status).toBe(404);
  });
});

it('nothing of it was a failure of the server', () => {
  expect(log.filter((line) => line.includes('failed'))).toEqual([]);
});

it('a line of the log holds one request, whatever the client writes into its path', async () => {
  await api({ path: `/x?${'y'.repeat(10_000)}` });
  expect(Math.max(...log.map((line) => line.length))).toBeLessThan(400);
});

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
