// engines: sqlite
import { once } from 'node:events';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { request as httpRequest, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStaticFile } from '../../../src/kit/docs/static-file.ts';
import { kept } from '../../../src/kit/docs/text-reply.ts';
import { serveContract } from '../../support/contract-server.ts';

const contract = `
openapi: 3.1.0
info: { title: Files, version: '1' }
paths: { /x: { get: { operationId: look, responses: { '200': { description: Seen. } } } } }`;

const path = '/docs/assets/site.css';
let server: Awaited<ReturnType<typeof serveContract>>;
let whole: Awaited<ReturnType<typeof get>>;
beforeAll(async () => {
  server = await serveContract(contract, { look: () => ({ status: 200 }) });
  whole = await get({});
});
afterAll(() => server.stop());

/** Without the headers that fetch adds, such as `Cache-Control: no-cache` to a condition. */
async function get(headers: Record<string, string>, at = path) {
  const outgoing = httpRequest(server.url + at, { headers }).end();
  const [incoming] = await once(outgoing, 'response');
  const bytes: Buffer = Buffer.concat(await Array.fromAsync(incoming));
  return { status: incoming.statusCode, headers: incoming.headers, text: bytes.toString('latin1') };
}

/** The time of the file, and so many seconds later, as HTTP writes it. */
const modified = (seconds = 0) =>
  new Date(Date.parse(whole.headers['last-modified'] ?? '') + seconds * 1000).toUTCString();

/** With the file's size for S, what is beyond it for T, and its last byte for L. */
const sized = (text: string) => {
  const size = whole.text.length;
  return text
    .replace('S', String(size))
    .replace('T', String(size + 1))
    .replace('L', String(size - 1));
};

