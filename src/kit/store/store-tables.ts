import { createCollection } from './collection.ts';
import type { AnyRecord } from './columns.ts';
import type { Database } from './database.ts';
import { createIdempotent } from './idempotency.ts';
import { createChildRecords, createRecords } from './records.ts';
import type { ChildRecords, Collection, Records } from './store.ts';
import type { Tables } from './table-declarations.ts';

export type AnyTable = Collection<AnyRecord> | Records<AnyRecord> | ChildRecords<AnyRecord>;

/** Every table that is declared, on an open database. */
export function createTables(
  db: Database,
  tables: Tables,
  keyLifetime: number,
): Record<string, AnyTable> {
  const idempotent = createIdempotent(db, keyLifetime);
  const entries = Object.entries(tables).map(([name, table]): [string, AnyTable] => {
    if (table.kind === 'collection') return [name, createCollection(db, idempotent, name, table)];
    if (table.kind === 'records') return [name, createRecords(db, name, table)];
    return [name, createChildRecords(db, name, table)];
  });
  return Object.fromEntries(entries);
}
