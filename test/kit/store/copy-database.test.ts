// engines: postgres
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { copySqliteToPostgres } from '../../../src/kit/store/copy-database.ts';
import { openStore } from '../../../src/kit/store/open-store.ts';
import { collection, records } from '../../../src/kit/store/table-declarations.ts';
import { needPostgres, newDatabase } from '../../support/engine.ts';
import { draftedMigrations } from '../../support/table-store.ts';

needPostgres();

const folder = mkdtempSync(join(tmpdir(), 'accord-copy-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a copy of one table', () => {
  const tables = { things: collection<{ id: number; name: string }>({ name: 'text' }) };
  const { migrations, remove } = draftedMigrations(tables);
  afterAll(remove);

  /** A file with so many things. */
  async function filled(name: string, count: number): Promise<string> {
    const file = join(folder, name);
    const { store } = await openStore(`sqlite:${file}`, { tables, migrations });
    for (let i = 0; i < count; i++) await store.things.create({ name: String(i) });
    await store.close();
    return file;
  }

  it('is one of a moment, whatever is written meanwhile, and leaves the file alone', async () => {
    const file = await filled('moment.db', 3);
    const other = new DatabaseSync(file);
    const write = () => other.exec("INSERT INTO things (name) VALUES ('late')");
    const to = await newDatabase();
    const counts = await copySqliteToPostgres(file, to, { tables, migrations }, (name, done) => {
      if (name === 'things' && done === 0) write();
    });
    expect(counts.get('things')).toBe(3);
    const { store, ready } = await openStore(to, { tables, migrations });
    await ready;
    expect((await store.things.page({ limit: 9 })).map(({ name }) => name)).toEqual([
      '0',
      '1',
      '2',
    ]);
    expect((await store.things.create({ name: 'next' })).id).toBe(4);
    await store.close();
    // Nobody reads an older state of it any more.
    expect(other.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()).toMatchObject({ busy: 0 });
    other.close();
  });

  it('gives the id 1 where the ids of the file were set back', async () => {
    const file = await filled('reset.db', 1);
    const source = new DatabaseSync(file);
    source.exec('DELETE FROM things; UPDATE sqlite_sequence SET seq = 0');
    source.close();
    const to = await newDatabase();
    await copySqliteToPostgres(file, to, { tables, migrations }, () => {});
    const { store, ready } = await openStore(to, { tables, migrations });
    await ready;
    expect(await store.things.create({ name: 'first' })).toMatchObject({ id: 1 });
    await store.close();
  });

  it('is refused of a file that lacks a migration', async () => {
    const empty = join(folder, 'empty.db');
    new DatabaseSync(empty).close();
    await expect(
      copySqliteToPostgres(empty, await newDatabase(), { tables, migrations }, () => {}),
    ).rejects.toThrow('the database lacks 001-things and MIGRATE is off');
  });

  it('is refused where others use the other database for too long, and leaves no session', async () => {
    const file = await filled('used.db', 1);
    const to = await newDatabase();
    const { store, ready } = await openStore(to, { tables, migrations });
    await ready;
    await store.close();
    const other = new Client({ connectionString: to });
    await other.connect();
    await other.query('BEGIN; SELECT FROM things');
    const address = new URL(to);
    address.searchParams.set('lock_timeout', '100');
    const copy = () => copySqliteToPostgres(file, address.href, { tables, migrations }, () => {});
    await expect(copy()).rejects.toThrow('lock timeout');
    await other.query('COMMIT');
    expect((await copy()).get('things')).toBe(1);
    const sessions =
      'SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
    await vi.waitFor(async () => expect((await other.query(sessions)).rows).toEqual([]), {
      timeout: 20_000,
    });
    await other.end();
  });

  it('is refused where the other database adds records of its own', async () => {
    const file = await filled('more.db', 500);
    const to = await newDatabase();
    const { store, ready } = await openStore(to, { tables, migrations });
    await ready;
    await store.close();
    const other = new Client({ connectionString: to });
    await other.connect();
    await other.query(`CREATE FUNCTION more() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO things (id, name) OVERRIDING SYSTEM VALUE VALUES (1000, 'more'); RETURN NULL; END $$`);
    await other.query(
      'CREATE TRIGGER more AFTER INSERT ON things FOR EACH ROW WHEN (NEW.id = 500) EXECUTE FUNCTION more()',
    );
    const copy = copySqliteToPostgres(file, to, { tables, migrations }, () => {});
    await expect(copy).rejects.toThrow('things: 501 of 500 copied');
    expect((await other.query('SELECT FROM things')).rows.length).toBe(0);
    await other.end();
  });
});

it('a file with a record that refers to none is refused, and nothing is copied', async () => {
  const tables = {
    owners: collection<{ id: number; name: string }>({ name: 'text' }),
    pets: records<{ id: number; ownerId: number }>({
      ownerId: { type: 'integer', references: { table: 'owners', onDelete: 'restrict' } },
    }),
  };
  const { migrations, remove } = draftedMigrations(tables);
  const file = join(folder, 'orphan.db');
  const { store } = await openStore(`sqlite:${file}`, { tables, migrations });
  const { id: ownerId } = await store.owners.create({ name: 'x' });
  await store.pets.create({ ownerId });
  await store.close();
  const broken = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  broken.exec('DELETE FROM owners');
  broken.close();
  const to = await newDatabase();
  const copy = copySqliteToPostgres(file, to, { tables, migrations }, () => {});
  await expect(copy).rejects.toThrow('violates foreign key constraint');
  const target = await openStore(to, { tables, migrations });
  await target.ready;
  expect(await target.store.pets.page({ limit: 1 })).toEqual([]);
  await target.store.close();
  remove();
});
