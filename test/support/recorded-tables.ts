import { DatabaseSync } from 'node:sqlite';
import type { Database } from '../../src/kit/store/database.ts';
import type { Statement } from '../../src/kit/store/question-sql.ts';
import { migrate } from '../../src/kit/store/sqlite/sqlite-migrations.ts';
import { connect } from '../../src/kit/store/sqlite/sqlite-statements.ts';
import type { StoreControls } from '../../src/kit/store/store.ts';
import { createTables } from '../../src/kit/store/store-tables.ts';
import type { StoreOf, Tables } from '../../src/kit/store/table-declarations.ts';
import { draftedMigrations } from './table-store.ts';

type Options = { readonly keyLifetime?: number; readonly listTimeout?: number };

/** Tables of the test's own on SQLite in memory, and what they prepare and read there. */
export function recordTables<T extends Tables>(
  tables: T,
  { keyLifetime = 60_000, listTimeout = 60_000 }: Options = {},
) {
  const database = new DatabaseSync(':memory:');
  const { migrations, remove } = draftedMigrations(tables);
  migrate(database, true, { tables, migrations });
  remove();
  const none = () => {};
  const { db, close } = connect(database, { onStatement: none, onTimed: none, listTimeout });
  /** The reads, in their order. */
  const ran: Statement[] = [];
  const prepared: string[] = [];
  const scans = { entered: 0, left: 0 };
  const recorded: Database = {
    ...db,
    read(sql, make) {
      prepared.push(sql);
      const read = db.read(sql, make);
      return (...values) => {
        ran.push({ sql, values: [...values] });
        return read(...values);
      };
    },
    readOne(sql, types, make) {
      prepared.push(sql);
      const read = db.readOne(sql, types, make);
      return (...values) => {
        ran.push({ sql, values: [...values] });
        return read(...values);
      };
    },
    write(sql, make) {
      prepared.push(sql);
      return db.write(sql, make);
    },
    scans: {
      longest: listTimeout,
      async enter(until) {
        scans.entered++;
        const leave = await db.scans.enter(until);
        return () => {
          scans.left++;
          leave();
        };
      },
    },
  };
  // Each table is made from its declaration; there are no controls.
  const store = createTables(recorded, tables, keyLifetime) as unknown as Omit<
    StoreOf<T>,
    keyof StoreControls
  >;
  return { store, database, ran, prepared, scans, close };
}

/** How a statement finds its rows, as SQLite tells. */
export function planOf(database: DatabaseSync, { sql, values }: Statement): string[] {
  const text = sql.replaceAll(/\$(\d+)/g, '?$1');
  const bound = values.map((value) => (typeof value === 'boolean' ? Number(value) : value));
  return database
    .prepare(`EXPLAIN QUERY PLAN ${text}`)
    .all(...bound)
    .map((row) => String(Object(row).detail));
}