describe('a part of a file', () => {
  it.each([
    ['bytes=0-0', '0-0'],
    ['bytes=1-3', '1-3'],
    ['bytes=L-', 'L-L'],
    ['bytes=0-', '0-L'],
    ['bytes=0-L', '0-L'],
    ['bytes=0-S', '0-L'],
    ['bytes=-1', 'L-L'],
    ['bytes=-S', '0-L'],
    ['bytes=-T', '0-L'],
    ['bytes=0-4, 5-9', '0-9'],
    ['bytes=0-4,3-9', '0-9'],
    ['bytes=0-9,3-4', '0-9'],
    ['bytes=5-9,S-', '5-9'],
  ])('%s is %s of it', async (range, part) => {
    const answer = await get({ range: sized(range) });
    const span = sized(sized(part));
    const [start, end] = span.split('-').map(Number);
    expect(answer.status).toBe(206);
    expect(answer.headers['content-range']).toBe(`bytes ${span}/${whole.text.length}`);
    expect(answer.text).toBe(whole.text.slice(start, Number(end) + 1));
    expect(answer.headers.etag).toBe(whole.headers.etag);
  });

  it.each(['bytes=S-', 'bytes=S-T', 'bytes=-0'])('%s is nothing of it', async (range) => {
    const answer = await get({ range: sized(range) });
    expect(answer.status).toBe(416);
    expect(answer.headers['content-range']).toBe(`bytes */${whole.text.length}`);
    expect(JSON.parse(answer.text).detail).toBe('The file has nothing in this range.');
  });

  it.each([
    'bytes=5-2',
    'bytes=0-4,6-9',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=1-2-3',
    'bytes=1',
    'items=0-1',
    '0-1',
  ])('%s is passed over', async (range) => {
    const answer = await get({ range });
    expect([answer.status, answer.text]).toEqual([200, whole.text]);
    expect(answer.headers).not.toHaveProperty('content-range');
  });

  it('is sent only of the version that If-Range names', async () => {
    const range = 'bytes=0-0';
    const status = async (condition: string) =>
      (await get({ range, 'if-range': condition })).status;
    // A weak tag says nothing about bytes.
    expect(whole.headers.etag).toMatch(/^W\//);
    expect(await status(String(whole.headers.etag))).toBe(200);
    expect(await status('"another"')).toBe(200);
    expect(await status(modified())).toBe(206);
    expect(await status(modified(-1))).toBe(200);
    expect(await status(modified(1))).toBe(200);
    expect(await status('')).toBe(200);
  });
});

describe('a condition', () => {
  it.each([
    [() => ({ 'if-none-match': `"a", ${whole.headers.etag}` }), 304],
    [() => ({ 'if-none-match': String(whole.headers.etag).replace('W/', '') }), 304],
    [() => ({ 'if-none-match': '"a", "b"' }), 200],
    [() => ({ 'if-none-match': '"a"', 'if-modified-since': modified(9) }), 200],
    [() => ({ 'if-none-match': '*', 'cache-control': 'no-cache' }), 200],
    [() => ({ 'if-none-match': '*', 'cache-control': 'max-age=0, no-cache' }), 200],
    [() => ({ 'if-none-match': '*', 'cache-control': 'max-age=0' }), 304],
    [() => ({ 'if-modified-since': modified() }), 304],
    [() => ({ 'if-modified-since': modified(-1) }), 200],
    [() => ({ 'if-modified-since': 'nonsense' }), 200],
    [() => ({ 'if-match': `"a", ${whole.headers.etag}` }), 200],
    [() => ({ 'if-match': '"a"' }), 412],
    [() => ({ 'if-match': String(whole.headers.etag), 'if-unmodified-since': modified(-9) }), 200],
    [() => ({ 'if-unmodified-since': modified() }), 200],
    [() => ({ 'if-unmodified-since': modified(-1) }), 412],
    [() => ({ 'if-unmodified-since': 'nonsense' }), 200],
  ] as const)('%s is answered with %i', async (headers, status) => {
    const answer = await get(headers());
    expect([headers(), answer.status]).toEqual([headers(), status]);
    if (status === 200) expect(answer.text).toBe(whole.text);
    if (status === 304) expect(answer.headers).toMatchObject({ etag: whole.headers.etag });
    if (status === 412)
      expect(JSON.parse(answer.text).detail).toMatch(/^The file is not the version/);
  });

  it.each([
    [{ 'if-match': '"a"' }, 412],
    [{ 'if-match': '"a", *' }, 412],
    [{ 'if-match': '*' }, 200],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"a"' }, 200],
    // A page has no time of its own.
    [{ 'if-modified-since': 'Mon, 01 Jan 2035 00:00:00 GMT' }, 200],
  ])('of a page, %j, is answered with %i', async (headers, status) => {
    const answer = await get(headers as Record<string, string>, '/docs');
    expect(answer.status).toBe(status);
    const { etag } = (await get({}, '/docs')).headers;
    expect((await get({ 'if-match': `"a", ${etag}` }, '/docs')).status).toBe(200);
    for (const name of [
      'referrer-policy',
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
    ]) {
      expect(answer.headers, name).toHaveProperty(name);
    }
  });
});

it.each([
  ['site.css', 'text/css; charset=utf-8'],
  ['reference.js', 'text/javascript; charset=utf-8'],
  ['parameter-text.js', 'text/javascript; charset=utf-8'],
  ['icon.svg', 'image/svg+xml'],
  ['react.production.min.js', 'text/javascript; charset=utf-8'],
  ['react-dom.production.min.js', 'text/javascript; charset=utf-8'],
  ['graphiql.min.js', 'text/javascript; charset=utf-8'],
  ['graphiql.min.css', 'text/css; charset=utf-8'],
])('%s is %s, and may be kept and asked for in parts', async (name, type) => {
  const { status, headers, text } = await get({}, `/docs/assets/${name}`);
  expect([status, headers['content-type']]).toEqual([200, type]);
  expect(headers).toMatchObject({
    ...{ 'accept-ranges': 'bytes', 'cache-control': 'public, max-age=0' },
    ...{ 'referrer-policy': 'no-referrer', 'cross-origin-opener-policy': 'same-origin' },
    ...{ 'cross-origin-resource-policy': 'same-origin', 'content-length': String(text.length) },
  });
});

it('a file is read again when it has changed, and not before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'static-'));
  const file = join(folder, 'a.css');
  writeFileSync(file, 'one');
  utimesSync(file, 1000, 1000);
  const serve = createStaticFile(() => file, 'text/css');
  const asked = { method: 'GET', path: '/a.css', request: new IncomingMessage(new Socket()) };
  const first = await serve(asked);
  expect((await serve(asked)).body).toBe(first.body);
  writeFileSync(file, 'two');
  utimesSync(file, 1001, 1001);
  const second = await serve(asked);
  expect([String(first.body), String(second.body)]).toEqual(['one', 'two']);
  expect(second.headers.ETag).not.toBe(first.headers.ETag);
  rmSync(folder, { recursive: true });
});

it('what could not be made is made when it is next asked for, and then kept', async () => {
  let asked = 0;
  const made = kept(async () => {
    asked += 1;
    if (asked === 1) throw new Error('not yet');
    return asked;
  });
  await expect(made()).rejects.toThrow('not yet');
  expect([await made(), await made()]).toEqual([2, 2]);
});
