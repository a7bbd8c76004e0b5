// engines: sqlite
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { present } from '../../../src/kit/errors.ts';
import type { UploadedFile } from '../../../src/kit/http/upload-spool.ts';
import { bodyContract } from '../../support/body-contract.ts';
import { serveContract } from '../../support/contract-server.ts';
import { object } from '../../support/schemas.ts';

type Server = Awaited<ReturnType<typeof serveContract>>;
const servers = new Map<string, Server>();
let current: Take | undefined;
afterEach(() => expect(spooled()).toEqual([]));
afterAll(() => Promise.all([...servers.values()].map((server) => server.stop())));

function spooled(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('upload-'));
}

type Take = (body: Record<string, unknown>) => Promise<unknown>;

/** Each contract is served once, with the handler that was given last. */
async function serveForm(
  media: object,
  take: Take = async (body) => body,
  env: Record<string, string> = {},
) {
  const content = { 'multipart/form-data': media };
  const handlers = {
    take: async ({ body }: { body: Record<string, unknown> }) => {
      const value = await shown(await present(current)(body));
      return { status: 200, headers: {}, body: JSON.stringify(value) };
    },
  };
  current = take;
  const text = bodyContract({ required: true, content });
  const key = `${text} ${JSON.stringify(env)}`;
  const server = servers.get(key) ?? (await serveContract(text, handlers, { env }));
  servers.set(key, server);
  return {
    ...server,
    async send(form: FormData | Part[]) {
      const init = Array.isArray(form) ? raw(form) : { body: form };
      const response = await fetch(`${server.url}/body`, { method: 'POST', ...init });
      // A test reads what it expects to be there.
      return { status: response.status, json: Object(await response.json()) };
    },
  };
}

/** With the content of files, by both ways to it. */
async function shown(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(shown));
  if (typeof value !== 'object' || value === null) return value;
  if ('stream' in value) {
    const { name, mediaType, size, stream, bytes } = value as UploadedFile;
    const [streamed, whole] = [await buffer(stream()), await bytes()];
    expect(streamed.equals(whole)).toBe(true);
    return { name, mediaType, size, bytes: whole.toString('latin1') };
  }
  const members = Object.entries(value).map(
    async ([key, each]) => [key, await shown(each)] as const,
  );
  return Object.fromEntries(await Promise.all(members));
}

type Part = readonly [head: string, content: string];

