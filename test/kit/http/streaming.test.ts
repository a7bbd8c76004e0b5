// engines: sqlite, postgres
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { api as definition } from '../../../src/api/api.ts';
import { openStore } from '../../../src/kit/store/open-store.ts';
import { useServer } from '../../support/api-server.ts';
import { samples } from '../../support/collections.ts';
import { serveContract } from '../../support/contract-server.ts';

const server = useServer();
const { api } = server;

describe('a list of several pieces', () => {
  it('is the same list as one piece, whole or by pages, however long its records', async () => {
    const texts = Array.from({ length: 260 }, (_, i) => ({
      title: `Note ${i}`,
      body: 'é\u0001"'.repeat(i % 7 === 0 ? 3000 : i),
    }));
    for (const json of texts) {
      expect((await api({ method: 'POST', path: '/notes', json })).status).toBe(201);
    }
    const { json, headers } = await api({ path: '/notes' });
    expect(headers['transfer-encoding']).toBe('chunked');
    expect(json).toEqual(texts.map((text, i) => ({ id: i + 1, ...text })));
    const { json: page, headers: more } = await api({ path: '/notes?limit=150&after=10' });
    expect(page).toEqual(json.slice(10, 160));
    expect(more.link).toBe('</notes?limit=150&after=160>; rel="next"');
    const { json: end, headers: last } = await api({ path: '/notes?limit=250&after=10' });
    expect(end).toEqual(json.slice(10));
    expect(last.link).toBeUndefined();
    const { text } = await api({ method: 'HEAD', path: '/notes' });
    expect(text).toBe('');
  });

  it('ends where the last record was, when that is where a piece ends', async () => {
    for (let i = 0; i < 100; i++) {
      await api({ method: 'POST', path: '/items', json: samples.items.input });
    }
    expect((await api({ path: '/items' })).json.length).toBe(100);
    await api({ method: 'DELETE', path: '/items/50' });
    expect((await api({ path: '/items' })).json.length).toBe(99);
  });
});

const listing = `
  openapi: 3.1.0
  info: { title: Listing, version: 1.0.0 }
  paths:
    /list:
      get:
        operationId: list
        responses:
          '200': { description: A list, content: { application/json: { schema: { type: array } } } }`;

describe('a list that cannot be finished', () => {
  it('breaks the connection, since its status is out, and is logged', async () => {
    const broken = await serveContract(listing, {
      list: () => ({ status: 200, headers: {}, body: failing() }),
    });
    const response = await fetch(`${broken.url}/list`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(broken.log.join()).toMatch(/Error: the disk is gone.*GET \/list failed/);
    await broken.stop();
  });
});

/** A list without an end, and how many pieces of it were asked for. */
function endlessList() {
  const pieces = { asked: 0 };
  async function* body() {
    for (;;) {
      pieces.asked++;
      yield '0'.repeat(100_000);
    }
  }
  return { pieces, handlers: { list: () => ({ status: 200, headers: {}, body: body() }) } };
}

describe('a long list', () => {
  it('is read no faster than its client takes it', async () => {
    const { pieces, handlers } = endlessList();
    const server = await serveContract(listing, handlers);
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname).pause();
    socket.write('GET /list HTTP/1.1\r\nHost: x\r\n\r\n');
    let before = -1;
    while (pieces.asked === 0 || pieces.asked > before) {
      before = pieces.asked;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(pieces.asked).toBeLessThan(200);
    socket.destroy();
    await server.stop();
  });

  it('is not read at all for HEAD', async () => {
    const { pieces, handlers } = endlessList();
    const server = await serveContract(listing, handlers);
    const response = await fetch(`${server.url}/list`, { method: 'HEAD' });
    expect([response.status, pieces.asked]).toEqual([200, 0]);
    await server.stop();
  });

  it('of short records and then very long ones is read in pieces of a bounded size', async () => {
    const { store } = await openStore('sqlite::memory:', definition);
    for (let i = 0; i < 100; i++) await store.notes.create({ title: 'x', body: '' });
    for (let i = 0; i < 50; i++) {
      await store.notes.create({ title: 'x', body: '\u0001'.repeat(10_000) });
    }
    const { body } = await store.notes.list({});
    const pieces = typeof body === 'string' ? [body] : await Array.fromAsync(body);
    expect(JSON.parse(pieces.join('')).length).toBe(150);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(1_000_000);
    await store.close();
  });
});

describe('many lists at once', () => {
  it('take turns, so that who connects waits for few pieces, not for one of each', async () => {
    let pieces = 0;
    async function* endless() {
      for (;;) {
        pieces++;
        const end = performance.now() + 1;
        while (performance.now() < end);
        yield '0';
      }
    }
    const server = await serveContract(listing, {
      list: () => ({ status: 200, headers: {}, body: endless() }),
    });
    const gone = new AbortController();
    const lists = await Promise.all(
      Array.from({ length: 40 }, () => fetch(`${server.url}/list`, { signal: gone.signal })),
    );
    const before = pieces;
    for (let i = 0; i < 10; i++) {
      await (await fetch(`${server.url}/none`, { headers: { connection: 'close' } })).text();
    }
    expect((pieces - before) / 10).toBeLessThan(20);
    gone.abort();
    for (const list of lists) await list.text().catch(() => {});
    await server.stop();
  });
});

describe('a client that goes away', () => {
  it('in the middle of a list is sent no more of it', async () => {
    let sent = 0;
    let ended: (value: unknown) => void = () => {};
    const end = new Promise((resolve) => {
      ended = resolve;
    });
    async function* endless() {
      try {
        for (;;) {
          sent++;
          yield '0'.repeat(100_000);
        }
      } finally {
        ended(undefined);
      }
    }
    const server = await serveContract(listing, {
      list: () => ({ status: 200, headers: {}, body: endless() }),
    });
    const gone = new AbortController();
    const response = await fetch(`${server.url}/list`, { signal: gone.signal });
    await response.body?.getReader().read();
    gone.abort();
    await end;
    expect(sent).toBeLessThan(1000);
    expect(server.log.join()).toContain('"path":"/list","status":"aborted"');
    expect(server.log.join()).not.toContain('failed');
    await server.stop();
  });

  it('in the middle of its body, or before it has said anything, does no harm', async () => {
    const { hostname, port } = new URL(server.url);
    const head = 'POST /books HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    for (const text of ['', 'GET', `${head}Content-Length: 100\r\n\r\n{"title"`]) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 20));
        });
        socket.once('close', () => resolve());
      });
    }
    expect((await api({ path: '/readyz' })).status).toBe(200);
    expect((await api({ path: '/books' })).json).toEqual([]);
    expect(server.log.filter((line) => line.includes('failed'))).toEqual([]);
  });
});

async function* failing() {
  yield '[1';
  await new Promise((resolve) => setTimeout(resolve, 20));
  throw new Error('the disk is gone');
}
