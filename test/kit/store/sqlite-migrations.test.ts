import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { migrateTables } from '../../../src/kit/store/sqlite/sqlite-migrations.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-sqlite-migrations-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

/** A folder with so many migrations, each of which makes a table. */
function migrationsOf(size: number): URL {
  const path = join(folder, String(count++));
  mkdirSync(join(path, 'sqlite'), { recursive: true });
  for (let i = 1; i <= size; i++) {
    writeFileSync(join(path, 'sqlite', `00${i}-step.sql`), `CREATE TABLE t${i} (a)`);
  }
  return pathToFileURL(`${path}/`);
}

const tablesIn = (database: DatabaseSync) =>
  database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 't_'")
    .all()
    .map(({ name }) => name);

describe('a database of SQLite', () => {
  // The kit has migrations of its own, which are counted too.
  it.each([0, 1, 2, 3])('is new with %i migrations, and is migrated once', (size) => {
    const database = new DatabaseSync(':memory:');
    const migrations = migrationsOf(size);
    const outcomes = [1, 2].map(() => migrateTables(database, true, migrations));
    expect(outcomes).toEqual([{ isNew: true }, { isNew: false }]);
    expect(tablesIn(database)).toEqual(['t1', 't2', 't3'].slice(0, size));
    database.close();
  });
});
