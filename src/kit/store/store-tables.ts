import { createCollection } from './collection.ts';
import type { AnyFields, AnyRecord } from './columns.ts';
import type { Database } from './database.ts';
import { createIdempotent } from './idempotency.ts';
import { createRecords } from './records.ts';
import type { Collection, Records } from './store.ts';
import { tablesOf } from './table.ts';
import type { Tables } from './table-declarations.ts';

export type AnyTable = Collection<AnyRecord, AnyFields> | Records<AnyRecord, AnyFields>;

/** Every table that is declared, on an open database. */
export function createTables(
  db: Database,
  tables: Tables,
  keyLifetime: number,
): Record<string, AnyTable> {
  const idempotent = createIdempotent(db, keyLifetime);
  const entries = tablesOf(tables).map((table): [string, AnyTable] => [
    table.name,
    table.kind === 'collection'
      ? createCollection(db, idempotent, table)
      : createRecords(db, table),
  ]);
  return Object.fromEntries(entries);
}
