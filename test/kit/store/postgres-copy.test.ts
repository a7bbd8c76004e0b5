// engines: postgres
// long: starts processes
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/api/api.ts';
import { seedDemo } from '../../../src/api/demo.ts';
import { readContract } from '../../../src/kit/contract/contract.ts';
import { copySqliteToPostgres } from '../../../src/kit/store/copy-database.ts';
import { openStore } from '../../../src/kit/store/open-store.ts';
import { collection } from '../../../src/kit/store/table-declarations.ts';
import { command } from '../../../tools/support/server-command.ts';
import { collections } from '../../support/collections.ts';
import { needPostgres, newDatabase } from '../../support/engine.ts';
import { draftedMigrations } from '../../support/table-store.ts';

needPostgres();

const folder = mkdtempSync(join(tmpdir(), 'accord-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A database with everything in it, versions and gaps included. */
async function fill(name: string): Promise<string> {
  const url = `sqlite:${join(folder, name)}`;
  const { store } = await openStore(url, api);
  await seedDemo(store, await readContract(api.openapi));
  for (let i = 0; i < 1200; i++) await store.items.create({ name: `é😀\u0001"${i}`, quantity: i });
  await store.tasks.replace(1, { title: 'again', done: false });
  await store.notes.remove(2);
  await store.todos.update(1, { done: true });
  await store.close();
  return url;
}

describe('npm run copy', () => {
  it('moves every record with its id and version, says so, and refuses to do it twice', async () => {
    const from = await fill('full.db');
    const to = await newDatabase();
    const said = await command('copy', {}, [from, to]);
    expect(said).toContain('items: 1203 copied, each compared\n');
    expect(said).toContain(`notes    [${'#'.repeat(40)}] 2 of 2\n`);
    expect(said.match(/^items {4}\[/gm)).toHaveLength(1);

    const [source, target] = await Promise.all([openStore(from, api), openStore(to, api)]);
    await target.ready;
    for (const name of collections) {
      const lists = [source, target].map(async ({ store }) =>
        textOf((await store[name].list({})).body),
      );
      const [ours, theirs] = await Promise.all(lists);
      expect(theirs).toBe(ours);
    }
    for (const name of Object.keys(api.tables) as (keyof typeof api.tables)[]) {
      const page = await source.store[name].page({ limit: 1000 });
      expect(await target.store[name].page({ limit: 1000 })).toEqual(page);
    }
    expect((await target.store.tasks.get(1))?.version).toBe(2);
    expect((await target.store.notes.create({ title: 'x', body: '' })).id).toBe(4);

    expect(await command('copy', {}, [from, to])).toBe(
      'accord: books has records: a copy goes into an empty database\nended with 1',
    );
    expect(await textOf((await target.store.items.list({})).body)).toBe(
      await textOf((await source.store.items.list({})).body),
    );
    await source.store.close();
    await target.store.close();
  });

  it('tells of tables without records, too', async () => {
    const file = join(folder, 'empty.db');
    await (await openStore(`sqlite:${file}`, api)).store.close();
    const said = await command('copy', {}, [`sqlite:${file}`, await newDatabase()]);
    // The kit's own table is copied, too.
    const names = [...Object.keys(api.tables), 'first_answers'];
    const lines = [
      ...names.map((name) => `${name.padEnd(8)} [${'#'.repeat(40)}] 0 of 0`),
      ...names.map((name) => `${name}: 0 copied, each compared`),
    ];
    expect(said.trimEnd().split('\n').sort()).toEqual(lines.sort());
  });

  it('leaves nothing behind when it does not come to its end', async () => {
    const from = await fill('broken.db');
    const to = await newDatabase();
    await command('migrate', { DATABASE_URL: to });
    const other = new Client({ connectionString: to });
    await other.connect();
    await other.query('ALTER TABLE todos ADD CHECK (NOT done)');
    expect(await command('copy', {}, [from, to])).toMatch(
      /violates check constraint.*\nended with 1$/,
    );
    expect((await other.query('SELECT FROM books')).rows.length).toBe(0);
    await other.end();
  });

  it('refuses what it does not know', async () => {
    const file = join(folder, 'unknown.db');
    await (await openStore(`sqlite:${file}`, api)).store.close();
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE toys (id INTEGER)');
    database.close();
    const to = await newDatabase();
    expect(await command('copy', {}, [`sqlite:${file}`, to])).toContain(
      'does not know the table toys',
    );
    const other = new DatabaseSync(file);
    other.exec("INSERT INTO migrations (name) VALUES ('010-toys')");
    other.close();
    expect(await command('copy', {}, [`sqlite:${file}`, to])).toContain(
      'the database has 010-toys, unknown to this server: use a newer server',
    );
    expect(await command('copy', {}, [`sqlite:${file}`])).toContain('copy takes sqlite:<file>');
    expect(await command('copy', {}, ['sqlite:/absent/file.db', to])).toContain('unable to open');
  });
});

describe('the copy itself', () => {
  const fileOf = (url: string) => url.replace('sqlite:', '');

  it('tells how far it is, counts what it has copied, and refuses a database with records', async () => {
    const file = fileOf(await fill('progress.db'));
    const to = await newDatabase();
    const steps: string[] = [];
    const copy = () =>
      copySqliteToPostgres(file, to, api, (table, done, total) =>
        steps.push(`${table} ${done}/${total}`),
      );
    const counts = await copy();
    expect(counts.get('items')).toBe(1203);
    expect(counts.get('notes')).toBe(2);
    expect(steps).toEqual(
      expect.arrayContaining(['items 0/1203', 'items 500/1203', 'items 1203/1203']),
    );
    await expect(copy()).rejects.toThrow('books has records');
  });

  it('refuses a table that it does not know', async () => {
    const file = join(folder, 'odd.db');
    await (await openStore(`sqlite:${file}`, api)).store.close();
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE toys (id INTEGER)');
    database.close();
    const copy = copySqliteToPostgres(file, await newDatabase(), api, () => {});
    await expect(copy).rejects.toThrow('the copy does not know the table toys');
  });

  it('notices a record that the other database has changed, and leaves nothing behind', async () => {
    const file = fileOf(await fill('changed.db'));
    const to = await newDatabase();
    const { store, ready } = await openStore(to, api);
    await ready;
    await store.close();
    const other = new Client({ connectionString: to });
    await other.connect();
    await other.query(`CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.title := NEW.title || '!'; RETURN NEW; END $$`);
    await other.query(
      'CREATE TRIGGER change BEFORE INSERT ON todos FOR EACH ROW EXECUTE FUNCTION change()',
    );
    const copy = copySqliteToPostgres(file, to, api, () => {});
    await expect(copy).rejects.toThrow('todos after id 0 differ in the copy');
    expect((await other.query('SELECT FROM books')).rows.length).toBe(0);
    await other.end();
  });
});

describe('a copy of tables with every type of column', () => {
  type Every = {
    readonly id: number;
    readonly number: number;
    readonly at: string | null;
    readonly is?: boolean;
    readonly json?: unknown;
    readonly nextId: number | null;
    readonly version: string;
  };
  const tables = {
    'every "type"': collection<Every>({
      number: 'number',
      at: 'date-time | null',
      is: 'boolean?',
      json: 'json?',
      nextId: {
        type: 'integer | null',
        references: { table: 'every "type"', onDelete: 'cascade' },
      },
      version: 'text',
    }),
  };

  it('has the same bytes, also where records refer to later ones', async () => {
    const { migrations, remove } = draftedMigrations(tables);
    const file = join(folder, 'every.db');
    const source = await openStore(`sqlite:${file}`, { tables, migrations });
    const every = source.store['every "type"'];
    const plain = { number: 0, at: null, nextId: null, version: '' };
    const count = 1100;
    for (let i = 0; i < count; i++) await every.create(plain);
    const odd = [1e308, 5e-324, -0, 0.1, 1e21].map((number, i) => ({
      ...plain,
      number,
      at: `9999-12-31T23:59:60.${i + 1}Z`,
      is: i % 2 === 0,
      json: [null, '"', [], { a: ['\ud800', '\0', 'null', -1e-7] }, 'text', false][i],
      nextId: count - i,
      version: '\u0001é😀',
    }));
    for (const [i, fields] of odd.entries()) await every.replace(i + 1, fields);
    const to = await newDatabase();
    await copySqliteToPostgres(file, to, { tables, migrations }, () => {});
    const target = await openStore(to, { tables, migrations });
    await target.ready;
    const text = await textOf((await every.list({})).body);
    expect(text).toContain('"json":null,');
    expect(await textOf((await target.store['every "type"'].list({})).body)).toBe(text);
    expect((await target.store['every "type"'].create(plain)).id).toBe(count + 1);
    await source.store.close();
    await target.store.close();
    remove();
  });
});

async function textOf(body: string | AsyncIterable<string>): Promise<string> {
  return typeof body === 'string' ? body : (await Array.fromAsync(body)).join('');
}
