import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { api as definition } from '../../../src/api/api.ts';
import { tables } from '../../../src/api/tables.ts';
import { readContract } from '../../../src/kit/contract/contract.ts';
import { fromJson, whole } from '../../../src/kit/json-text.ts';
import { createLog } from '../../../src/kit/observe/log.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { readinessHandlers } from '../../../src/kit/rest/readiness.ts';
import { serve } from '../../../src/kit/serve.ts';
import { columnName } from '../../../src/kit/store/columns.ts';
import { readMigrations } from '../../../src/kit/store/migrations.ts';
import { openStore } from '../../../src/kit/store/open-store.ts';
import { connect } from '../../../src/kit/store/sqlite/sqlite-statements.ts';
import { atOnce } from '../../../tools/support/server-process.ts';
import { createClient } from '../../support/client.ts';
import { collections, samples } from '../../support/collections.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the tables', () => {
  it.each(collections)('%s has the columns that the contract has properties', async (name) => {
    const file = join(folder, `${name}.db`);
    await (await openStore(`sqlite:${file}`, definition)).store.close();
    const database = new DatabaseSync(file);
    const columns = database.prepare(`PRAGMA table_info(${name})`).all();
    database.close();
    const contract = await readContract(new URL('../../../openapi.yaml', import.meta.url));
    const { routes, document } = contract;
    const listing = document.paths[routes(`/${name}`)?.route.path ?? '']?.get?.responses['200'];
    const media = Object(listing).content['application/json'];
    const list = Object(document.components?.schemas)[media.schema.$ref.split('/').at(-1)];
    const record = Object(document.components?.schemas)[list.items.$ref.split('/').at(-1)];
    const properties = Object.keys(record.properties);
    const stored = columns.map((column) => column.name).filter((column) => column !== 'version');
    expect(stored.map((column) => `"${column}"`)).toEqual(properties.map(columnName));
    expect(['id', ...Object.keys(tables[name].columns)]).toEqual(properties);
  });
});

