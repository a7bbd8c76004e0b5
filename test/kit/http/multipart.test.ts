// engines: sqlite
import { Readable } from 'node:stream';
import busboy from 'busboy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dispositionOf, partsOf } from '../../../src/kit/http/multipart.ts';

type Read = {
  readonly name: string;
  readonly filename: string | undefined;
  readonly bytes: string;
};

async function read(chunks: readonly Buffer[], boundary: string): Promise<Read[]> {
  const found: Read[] = [];
  for await (const part of partsOf(Readable.from(chunks), boundary)) {
    const { name = '', filename } = dispositionOf(part);
    const bytes = Buffer.concat(await Array.fromAsync(part.content)).toString('latin1');
    found.push({ name, filename, bytes });
  }
  return found;
}

/** What busboy reads of files, whose bytes it leaves as they are. */
function readByBusboy(body: Buffer, boundary: string): Promise<Read[]> {
  return new Promise((resolve, reject) => {
    const found: Promise<Read>[] = [];
    const parser = busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      defParamCharset: 'utf8',
    });
    parser.on('file', (name, stream, { filename }) => {
      const content = stream.toArray().then((all) => Buffer.concat(all).toString('latin1'));
      found.push(content.then((bytes) => ({ name, filename, bytes })));
    });
    parser.once('error', reject).once('close', () => resolve(Promise.all(found)));
    parser.end(body);
  });
}

function written(parts: readonly Read[], boundary: string): Buffer {
  const pieces = parts.map(({ name, filename, bytes }) =>
    Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\n`,
      ),
      Buffer.from('Content-Type: application/octet-stream\r\n\r\n'),
      Buffer.from(bytes, 'latin1'),
      Buffer.from('\r\n'),
    ]),
  );
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

// Of what a boundary is made of, so that half of one is often found.
const bytes = fc
  .array(fc.constantFrom('\r', '\n', '\r\n', '-', '--', 'b', 'B', '--b', '\0', '\xff', 'x'))
  .map((all) => all.join(''));
const parts = fc.array(
  fc.record({
    name: fc.constantFrom('a', 'é', 'c d'),
    filename: fc.constantFrom('f', 'ü.txt'),
    bytes,
  }),
  { maxLength: 4 },
);

describe('parts', () => {
  it('are read as they were written, in any chunks, as by busboy', async () => {
    await fc.assert(
      fc.asyncProperty(parts, fc.array(fc.nat(200)), async (all, cuts) => {
        const boundary = 'bB';
        fc.pre(all.every((each) => !`\r\n${each.bytes}\r\n`.includes(`\r\n--${boundary}`)));
        const body = written(all, boundary);
        const places = [0, ...cuts.filter((cut) => cut < body.length), body.length].toSorted(
          (a, b) => a - b,
        );
        const chunks = places.slice(1).map((end, i) => body.subarray(places[i], end));
        expect(
          await read(
            chunks.filter((each) => each.length > 0),
            boundary,
          ),
        ).toEqual(all);
        if (all.length > 0) expect(await readByBusboy(body, boundary)).toEqual(all);
      }),
      { numRuns: 300 },
    );
  });

  it('may stand between a preamble and an epilogue, with white space after a boundary', async () => {
    const body = Buffer.from(
      'before\r\n--x \t\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--x-- \t\r\nafter',
    );
    expect(await read([body], 'x')).toEqual([{ name: 'a', filename: undefined, bytes: '1' }]);
  });

  it.each([
    ['', /ends before/],
    ['--x', /ends before/],
    ['--x\r\n', /ends before/],
    ['--x\r\nContent-Disposition: form-data; name=a\r\n\r\nhalf', /ends before/],
    ['--x\r\nContent-Disposition: form-data; name=a\r\n\r\nhalf\r\n--x-', /ends before/],
    ['--xy\r\n\r\n\r\n--x--', /a boundary within a part/],
    ['--x\r\nno colon\r\n\r\n\r\n--x--', /malformed header/],
    ['--x\r\n: no name\r\n\r\n\r\n--x--', /malformed header/],
    ['--x\r\nA: b\r\n folded\r\n\r\n\r\n--x--', /malformed header/],
    ['--x\r\nA: \0\r\n\r\n\r\n--x--', /malformed header/],
    ['--x\r\nA: 1\r\na: 2\r\n\r\n\r\n--x--', /two headers a/],
    [`--x\r\nA: ${'a'.repeat(9000)}\r\n\r\n\r\n--x--`, /more than 8192 bytes of headers/],
    [
      `--x\r\n${Array.from({ length: 900 }, (_, i) => `A${i}: 123456\r\n`).join('')}\r\n\r\n--x--`,
      /more than 8192/,
    ],
  ])('%j are refused', async (text, fault) => {
    const error = await read([Buffer.from(text)], 'x').catch((thrown: unknown) => thrown);
    expect(Object(error).errors).toMatchObject([
      { path: '/body', message: expect.stringMatching(fault) },
    ]);
  });

  it.each([
    ['form-data; name="a"; filename="b.txt"', 'a', 'b.txt'],
    ['form-data; NAME=a; FileName=b', 'a', 'b'],
    ['form-data; name="a;b\\"c"', 'a;b"c', undefined],
    ['form-data; name="a"; filename="../../etc/passwd"', 'a', 'passwd'],
    ['form-data; name="a"; filename="C:\\dir\\x.txt"', 'a', 'x.txt'],
    ['form-data; name="a"; filename=".."', 'a', ''],
    ['form-data; name="a"; filename=""', 'a', ''],
    ["form-data; name=a; filename=x; filename*=UTF-8''%c3%a9", 'a', 'é'],
    ["form-data; name=a; filename=x; filename*=UTF-8''%ff", 'a', 'x'],
    ['form-data', undefined, undefined],
  ])('have the names that %s says', (text, name, filename) => {
    const part = { headers: new Map([['content-disposition', text]]), content: Readable.from([]) };
    expect(dispositionOf(part)).toEqual({ name, filename });
  });
});
