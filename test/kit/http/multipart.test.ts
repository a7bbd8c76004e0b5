// engines: sqlite
import { Readable } from 'node:stream';
import busboy from 'busboy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundaryOf, dispositionOf, partsOf } from '../../../src/kit/http/multipart.ts';

type Read = {
  readonly name: string;
  readonly filename: string | undefined;
  readonly bytes: string;
};

async function read(chunks: readonly Buffer[], boundary: string): Promise<Read[]> {
  const found: Read[] = [];
  for await (const part of partsOf(Readable.from(chunks), boundary)) {
    const { name = '', filename } = dispositionOf(part);
    const pieces = await Array.fromAsync(part.content);
    expect(pieces.every((piece) => piece.length > 0)).toBe(true);
    const bytes = Buffer.concat(pieces).toString('latin1');
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
    ['--x-\r\n\r\n\r\n--x--', /a boundary within a part/],
    ['--xy-\r\n\r\n\r\n--x--', /a boundary within a part/],
    ['--x--y', /text behind its last boundary/],
    ['--x--\r', /text behind its last boundary/],
    ['--x--\n', /text behind its last boundary/],
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
    [['--x--'], true],
    [['--x', '-', '-'], true],
    [['--x--', '', '\r\n', 'after'], true],
    [['--x--', '\r', '\nafter'], true],
    [['--x--', ' ', '\t\r', '\n'], true],
    [['--x-- ', '\t'], true],
    [['--x--', 'y'], false],
    [['--x--', '', 'y'], false],
    [['--x--', '\r', 'y'], false],
    [['--x-- ', '\r'], false],
  ])('have come to their end in the chunks %j: %s', async (texts, isEnd) => {
    const chunks = texts.map((text) => Buffer.from(text));
    const ending = read(chunks, 'x').then(
      () => true,
      ({ errors }) => errors,
    );
    const message = 'has text behind its last boundary';
    expect(await ending).toEqual(isEnd || [{ path: '/body', message }]);
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
    ["form-data; name=a; filename=x; filename*=utf-8'en'y", 'a', 'y'],
    ["form-data; name=a; filename=x; filename*=ISO-8859-1''y", 'a', 'x'],
    ['form-data; name=a; filename=x; filename*=UTF-8', 'a', 'x'],
    ["form-data; name=a; filename*=UTF-8''a%2Fb", 'a', 'b'],
    ['form-data; name="a"; filename="."', 'a', ''],
    ['form-data; name="a"; filename="b/.."', 'a', ''],
    ['form-data; name="a"; filename="b/..."', 'a', '...'],
    ['form-data; name="a"; filename="b\\\\c/d"', 'a', 'd'],
    ['form-data; name=a;', 'a', undefined],
    ['form-data', undefined, undefined],
  ])('have the names that %s says', (text, name, filename) => {
    const part = { headers: new Map([['content-disposition', text]]), content: Readable.from([]) };
    expect(dispositionOf(part)).toEqual({ name, filename });
  });

  it.each([
    'form-data; name=a; name=b',
    'form-data; name=a; NAME=a',
    'form-data; filename=a; name=x; filename=b',
  ])('are refused where %s says something twice', (text) => {
    const part = { headers: new Map([['content-disposition', text]]), content: Readable.from([]) };
    expect(() => dispositionOf(part)).toThrow(
      expect.objectContaining({
        errors: [
          {
            path: '/body',
            message: 'has a part with a parameter of Content-Disposition given twice',
          },
        ],
      }),
    );
  });

  it('have headers by their names, in lower case', async () => {
    const body = Buffer.from('--x\r\nA-b: 1\r\nC:\t2 \t3 \r\nD:\r\n\r\n\r\n--x--');
    const parts = await Array.fromAsync(partsOf(Readable.from([body]), 'x'));
    expect(parts.map(({ headers }) => [...headers])).toEqual([
      [
        ['a-b', '1'],
        ['c', '2 \t3'],
        ['d', ''],
      ],
    ]);
  });

  it('are at most 1,000', async () => {
    const body = (count: number) => [
      Buffer.from(`${'--x\r\nA: 1\r\n\r\n\r\n'.repeat(count)}--x--`),
    ];
    const count = async (parts: number) =>
      (await Array.fromAsync(partsOf(Readable.from(body(parts)), 'x'))).length;
    expect(await count(1000)).toBe(1000);
    await expect(count(1001)).rejects.toMatchObject({
      code: 'payload-too-large',
      detail: 'The body has more than 1000 parts.',
    });
  });

  it('have at most 8,192 bytes of headers', async () => {
    const headersOf = async (length: number) => {
      const body = Buffer.from(`--x\r\nA:${'a'.repeat(length - 4)}\r\nB:\r\n\r\n\r\n--x--`);
      const [part] = await Array.fromAsync(partsOf(Readable.from([body]), 'x'));
      return part?.headers.size;
    };
    expect(await headersOf(8192)).toBe(2);
    await expect(headersOf(8193)).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('are passed on as they come, but for what may begin a boundary', async () => {
    let asked = 0;
    async function* source() {
      for (const text of ['--x\r\nA: 1\r\n\r\n', 'twenty bytes of it ..', '\r\n--x--']) {
        asked++;
        yield Buffer.from(text);
      }
    }
    for await (const { content } of partsOf(source(), 'x')) {
      const pieces: string[] = [];
      for await (const piece of content) {
        pieces.push(String(piece));
        if (pieces.length === 1) expect(asked).toBe(2);
      }
      // A boundary begins with five bytes.
      expect(pieces).toEqual(['twenty bytes of i', 't ..']);
    }
  });

  it.each(['%00', 'a%0Ab', '%7f'])('are refused with a file name such as %s', (name) => {
    const text = `form-data; name=a; filename*=UTF-8''${name}`;
    const part = { headers: new Map([['content-disposition', text]]), content: Readable.from([]) };
    const message = 'has a file name with a control character';
    expect(() => dispositionOf(part)).toThrow(
      expect.objectContaining({ errors: [{ path: '/body', message }] }),
    );
  });

  it('are read to the end of the body, whose source is closed then', async () => {
    let isClosed = false;
    async function* source(text: string, fault?: string) {
      try {
        yield Buffer.from(text);
        if (fault) throw new Error(fault);
        yield Buffer.from('more');
      } finally {
        await new Promise((resolve) => setImmediate(resolve));
        isClosed = true;
      }
    }
    const end = '--x\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--x--\r\n';
    const readAll = async (chunks: AsyncIterable<Buffer>) => {
      isClosed = false;
      const parts = await Array.fromAsync(partsOf(chunks, 'x'));
      return parts.length;
    };
    expect([await readAll(source(end)), isClosed]).toEqual([1, true]);
    await expect(readAll(source(end, 'too large'))).rejects.toThrow('too large');
    await expect(readAll(source('--x--y', 'too large'))).rejects.toMatchObject({
      code: 'invalid-request',
    });
    await expect(readAll(source('--xy\r\n'))).rejects.toMatchObject({ code: 'invalid-request' });
    expect(isClosed).toBe(true);
  });
});

describe('a boundary', () => {
  it.each([
    ['multipart/form-data; boundary=x', 'x'],
    ['multipart/form-data; charset=utf-8; Boundary="a b"', 'a b'],
    [`multipart/form-data; boundary=${'x'.repeat(70)}`, 'x'.repeat(70)],
  ])('is in %s', (type, boundary) => {
    expect(boundaryOf(type)).toBe(boundary);
  });

  it.each(['', 'boundary=', 'boundary=""', `boundary=${'x'.repeat(71)}`])(
    'is missed in multipart/form-data; %s',
    (parameter) => {
      expect(() => boundaryOf(`multipart/form-data; ${parameter}`)).toThrow(
        expect.objectContaining({
          errors: [
            {
              path: '/headers/content-type',
              message: 'must have a boundary of 1 to 70 characters',
            },
          ],
        }),
      );
    },
  );
});
