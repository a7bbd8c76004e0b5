import { ApiError } from '../errors.ts';
import { andThen } from '../maybe-promise.ts';
import {
  type AnyRecord,
  type Column,
  columnName,
  columnsOf,
  recordOf,
  sqlTypes,
  textLengthOf,
  type Value,
} from './columns.ts';
import type { Database, Query } from './database.ts';
import type { ChildRecords, Records } from './store.ts';
import type { ChildTable, RecordsTable } from './table-declarations.ts';

/** The records of a table without a parent. */
export function createRecords(
  db: Database,
  table: string,
  { columns: declared, unique }: RecordsTable,
): Records<AnyRecord> {
  const columns = columnsOf(declared);
  const common = createCommon(db, table, columns);
  const values = columns.map(({ type }, i) => `CAST($${i + 1} AS ${sqlTypes[type]})`);
  const same = columns.findIndex(({ field }) => field === unique) + 1;
  // A refused insert may use up an id, so it is not attempted; of two at the same time the table's
  // constraint refuses one.
  const insert = common.insert(
    unique
      ? `SELECT ${values.join()}
         WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${columnName(unique)} = $${same})`
      : `VALUES (${values.join()})`,
  );
  return {
    ...common.readable,
    async create(fields) {
      const record = await insert(fields);
      if (!record) throw new ApiError('conflict');
      return record;
    },
  };
}

/** The records of a table that belong to those of another. */
export function createChildRecords(
  db: Database,
  table: string,
  { columns: declared, parent }: ChildTable,
): ChildRecords<AnyRecord> {
  const columns = columnsOf(declared);
  const common = createCommon(db, table, columns);
  const name = columnName(parent.field);
  const parentId = (record: AnyRecord) => Number(record[parent.field]);
  // In the order of the index on the parent, so that LIMIT ends the scan and nothing is sorted.
  const children = common.select(
    `WHERE ${name} IN (${db.dialect.numbers('$1')}) AND (${name}, id) > ($2, $3)
     ORDER BY ${name}, id ${limit('$4')}`,
  );
  const at = columns.findIndex(({ field }) => field === parent.field);
  const values = columns.map(({ type }, i) =>
    i === at ? 'id' : `CAST($${i + 1} AS ${sqlTypes[type]})`,
  );
  const insert = common.insert(
    `SELECT ${values.join()} FROM ${parent.table} WHERE id = $${at + 1}`,
  );
  return {
    ...common.readable,
    ofParents(ids, { after, limit }) {
      const last = after ? parentId(after) : 0;
      const remaining = after ? ids.filter((id) => id >= last) : ids;
      return children(JSON.stringify(remaining), last, after?.id ?? 0, limit);
    },
    parentId,
    create: insert,
  };
}

// SQLite prepares a statement anew for each value of a bare parameter in LIMIT, which takes 4 to 10 µs.
const limit = (parameter: string) => `LIMIT CAST(${parameter} AS integer)`;

function createCommon(db: Database, table: string, columns: readonly Column[]) {
  const names = columns.map(({ name }) => name).join();
  const record = recordOf(columns);
  const select = (where: string) => db.read(`SELECT id, ${names} FROM ${table} ${where}`, record);
  const page = select(`WHERE id > $1 ORDER BY id ${limit('$2')}`);
  const byId = select('WHERE id = $1');
  const find = (id: number) => andThen(byId(id), ([found]) => found);
  const updates = new Map<string, Query<AnyRecord>>();

  return {
    select,
    /** Inserts what a SELECT gives; undefined when it gives no row. */
    insert(selected: string) {
      const insert = db.insert(table, `(${names}) ${selected}`);
      return async (fields: Omit<AnyRecord, 'id'>): Promise<AnyRecord | undefined> => {
        const values = columns.map(({ field }) => fields[field] ?? null);
        const id = await insert(...values);
        return id === undefined ? undefined : record([id, ...values]);
      };
    },
    readable: {
      find,
      page: ({ limit, after }: { limit: number; after?: AnyRecord | undefined }) =>
        page(after?.id ?? 0, limit),
      textLength: textLengthOf(columns),
      async update(id: number, changes: Partial<Omit<AnyRecord, 'id'>>) {
        const changed = columns.filter(({ field }) => changes[field] !== undefined);
        if (changed.length === 0) return find(id);
        const set = changed.map(({ name }, i) => `${name} = $${i + 2}`).join();
        const update =
          updates.get(set) ??
          db.write(`UPDATE ${table} SET ${set} WHERE id = $1 RETURNING id, ${names}`, record);
        updates.set(set, update);
        return (await update(id, ...changed.map(({ field }): Value => changes[field] ?? null)))[0];
      },
    },
  };
}
