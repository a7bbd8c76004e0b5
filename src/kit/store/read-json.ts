import { andThen, type MaybePromise } from '../maybe-promise.ts';
import type { Database } from './database.ts';
import type { JsonAsked, JsonQuery, JsonRoom } from './json-query.ts';
import { DECLINED, type JsonStatement, jsonSql } from './json-query-sql.ts';
import { createShapes } from './question-shapes.ts';
import { tablesOf } from './table.ts';
import type { Tables } from './table-declarations.ts';

/** Reads records of several tables as one JSON text, by one statement. */
export type ReadJson = {
  /** Throws where the questions are none for one statement; they are in the order of the query's `at`. */
  prepare(query: JsonQuery, asked: readonly JsonAsked[], room: JsonRoom): JsonStatement;
  /**
   * Runs a statement for questions that differ from those that it was made for in their ids at most. undefined where
   * there is more than `room`, or a value that has not the form that was asked for.
   */
  read(statement: JsonStatement, asked: readonly JsonAsked[]): MaybePromise<string | undefined>;
};

/** Where a store has it: the other names of a store are its tables. */
export const readJson: unique symbol = Symbol('readJson');

export type JsonStore = { readonly [readJson]: ReadJson };

const declined = JSON.stringify(DECLINED);

export function createReadJson(db: Database, declared: Tables): ReadJson {
  const tables = new Map(tablesOf(declared).map((table) => [table.name, table]));
  const { dialect } = db;
  const run = createShapes<readonly [json: string]>(db);
  return {
    prepare: (query, asked, room) => jsonSql({ dialect, tables, asked }, query, room),
    read({ sql, values, ids }, asked) {
      const given = [...values];
      for (const [i, at] of ids) given[i] = asked[at]?.id ?? null;
      return andThen(run({ sql, values: given }), ([row]) =>
        row === undefined || row[0].includes(declined) ? undefined : row[0],
      );
    },
  };
}
