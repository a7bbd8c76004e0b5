import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate, migrateTables } from '../../../src/kit/store/sqlite/sqlite-migrations.ts';
import { records } from '../../../src/kit/store/table-declarations.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-sqlite-migrations-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
let database: DatabaseSync;
beforeEach(() => {
  database = new DatabaseSync(':memory:');
});
afterEach(() => database.close());

/** A folder with these migrations. */
function migrationsOf(...files: readonly string[]): URL {
  const path = join(folder, String(count++));
  mkdirSync(join(path, 'sqlite'), { recursive: true });
  for (const [i, sql] of files.entries()) {
    writeFileSync(join(path, 'sqlite', `00${i + 1}-step.sql`), sql);
  }
  return pathToFileURL(`${path}/`);
}

const all = (sql: string) =>
  database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }));
const tables = () =>
  all(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
    ORDER BY name`).map(({ name }) => name);
const recorded = () => all('SELECT name, needs FROM migrations ORDER BY name');
const version = () => all('PRAGMA user_version')[0]?.user_version;
const [one, two, three] = ['CREATE TABLE t1 (a)', 'CREATE TABLE t2 (a)', 'CREATE TABLE t3 (a)'];
const steps = [one, two, three] as const;
const record = (name: string, needs: string | null = null) => ({ name, needs });
const own = ['first_answers', 'migrations'];

describe('a database of SQLite', () => {
  // The kit has a migration of its own, which is counted too.
  it.each([0, 1, 2, 3])('is new with %i migrations, and is migrated once', (size) => {
    const migrations = migrationsOf(...steps.slice(0, size));
    const outcomes = [1, 2].map(() => migrateTables(database, true, migrations));
    expect(outcomes).toEqual([{ isNew: true }, { isNew: false }]);
    expect(tables()).toEqual([...own, ...['t1', 't2', 't3'].slice(0, size)]);
    expect(version()).toBe(size);
    expect(database.isTransaction).toBe(false);
  });

  it('is given the migrations and the tables of the kit that it lacks', () => {
    migrateTables(database, true, migrationsOf(one));
    database.exec('INSERT INTO t1 VALUES (7); DROP TABLE first_answers');
    expect(migrateTables(database, true, migrationsOf(one))).toEqual({ isNew: false });
    expect(tables()).toEqual([...own, 't1']);
    expect(migrateTables(database, true, migrationsOf(one, two))).toEqual({ isNew: false });
    expect(tables()).toEqual([...own, 't1', 't2']);
    expect(recorded()).toEqual([record('001-step'), record('002-step')]);
    expect(all('SELECT a FROM t1')).toEqual([{ a: 7 }]);
  });

  it('is told what its migrations need that contract', () => {
    const dropped = '-- contract after 001-step: nobody reads it\nDROP TABLE t1';
    migrateTables(database, true, migrationsOf(one, dropped, three));
    expect(recorded()).toEqual([
      record('001-step'),
      record('002-step', '001-step'),
      record('003-step'),
    ]);
    // An older release knows the first, another one nothing of it.
    expect(migrateTables(database, true, migrationsOf(one))).toEqual({ isNew: false });
    expect(version()).toBe(3);
    database.exec("UPDATE migrations SET needs = '000-other' WHERE name = '002-step'");
    expect(() => migrateTables(database, true, migrationsOf(one))).toThrow(
      'the database has 002-step, which needs a server that knows 000-other',
    );
  });

  it('of a newer release keeps its version when the kit’s own table is made', () => {
    migrateTables(database, true, migrationsOf(one, two, three));
    database.exec('DROP TABLE first_answers');
    expect(migrateTables(database, true, migrationsOf(one))).toEqual({ isNew: false });
    expect(version()).toBe(3);
    expect(tables()).toEqual([...own, 't1', 't2', 't3']);
  });

  it('whose migrations have no names yet is taken over with its records', () => {
    migrateTables(database, true, migrationsOf(one, two));
    database.exec('INSERT INTO t1 VALUES (7); DROP TABLE migrations');
    const off = () => migrateTables(database, false, migrationsOf(one, two));
    expect(off()).toEqual({ isNew: false });
    expect(tables()).toEqual(['first_answers', 't1', 't2']);
    expect(migrateTables(database, true, migrationsOf(one, two))).toEqual({ isNew: false });
    expect(recorded()).toEqual([record('001-step'), record('002-step')]);
    expect(all('SELECT a FROM t1')).toEqual([{ a: 7 }]);
  });

  it('whose migrations tell no needs yet is taken over', () => {
    migrateTables(database, true, migrationsOf(one));
    database.exec('ALTER TABLE migrations DROP COLUMN needs');
    expect(migrateTables(database, true, migrationsOf(one, two))).toEqual({ isNew: false });
    expect(recorded()).toEqual([record('001-step'), record('002-step')]);
  });

  it('is refused, and left as it is, where something is missing and MIGRATE is off', () => {
    const off = (...files: readonly string[]) =>
      migrateTables(database, false, migrationsOf(...files));
    expect(() => off(one)).toThrow('the database lacks 001-step and MIGRATE is off');
    expect(() => off()).toThrow('the database lacks first_answers and MIGRATE is off');
    expect(tables()).toEqual([]);
    migrateTables(database, true, migrationsOf(one));
    expect(off(one)).toEqual({ isNew: false });
  });

  it('is refused where its tables are not as declared', () => {
    const declared = { t1: records<{ readonly id: number; readonly a: string }>({ a: 'text' }) };
    const right = 'CREATE TABLE t1 (id INTEGER PRIMARY KEY, a TEXT NOT NULL)';
    const opened = (sql: string) => {
      const other = new DatabaseSync(':memory:');
      try {
        return migrate(other, true, { tables: declared, migrations: migrationsOf(sql) });
      } finally {
        other.close();
      }
    };
    expect(opened(right)).toEqual({ isNew: true });
    expect(() => opened(one)).toThrow('t1 lacks the column id');
  });
});

describe('a migration of SQLite', () => {
  it.each([
    ['that fails', `${two}; ${one}`, /^the migration 002-step failed: .*t1 already exists/],
    ['that ends its transaction', `${two}; COMMIT; ${one}`, /it has a transaction command/],
    ['that begins one', 'BEGIN', /^the migration 002-step failed: it has a transaction command/],
  ])('%s is named, and the one after it is not made', (_, sql, message) => {
    expect(() => migrateTables(database, true, migrationsOf(one, sql, three))).toThrow(message);
    database.exec('ROLLBACK');
    expect(tables()).toEqual([]);
    // What is not a migration may have transactions.
    database.exec('BEGIN; COMMIT');
  });
});
