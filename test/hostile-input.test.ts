import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { collections, samples } from './support/collections.ts';
import { useServer } from './support/server.ts';

const { api, log } = useServer();
const headers = { 'content-type': 'application/json' };

const deep = (open: string, close: string) => open.repeat(50_000) + close.repeat(50_000);

/** Bodies that no client in good faith sends, each with the status it gets; `text` is a text field. */
const hostile = (text: string): [string, number, string | Buffer, object?][] => [
  ['U+0000', 400, `{"${text}":"a\\u0000b"}`],
  ['a lone high surrogate', 400, `{"${text}":"\\ud800"}`],
  ['a lone low surrogate', 400, `{"${text}":"a\\udc00b"}`],
  ['surrogates in the wrong order', 400, `{"${text}":"\\udc00\\ud800"}`],
  ['a byte that is not UTF-8', 400, latin1(`{"${text}":"\xff"}`)],
  ['an overlong encoding', 400, latin1(`{"${text}":"\xc0\xaf"}`)],
  ['a surrogate in UTF-8', 400, latin1(`{"${text}":"\xed\xa0\x80"}`)],
  ['a character cut short', 400, latin1(`{"${text}":"\xe2\x82`)],
  ['UTF-16', 400, Buffer.from(`{"${text}":"x"}`, 'utf16le')],
  ['a raw control character', 400, `{"${text}":"\n"}`],
  ['__proto__', 400, `{"${text}":"x","__proto__":{"done":true,"pages":1}}`],
  ['constructor', 400, `{"${text}":"x","constructor":{"prototype":{}}}`],
  ['arrays 50,000 deep', 400, deep('[', ']')],
  ['objects 50,000 deep', 400, `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`],
  ['a field 50,000 deep', 400, `{"${text}":${deep('[', ']')}}`],
  ['20,000 unknown properties', 400, `{${Array.from({ length: 20_000 }, (_, i) => `"${i}":1`)}}`],
  ['an unknown property of 200,000 characters', 400, `{"${'k'.repeat(200_000)}":1}`],
  ['a number beyond all measure', 400, `{"${text}":1e999}`],
  ['a body one byte too large', 413, `"${'x'.repeat(262_143)}"`],
  ['a body of 8 MB', 413, Buffer.alloc(8_000_000, 32)],
  [
    'a body of 8 MB in chunks',
    413,
    Buffer.alloc(8_000_000, 32),
    { 'transfer-encoding': 'chunked' },
  ],
  ['a gzip bomb', 400, gzipSync(Buffer.alloc(50_000_000)), { 'content-encoding': 'gzip' }],
  ['an encoding that nobody knows', 400, '{}', { 'content-encoding': 'x' }],
  ['UTF-16 by charset', 400, '{}', { 'content-type': 'application/json; charset=utf-16' }],
  ['an empty body in chunks', 400, '', { 'transfer-encoding': 'chunked' }],
  ['two content types', 400, '{}', { 'content-type': 'application/json, text/plain' }],
];

describe.each(collections)('/%s', (name) => {
  const path = `/${name}`;

  it.each(hostile(samples[name].text))('refuses %s with %i', async (_, status, body, more) => {
    const before = (await api({ path })).text;
    const answer = await api({ method: 'POST', path, body, headers: { ...headers, ...more } });
    expect(answer.status).toBe(status);
    const put = await api({
      method: 'PUT',
      path: `${path}/1`,
      body,
      headers: { ...headers, ...more },
    });
    expect(put.status).toBe(status);
    expect(answer.text.length).toBeLessThan(8000);
    expect((await api({ path })).text).toBe(before);
  });

  it('gives text back byte for byte', async () => {
    const { text, input } = samples[name];
    for (const value of [
      '\u2028\u2029',
      '\u0001\u001f\u007f',
      'e\u0301 é',
      '👩‍👩‍👧‍👦',
      '</script>"\\/',
      '\ufffd\uffff',
    ]) {
      const created = await api({ method: 'POST', path, json: { ...input, [text]: value } });
      expect(created.json[text]).toBe(value);
      const { json } = await api({ path: `${path}/${created.json.id}` });
      expect(json[text]).toBe(value);
    }
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