function raw(parts: readonly Part[], end = '--b--\r\n') {
  const text = parts.map(
    ([head, content]) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`,
  );
  const body = Buffer.from(text.join('') + end, 'latin1');
  return { body, headers: { 'content-type': 'multipart/form-data; boundary=b' } };
}

const file = { type: 'string', contentMediaType: 'application/octet-stream' };

describe('a form with files', () => {
  const schema = object(
    {
      id: { type: 'integer' },
      tags: { type: 'array', items: { type: 'string' } },
      about: object({ x: { type: 'integer' } }),
      document: file,
      pictures: { type: 'array', items: file, maxItems: 2 },
      anything: {},
    },
    { required: ['document'], additionalProperties: false },
  );

  it('has fields by their types and files with their content', async () => {
    const { send } = await serveForm({ schema });
    const form = new FormData();
    form.append('id', '7');
    form.append('tags', 'a');
    form.append('tags', 'é');
    form.append('about', new Blob(['{"x":1}'], { type: 'application/json' }));
    form.append(
      'document',
      new Blob([new Uint8Array([0, 255, 13, 10])], { type: 'image/png' }),
      'ü.png',
    );
    form.append('pictures', new Blob(['1']), '1');
    form.append('pictures', new Blob([]), '2');
    form.append('anything', 'text');
    expect(await send(form)).toEqual({
      status: 200,
      json: {
        id: 7,
        tags: ['a', 'é'],
        about: { x: 1 },
        document: { name: 'ü.png', mediaType: 'image/png', size: 4, bytes: '\0\xff\r\n' },
        pictures: [
          { name: '1', mediaType: 'application/octet-stream', size: 1, bytes: '1' },
          { name: '2', mediaType: 'application/octet-stream', size: 0, bytes: '' },
        ],
        anything: 'text',
      },
    });
  });

  it('takes a file without a name, and text with a charset, as they are', async () => {
    const { send } = await serveForm({
      schema: object({ document: file, text: { type: 'string' } }),
    });
    const parts: Part[] = [
      ['name=document', '\xff\0'],
      ['name=text\r\nContent-Type: text/plain; charset=UTF-8', '\xc3\xa9'],
    ];
    expect((await send(parts)).json).toEqual({
      document: { name: '', mediaType: 'application/octet-stream', size: 2, bytes: '\xff\0' },
      text: 'é',
    });
  });

  it('takes a file for a property without a type, where it is sent as one', async () => {
    const { send } = await serveForm({ schema: object({}) });
    const part: Part = ['name=any; filename="a/b\\c.txt"\r\nContent-Type: text/plain', 'x'];
    expect((await send([part])).json).toEqual({
      any: { name: 'c.txt', mediaType: 'text/plain', size: 1, bytes: 'x' },
    });
  });

  it('is held to its schema, files apart', async () => {
    const { send } = await serveForm({ schema });
    const faults = async (parts: Part[]) => (await send(parts)).json.errors;
    expect(await faults([['name=id', 'x']])).toEqual([
      { path: '/body/document', message: 'is required' },
      { path: '/body/id', message: 'must be integer' },
    ]);
    const picture: Part = ['name=pictures; filename=x', ''];
    const document: Part = ['name=document; filename=x', ''];
    expect(await faults([document, picture, picture, picture])).toMatchObject([
      { path: '/body/pictures' },
    ]);
    expect(await faults([document, document])).toMatchObject([{ path: '/body/document' }]);
    expect(await faults([document, ['name=other', '1']])).toMatchObject([{ path: '/body/other' }]);
    expect(await faults([document, ['name=__proto__', '1']])).toMatchObject([
      { path: '/body/__proto__' },
    ]);
  });

  it('is held to the media types and lengths that the contract gives', async () => {
    const { send } = await serveForm({
      schema: object({ picture: { ...file, minLength: 2, maxLength: 3 } }),
      encoding: { picture: { contentType: 'image/png, image/jpeg' } },
    });
    const sent = async (type: string, content: string) => {
      const { status, json } = await send([[`name=picture; filename=x${type}`, content]]);
      return status === 200 ? json.picture.mediaType : json.errors[0].message;
    };
    expect(await sent('\r\nContent-Type: image/jpeg', '12')).toBe('image/jpeg');
    expect(await sent('\r\nContent-Type: text/html', '12')).toBe('must be image/png or image/jpeg');
    expect(await sent('', '1')).toBe('must not have fewer than 2 bytes');
    expect(await sent('', '1234')).toBe('must not have more than 3 bytes');
  });

  it('reads styled properties of text', async () => {
    const { send } = await serveForm({
      schema: object({
        list: { type: 'array', items: { type: 'integer' } },
        spread: object({ foo: { type: 'string' }, bar: { type: 'string' } }),
      }),
      encoding: { list: { style: 'pipeDelimited', explode: false }, spread: { style: 'form' } },
    });
    expect(
      (
        await send([
          ['name=list', '1|2'],
          ['name=foo', 'a'],
          ['name=bar', 'b'],
        ])
      ).json,
    ).toEqual({
      list: [1, 2],
      spread: { foo: 'a', bar: 'b' },
    });
  });
});

describe('a hostile form', () => {
  const schema = object({ file, text: { type: 'string' } });

  it.each([
    [
      'without a boundary',
      { headers: { 'content-type': 'multipart/form-data' }, body: 'x' },
      400,
      '/headers/content-type',
    ],
    [
      'with a very long boundary',
      { headers: { 'content-type': `multipart/form-data; boundary=${'x'.repeat(71)}` }, body: 'x' },
      400,
      '/headers/content-type',
    ],
    ['that ends too early', raw([['name=file; filename=x', 'half']], ''), 400, '/body'],
    ['with a part without a name', raw([['filename=x', '']]), 400, '/body'],
    ['with text behind its end', raw([['name=text', 'x']], '--b--x\r\n'), 400, '/body'],
    ['with half a line end behind its end', raw([['name=text', 'x']], '--b-- \r'), 400, '/body'],
    ['with a name given twice', raw([['name=text; name=file', 'x']]), 400, '/body'],
    [
      'with a file name given twice',
      raw([['name=file; filename=x; FileName=y', '']]),
      400,
      '/body',
    ],
    ['with NUL in a file name', raw([["name=file; filename*=UTF-8''x%00.txt", '']]), 400, '/body'],
    [
      'with an encoded part',
      raw([['name=text\r\nContent-Transfer-Encoding: base64', 'eA==']]),
      400,
      '/body/text',
    ],
    [
      'in another charset',
      raw([['name=text\r\nContent-Type: text/plain; charset=utf-16', 'x']]),
      400,
      '/body/text',
    ],
    ['with text that is no UTF-8', raw([['name=text', '\xff']]), 400, '/body/text'],
    [
      'with broken JSON',
      raw([['name=text\r\nContent-Type: application/json', '{']]),
      400,
      '/body/text',
    ],
    [
      'of 10,000 parts',
      raw(Array.from({ length: 10_000 }, () => ['name=file; filename=x', 'x'] as const)),
      413,
      undefined,
    ],
    ['with a very long text', raw([['name=text', 'x'.repeat(262_145)]]), 413, undefined],
    [
      'with many long texts',
      raw(Array.from({ length: 30 }, (_, i) => [`name=t${i}`, 'x'.repeat(10_000)] as const)),
      413,
      undefined,
    ],
    [
      'with a file beyond the limit',
      raw([['name=file; filename=x', 'x'.repeat(1_000_001)]]),
      413,
      undefined,
    ],
  ])('%s is refused', async (_, init, status, path) => {
    const server = await serveForm({ schema }, undefined, { UPLOAD_LIMIT: '1000000' });
    for (let i = 0; i < 3; i++) {
      const response = await fetch(`${server.url}/body`, { method: 'POST', ...init });
      const { errors = [{}] } = Object(await response.json());
      expect([response.status, errors[0].path]).toEqual([status, path]);
    }
    expect((await server.send([['name=text', 'x']])).status).toBe(200);
  });

  it.each([
    '--b--',
    '--b--\r\n',
    '--b-- \t\r\n',
    '--b-- ',
    '--b--\r\nepilogue',
    '--b--\r\n--b\r\n',
  ])('may end with %j', async (end) => {
    const server = await serveForm({ schema });
    const init = raw([['name=text;', 'x']], end);
    // Each byte a piece of its own.
    const body = ReadableStream.from(Array.from(init.body, (byte) => Uint8Array.of(byte)));
    for (const each of [{ body: init.body }, { body, duplex: 'half' as const }]) {
      const sent = { method: 'POST', ...init, ...each };
      const response = await fetch(`${server.url}/body`, sent);
      expect([response.status, await response.json()]).toEqual([200, { text: 'x' }]);
    }
  });

  it('of unknown length beyond the limit is refused half way', async () => {
    const server = await serveForm({ schema }, undefined, { UPLOAD_LIMIT: '1000000' });
    const { body, headers } = raw([['name=file; filename=x', 'x'.repeat(2_000_000)]]);
    const init = {
      method: 'POST',
      headers,
      body: new Blob([body]).stream(),
      duplex: 'half',
    } as const;
    expect((await fetch(`${server.url}/body`, init)).status).toBe(413);
  });

  it('whose client goes away half way leaves nothing', async () => {
    const server = await serveForm({ schema });
    const { hostname, port } = new URL(server.url);
    for (let i = 0; i < 20; i++) {
      const socket = connect(Number(port), hostname).resume();
      await once(socket, 'connect');
      const head =
        'POST /body HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n';
      socket.write(`${head}Content-Length: 1000000\r\n\r\n`);
      socket.write('--b\r\nContent-Disposition: form-data; name=file; filename=x\r\n\r\n');
      socket.write('x'.repeat(100_000));
      await sleep(i);
      if (i % 2 === 0) socket.resetAndDestroy();
      else socket.end();
    }
    expect((await server.send([['name=file; filename=x', '1']])).status).toBe(200);
    await spoolsClosed();
    expect(server.log.join()).not.toContain('failed');
  });

  it.each<[string, (file: UploadedFile, gone: () => Promise<void>) => Promise<unknown>]>([
    [
      'reads on',
      async (file, gone) => {
        for await (const _ of file.stream()) await gone();
      },
    ],
    [
      'begins to read',
      async (file, gone) => {
        await gone();
        return file.bytes();
      },
    ],
  ])('whose client goes away is no failure of a handler that %s', async (_, read) => {
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
    const server = await serveForm({ schema }, async (body) => {
      const lines = server.log.length;
      const gone = async () => {
        start();
        // The line of the request is written when its connection is closed.
        while (server.log.length === lines) await sleep(1);
      };
      const reading = read(body.file as UploadedFile, gone);
      reading.catch(() => {}).finally(() => end(undefined));
      return reading;
    });
    const { body, headers } = raw([['name=file; filename=x', 'x'.repeat(500_000)]]);
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname).resume();
    const head = `POST /body HTTP/1.1\r\nHost: x\r\nContent-Type: ${headers['content-type']}\r\n`;
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n`);
    socket.write(body);
    await started;
    socket.resetAndDestroy();
    await ended;
    await spoolsClosed();
    // A failure is logged by then.
    await fetch(`${server.url}/healthz`);
    expect(server.log.join()).not.toContain('failed');
  });

  it('whose handler fails leaves nothing', async () => {
    const server = await serveForm({ schema }, async () => {
      throw new Error('no');
    });
    expect((await server.send([['name=file; filename=x', 'x'.repeat(100_000)]])).status).toBe(500);
    await spoolsClosed();
  });

  it('that cannot be stored is 503, and logged', async () => {
    const server = await serveForm({ schema });
    const { TMPDIR } = process.env;
    process.env.TMPDIR = '/nowhere';
    const { status } = await server.send([['name=file; filename=x', 'x']]);
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    expect(status).toBe(503);
    expect(server.log.join()).toContain('ENOENT');
  });

  it('can be read until the exchange is over, and no longer', async () => {
    const kept: UploadedFile[] = [];
    const server = await serveForm({ schema }, async (body) => {
      kept.push(body.file as UploadedFile);
      // It is left unread.
      kept[0]?.stream();
      return 1;
    });
    await server.send([['name=file; filename=x', 'x']]);
    await spoolsClosed();
    await expect(kept[0]?.bytes()).rejects.toThrow();
  });
});

