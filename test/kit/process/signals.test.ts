// long: starts processes
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/api/api.ts';
import { openStore } from '../../../src/kit/store/open-store.ts';
import { atOnce, spawnServer } from '../../../tools/support/server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-'));
afterAll(() => rmSync(folder, { recursive: true }));
const database = (name: string) => `sqlite:${join(folder, name)}`;

describe('npm start', () => {
  it('makes the database with demo data, says where to look, logs each request, drains', async () => {
    const env = { DATABASE_URL: database('deep/down/demo.db'), SEED_DEMO: 'true' };
    const first = spawnServer(env);
    const url = await first.ready();
    expect(await count(`${url}/books`)).toBe(3);
    await fetch(`${url}/books/1`, { method: 'DELETE' });
    first.child.kill('SIGTERM');
    expect(await first.ended()).toBe(0);
    expect(first.output()).toContain(`${url}/openapi.yaml`);
    expect(first.output()).toContain(`"database":"${env.DATABASE_URL}"`);
    expect(first.output()).toMatch(/"msg":"SIGTERM: draining"}\n.*"msg":"Stopped"}\n$/);
    expect(first.output()).toMatch(
      /"operation":"listBooks","method":"GET","path":"\/books","status":200,"ms":[0-9.]+}$/m,
    );

    const second = spawnServer(env);
    const again = await second.ready();
    expect(await count(`${again}/books`)).toBe(2);
    second.child.kill('SIGINT');
    expect(await second.ended()).toBe(0);
  });

  it.each([
    [{ SEED_DEMO: 'false' }, 0],
    [{}, 0],
    [{ SEED_DEMO: 'true' }, 3],
  ])(
    'puts demo data into a database that was chosen only when asked to: %j',
    async (env, records) => {
      const server = spawnServer({ DATABASE_URL: 'sqlite::memory:', ...atOnce, ...env });
      expect(await count(`${await server.ready()}/tasks`)).toBe(records);
      server.child.kill();
      await server.ended();
    },
  );

  it.each([
    ['PORT', 'x', 'accord: PORT takes a whole number from 0 to 65535, not "x"'],
    ['PORT', '65536', 'accord: PORT takes a whole number from 0 to 65535, not "65536"'],
    ['SEED_DEMO', 'yes', 'accord: SEED_DEMO takes true or false, not "yes"'],
    ['LOG_LEVEL', 'loud', 'accord: LOG_LEVEL takes info, error or silent, not "loud"'],
    ['DATABASE_URL', 'mysql://x', 'accord: DATABASE_URL takes sqlite:<file>'],
    ['DATABSE_URL', 'x', 'accord: DATABSE_URL is not a setting; did you mean DATABASE_URL?'],
  ])('%s=%s is refused by name, in one line', async (name, value, line) => {
    const server = spawnServer({ [name]: value });
    expect(await server.ended()).toBe(1);
    expect(server.output()).toContain(line);
    expect(server.output().trim().split('\n').length).toBe(1);
  });

  it.each([
    ['is not a database', writeText, 'file is not a database'],
    ['is cut short', cutShort, ''],
    ['has pages of another making', scribble, ''],
  ])('refuses a file that %s, in one line that names it', async (name, damage, reason) => {
    const file = join(folder, `${name}.db`);
    await fill(file);
    damage(file);
    const server = spawnServer({ DATABASE_URL: `sqlite:${file}` });
    expect(await server.ended()).toBe(1);
    expect(server.output()).toMatch(
      /^accord: the database .* is damaged, restore it from a copy: /,
    );
    expect(server.output()).toContain(`${file} `);
    expect(server.output()).toContain(reason);
    expect(server.output().trim().split('\n').length).toBe(1);
  });
});

describe('a signal to stop', () => {
  // A request whose body has not come keeps a drain from its end.
  async function stopping(env: Record<string, string>) {
    const server = spawnServer({ DATABASE_URL: 'sqlite::memory:', ...env });
    const url = await server.ready();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('POST /tasks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
    socket.write('Content-Length: 13\r\n\r\n{"title":');
    await once(socket, 'connect');
    await (await fetch(`${url}/readyz`)).text();
    server.child.kill('SIGTERM');
    return { server, url, socket };
  }

  /** Resolves when the signal has come to be known. */
  async function noticed(url: string): Promise<void> {
    while ((await fetch(`${url}/readyz`)).status === 200);
  }

  it('that comes while the database is awaited ends with 0, and is told', async () => {
    const server = spawnServer({ DATABASE_URL: 'postgres://u:s3cret@127.0.0.1:1/d' });
    while (!server.output().includes('waiting for the database postgres://127.0.0.1:1/d')) {
      await once(server.child.stdout ?? server.child, 'data');
    }
    server.child.kill('SIGTERM');
    expect(await server.ended()).toBe(0);
    expect(server.output()).toContain('"msg":"SIGTERM: stopped before it was ready"');
    expect(server.output()).not.toContain('s3cret');
  });

  it('fails readiness first: it is refused while all else is answered and connections are taken', async () => {
    const { server, url, socket } = await stopping({ DRAIN_DELAY: '60000' });
    await noticed(url);
    const ready = await fetch(`${url}/readyz`, { headers: { connection: 'close' } });
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1']);
    const books = await fetch(`${url}/books`, { headers: { connection: 'close' } });
    expect(books.status).toBe(200);
    server.child.kill('SIGKILL');
    await server.ended();
    socket.destroy();
  });

  it('lets a request under way finish, then ends with 0', async () => {
    const { server, socket } = await stopping({ DRAIN_DELAY: '0' });
    await sleep(500);
    socket.write('"x"}');
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1.1 201 Created\r\n/);
    expect(await server.ended()).toBe(0);
  });

  it('cuts off in the end what does not finish, and ends with 0', async () => {
    const { server, socket } = await stopping({ DRAIN_DELAY: '0', DRAIN_LONGEST: '300' });
    expect(await server.ended()).toBe(0);
    socket.destroy();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends at once with a second one, %s', async (second) => {
    const { server, url, socket } = await stopping({ DRAIN_DELAY: '600000' });
    await noticed(url);
    await sleep(500);
    server.child.kill(second);
    expect(await server.ended()).toBe(1);
    socket.destroy();
  });

  it('that comes twice at the same moment is one', async () => {
    const { server, socket } = await stopping({ DRAIN_DELAY: '0', DRAIN_LONGEST: '500' });
    server.child.kill('SIGINT');
    expect(await server.ended()).toBe(0);
    socket.destroy();
  });

  it('ends several processes at once with a second one', async () => {
    const env = { DATABASE_URL: database('workers.db'), WORKERS: '2', DRAIN_DELAY: '600000' };
    const { server, url, socket } = await stopping(env);
    await noticed(url);
    await sleep(500);
    server.child.kill('SIGTERM');
    expect(await server.ended()).toBe(1);
    while (await fetch(url).catch(() => undefined)) await sleep(10);
    socket.destroy();
  });
});

async function count(url: string): Promise<number> {
  return Object(await (await fetch(url)).json()).length;
}

/** Puts a hundred records into a new database. */
async function fill(file: string): Promise<void> {
  const { store } = await openStore(`sqlite:${file}`, api);
  const note = { title: 'x', body: 'x'.repeat(3000) };
  await Promise.all(Array.from({ length: 100 }, () => store.notes.create(note)));
  await store.close();
}

function writeText(file: string): void {
  writeFileSync(file, 'This is text and not a database. '.repeat(100));
}

function cutShort(file: string): void {
  truncateSync(file, 100_000);
}

function scribble(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0x5a, 65_536, 81_920));
}
