import { ApiError, present } from '../errors.ts';
import { fromJson, type Json } from '../json-text.ts';
import { andThen } from '../maybe-promise.ts';
import type { AnyFields, AnyRecord, Value } from './columns.ts';
import { conditionalWrite } from './conditional-write.ts';
import { brokenReference, type Database, step } from './database.ts';
import type { Idempotent } from './idempotency.ts';
import { createLists } from './listing.ts';
import { createReading } from './reading.ts';
import { createRelations } from './relations.ts';
import type { Collection, Condition, Key, Stored } from './store.ts';
import { storedJson, storedValues } from './stored-value.ts';
import type { Table } from './table.ts';

/** A collection on its table. The database makes the JSON of what is read. */
export function createCollection(
  db: Database,
  idempotent: Idempotent,
  table: Table,
): Collection<AnyRecord, AnyFields> {
  const { columns } = table;
  const record = db.dialect.record(columns);

  const stored = ([id, version, json]: [number, number, Json<AnyRecord>]): Stored<AnyRecord> => ({
    id,
    version,
    json,
  });
  const get = db.readOne(
    `SELECT id, version, ${record} FROM ${table.sql} WHERE id = $1`,
    ['bigint'],
    stored,
  );
  const { row, writing, changing, removing } = createRelations(db, table);
  const insert = db.insert(table.sql, row);
  const insertStep = step(`INSERT INTO ${table.sql} ${row.sql} RETURNING id`, only<number>);
  const changes = columns.map(({ name }, i) => `${name} = $${i + 2}`);
  const replace = conditionalWrite(db, {
    sql: (where) => `UPDATE ${table.sql} SET ${[...changes, 'version = version + 1'].join()}
      WHERE ${where} RETURNING id, version, ${record}`,
    values: columns.length,
    make: stored,
  });
  const remove = conditionalWrite(db, {
    sql: (where) => `DELETE FROM ${table.sql} WHERE ${where} RETURNING id`,
    values: 0,
    make: only<number>,
  });

  function created(id: number, values: readonly Value[]): Stored<AnyRecord> {
    // It has the id and every field of the record.
    const json = storedJson(id, columns, values) as Json<AnyRecord>;
    return { id, version: 1, json };
  }

  function createOnce(values: readonly Value[], { caller, key }: Key): Promise<Stored<AnyRecord>> {
    const attempt = { key: [table.name, caller, key], request: values };
    return idempotent(attempt, function* () {
      const [id] = yield* insertStep(...values);
      if (id === undefined) throw brokenReference(undefined);
      return created(id, values);
    });
  }

  /** The row of a conditional write; undefined if there is no such record. */
  async function written<T>([row]: T[], id: number, condition: Condition | undefined) {
    if (!row && condition && (await get(id))) throw new ApiError('precondition-failed');
    return row;
  }

  return {
    ...createReading(db, table),
    ...createLists(db, table),
    find: (id) => andThen(get(id), (found) => found && fromJson(found.json)),
    get,
    create: async (fields, key) => {
      const values = storedValues(columns, fields);
      if (key) return writing(fields, () => createOnce(values, key));
      return created(present(await writing(fields, () => insert(...values))), values);
    },
    replace: async (id, fields, condition) => {
      const values = storedValues(columns, fields);
      const rows = await changing(fields, () => replace(id, condition, values));
      return written(rows, id, condition);
    },
    remove: async (id, condition) => {
      const rows = await removing(id, () => remove(id, condition, []));
      return (await written(rows, id, condition)) !== undefined;
    },
  };
}

/** The column of a statement that has one. */
function only<T>([column]: [T]): T {
  return column;
}