describe('a database', () => {
  it('is written with a log that is flushed at each commit, and foreign keys are held', async () => {
    const file = join(folder, 'durable.db');
    const { store } = await openStore(`sqlite:${file}`, definition);
    await store.books.create(samples.books.input);
    const other = new DatabaseSync(file);
    expect(other.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    other.close();
    await store.close();
  });

  it('of a newer server is refused', async () => {
    const file = join(folder, 'newer.db');
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 999');
    database.close();
    await expect(openStore(`sqlite:${file}`, definition)).rejects.toThrow(
      'the database is at version 999',
    );
  });

  it('that is damaged, or none at all, is refused', async () => {
    const file = join(folder, 'damaged.db');
    writeFileSync(file, 'This is not a database, however long it is looked at.'.repeat(100));
    await expect(openStore(`sqlite:${file}`, definition)).rejects.toThrow(
      'is damaged, restore it from a copy',
    );
    const torn = join(folder, 'torn.db');
    const { store } = await openStore(`sqlite:${torn}`, definition);
    for (let i = 0; i < 200; i++) await store.notes.create({ title: 'x', body: 'y'.repeat(500) });
    await store.close();
    const bytes = readFileSync(torn);
    bytes.fill(0xff, bytes.length - 40_000, bytes.length - 20_000);
    writeFileSync(torn, bytes);
    await expect(openStore(`sqlite:${torn}`, definition)).rejects.toThrow(
      'is damaged, restore it from a copy',
    );
    await expect(openStore(`sqlite:${folder}`, definition)).rejects.toThrow('cannot be opened');
  });

  it('that is not up to date is refused by a server that may not migrate', async () => {
    const url = `sqlite:${join(folder, 'older.db')}`;
    const names = readMigrations(definition.migrations, 'sqlite').map(({ name }) => name);
    await expect(openStore(url, { ...definition, mayMigrate: false })).rejects.toThrow(
      `the database lacks ${names.join(', ')} and MIGRATE is off: run npm run migrate`,
    );
  });

  it('keeps what was stored when it is opened again, and goes on with the next id', async () => {
    const url = `sqlite:${join(folder, 'again.db')}`;
    const first = await openStore(url, definition);
    expect(await first.ready).toEqual({ isNew: true });
    const { id } = await first.store.notes.create(samples.notes.input);
    await first.store.notes.remove(id);
    await first.store.close();
    const second = await openStore(url, definition);
    expect(await second.ready).toEqual({ isNew: false });
    expect((await second.store.notes.create(samples.notes.input)).id).toBe(id + 1);
    await second.store.close();
  });
});

describe('a page', () => {
  it('is one statement, so that what another process deletes does not come in between', async () => {
    const file = join(folder, 'page.db');
    let statements = 0;
    const onStatement = () => {
      if (++statements === 2) other.exec('DELETE FROM books WHERE id <= 5');
    };
    const { store } = await openStore(`sqlite:${file}`, { ...definition, onStatement });
    const other = new DatabaseSync(file);
    other.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
      INSERT INTO books (title, pages) SELECT 'x', i FROM n`);
    const { body, next } = await store.books.list({ limit: 16 });
    expect(typeof body === 'string' && JSON.parse(body).length).toBe(16);
    expect([next, statements]).toEqual([16, 1]);
    other.close();
    await store.close();
  });

  it.each([
    ['short', 300, '', 100],
    ['long', 50, 'x'.repeat(10_000), 0],
  ])(
    'of %s records that are deleted before they are read is still JSON',
    async (_, count, body, left) => {
      const { store } = await openStore('sqlite::memory:', definition);
      for (let i = 0; i < count; i++) await store.notes.create({ title: 'x', body });
      const list = await store.notes.list({});
      for (let id = 1; id <= count; id++) await store.notes.remove(id);
      expect(fromJson(await whole(list.body)).length).toBe(left);
      await store.close();
    },
  );
});

describe('a statement', () => {
  it('that breaks a rule of the tables fails as itself: the database is well', async () => {
    const database = new DatabaseSync(':memory:');
    database.exec('CREATE TABLE t (a INTEGER CHECK (a > 0))');
    const { db, close } = connect(database, {
      onStatement: () => {},
      onTimed: () => {},
      listTimeout: 10_000,
    });
    const insert = db.write('INSERT INTO t VALUES ($1)', () => {});
    await expect(insert(0)).rejects.toThrow('CHECK constraint');
    close();
  });
});

describe('a database that another process has locked', () => {
  it('is waited for by processes that create it at once', async () => {
    const program = fileURLToPath(new URL('../../support/open-databases.ts', import.meta.url));
    const processes = [fork(program), fork(program), fork(program)];
    const said = new Set<unknown>();
    for (let at = 0; at < 60; at += 1) {
      const address = `sqlite:${join(folder, `at-once-${at}.db`)}`;
      const answers = processes.map((opener) => once(opener, 'message'));
      for (const opener of processes) opener.send(address);
      for (const [answer] of await Promise.all(answers)) said.add(answer);
    }
    for (const opener of processes) opener.disconnect();
    expect([...said]).toEqual(['opened']);
  });

  it('is 503 with Retry-After for a write, and serves again afterwards', async () => {
    const file = join(folder, 'locked.db');
    const log: string[] = [];
    const config = readSettings({ PORT: '0', ...atOnce, DATABASE_URL: `sqlite:${file}` });
    const server = await serve(definition, {
      settings: config,
      log: createLog('error', (line) => log.push(line)),
    });
    const api = await createClient(server.url);
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const post = () => api({ method: 'POST', path: '/books', json: samples.books.input });
    const refused = await post();
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('1');
    expect(log.join()).toContain('database is locked');
    expect((await api({ path: '/books' })).json).toEqual([]);
    other.exec('ROLLBACK');
    expect((await post()).status).toBe(201);
    other.close();
    await server.stop();
  });
});

describe('readiness', () => {
  it('is refused while the server drains, though the database answers', async () => {
    const { store } = await openStore('sqlite::memory:', definition);
    const draining = readinessHandlers(store, () => true);
    await expect(draining.getReadiness()).rejects.toThrow('unavailable');
    expect(draining.getHealth().status).toBe(200);
    await store.close();
  });
});