/** They are closed soon after the reply. */
async function spoolsClosed(): Promise<void> {
  while (openSpools() > 0) await sleep(10);
}

/** Files of forms that this process holds open; they have no name any more. */
function openSpools(): number {
  return readdirSync('/proc/self/fd').filter((fd) => linkOf(fd).includes('/upload-')).length;
}

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

describe('a form whose schema is put together', () => {
  const pictures = { type: 'array', items: {}, minItems: 1, maxItems: 2 };
  const schema = {
    allOf: [object({ id: { type: 'integer' } }), { anyOf: [object({ document: file }), true] }],
    properties: { pictures, note: { type: 'string' } },
  };
  const media = { schema, encoding: { pictures: { contentType: 'image/png' } } };

  it('has its files by their encoding', async () => {
    const { send } = await serveForm(media);
    const form = new FormData();
    form.append('id', '7');
    form.append('pictures', new Blob(['a'], { type: 'image/png' }), 'a.png');
    form.append('document', new Blob(['b']), 'b');
    const { status, json } = await send(form);
    expect([status, json.id, json.document.bytes]).toEqual([200, 7, 'b']);
    expect(json.pictures).toMatchObject([{ name: 'a.png', bytes: 'a' }]);
    for (const name of ['b.png', 'c.png']) {
      form.append('pictures', new Blob([name], { type: 'image/png' }), name);
    }
    expect((await send(form)).status).toBe(400);
  });
});
