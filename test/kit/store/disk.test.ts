// slow: starts processes
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { api as definition } from '../../../src/api/api.ts';
import { openStore } from '../../../src/kit/store/open-store.ts';
import { atOnce, spawnServer } from '../../../tools/support/server-process.ts';
import { type Client, createClient } from '../../support/client.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-'));
afterAll(() => rmSync(folder, { recursive: true }));

// Linux sends this signal with the refusal of a write; who does not listen to it is ended.
const listening = ['--import', 'data:text/javascript,process.on("SIGXFSZ",()=>{})'];

/** From now on no file of a process may be written beyond this size. */
function limitFiles(pid: number | undefined, size: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${size}:unlimited`]);
}

describe('a disk that takes no writes', () => {
  it('is 503 for writes in both protocols, reads go on, and so do writes afterwards', async () => {
    const env = { DATABASE_URL: `sqlite:${join(folder, 'refusing.db')}`, ...atOnce };
    const server = spawnServer(env, listening);
    const api = await createClient(await server.ready());
    expect((await post(api, 'before')).status).toBe(201);

    limitFiles(server.child.pid, '0');
    for (let i = 0; i < 3; i++) {
      const { status, headers, json } = await post(api, 'meanwhile');
      expect([status, headers['retry-after'], json.status]).toEqual([503, '1', 503]);
    }
    const query = 'mutation { addTodo(title: "meanwhile") { id } }';
    const refused = await api({ method: 'POST', path: '/graphql', json: { query } });
    expect(refused.json.errors[0].extensions.code).toBe('UNAVAILABLE');
    expect((await api({ path: '/tasks' })).json).toMatchObject([{ title: 'before' }]);
    expect((await api({ path: '/readyz' })).status).toBe(200);

    limitFiles(server.child.pid, 'unlimited');
    expect((await post(api, 'afterwards')).status).toBe(201);
    const { json } = await api({ path: '/tasks' });
    expect(json.map(Object).map(({ title }: { title: string }) => title)).toEqual([
      'before',
      'afterwards',
    ]);
    server.child.kill();
    expect(await server.ended()).toBe(0);
  });
});

describe('a database file', () => {
  it.each<[string, (file: string) => void]>([
    ['removed', (file) => rmSync(file)],
    ['replaced', (file) => renameSync(copied(file), file)],
  ])(
    'that is %s while it is served makes the server unready, which says why',
    async (name, meddle) => {
      const file = join(folder, `${name}.db`);
      const server = spawnServer({ DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: 'info', ...atOnce });
      const api = await createClient(await server.ready());
      expect((await api({ path: '/readyz' })).status).toBe(200);
      meddle(file);
      expect((await api({ path: '/readyz' })).status).toBe(503);
      expect((await api({ path: '/healthz' })).status).toBe(200);
      server.child.kill();
      await server.ended();
      expect(server.output()).toContain(`${file} was removed or replaced: restart the server`);
    },
  );
});

function copied(file: string): string {
  copyFileSync(file, `${file}.copy`);
  return `${file}.copy`;
}

describe('a place where no file can be made', () => {
  it('is named in the one line that the start ends with', async () => {
    writeFileSync(join(folder, 'file'), '');
    for (const name of ['.', 'file/x.db']) {
      const server = spawnServer({ DATABASE_URL: `sqlite:${join(folder, name)}` });
      expect(await server.ended()).toBe(1);
      expect(server.output()).toMatch(/^accord: .*\n$/);
      expect(server.output()).toContain(folder);
    }
  });
});

describe('a file that is damaged while it is served', () => {
  it('is 503 where the damage is met, and the process goes on', async () => {
    const file = join(folder, 'damaged.db');
    const env = { DATABASE_URL: `sqlite:${file}`, ...atOnce };
    const { store } = await openStore(env.DATABASE_URL, definition);
    const note = { title: 'x', body: 'x'.repeat(9000) };
    await Promise.all(Array.from({ length: 1000 }, () => store.notes.create(note)));
    await store.close();

    const server = spawnServer(env);
    const api = await createClient(await server.ready());
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0x5a, 4096 * 40, bytes.length - 4096), { flag: 'r+' });
    const answers = await Promise.all([1, 500, 900].map((id) => api({ path: `/notes/${id}` })));
    expect(answers.map(({ status }) => status)).toContain(503);
    expect((await api({ path: '/healthz' })).status).toBe(200);
    server.child.kill();
    expect(await server.ended()).toBe(0);

    const again = spawnServer(env);
    expect(await again.ended()).toBe(1);
    expect(again.output()).toContain('is damaged, restore it from a copy');
  });
});

function post(api: Client, title: string) {
  return api({ method: 'POST', path: '/tasks', json: { title } });
}
