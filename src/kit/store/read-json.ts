import { andThen, type MaybePromise } from '../maybe-promise.ts';
import type { Database, ReadOne } from './database.ts';
import { isNested, type JsonAsked, type JsonQuery, type JsonRoom } from './json-query.ts';
import { DECLINED, type JsonStatement, jsonSql } from './json-query-sql.ts';
import { tablesOf } from './table.ts';
import type { Tables } from './table-declarations.ts';

type PreparedJson = Pick<JsonStatement, 'values' | 'ids'> & { readonly run: ReadOne<string> };

/** Reads records of several tables as one JSON text, by one statement. */
export type ReadJson = {
  /** Throws where the questions are none for one statement; they are in the order of the query's `at`. */
  prepare(query: JsonQuery, asked: readonly JsonAsked[], room: JsonRoom): PreparedJson;
  /**
   * Runs a statement for questions that differ from those that it was made for in their ids at most. undefined where
   * there is more than `room`, or a value that has not the form that was asked for.
   */
  read(statement: PreparedJson, asked: readonly JsonAsked[]): MaybePromise<string | undefined>;
};

/** Where a store has it: the other names of a store are its tables. */
export const readJson: unique symbol = Symbol('readJson');

export type JsonStore = { readonly [readJson]: ReadJson };

const declined = JSON.stringify(DECLINED);

export function createReadJson(db: Database, declared: Tables): ReadJson {
  const tables = new Map(tablesOf(declared).map((table) => [table.name, table]));
  const { dialect } = db;
  return {
    prepare(query, asked, room) {
      const { sql, values, ids } = jsonSql({ dialect, tables, asked }, query, room);
      // Each parameter is cast to its type. Lists may be long: they would hold up others.
      const types = hasList(query) ? undefined : values.map(() => 'text');
      return { values, ids, run: db.readOne(sql, types, ([json]: [string]) => json) };
    },
    read({ values, ids, run }, asked) {
      const given = [...values];
      for (const [i, at] of ids) given[i] = asked[at]?.id ?? null;
      return andThen(run(...given), (json) => (json?.includes(declined) ? undefined : json));
    },
  };
}

function hasList(query: JsonQuery): boolean {
  return query.some(
    ({ value }) => value.kind === 'list' || (isNested(value) && hasList(value.members)),
  );
}
