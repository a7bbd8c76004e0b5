import type { Dialect } from '../database.ts';

export const postgresDialect: Dialect = {
  // PostgreSQL's own objects and lists have spaces that SQLite's have not; its values are the same.
  record(columns) {
    const members = Object.keys(columns).map((name) => `',"${name}":' || to_json(${name})`);
    return `'{"id":' || id || ${members.join(' || ')} || '}'`;
  },
  list: (record) => `'[' || coalesce(string_agg(${record}, ',' ORDER BY id), '') || ']'`,
  numbers: (parameter) =>
    `SELECT CAST(json_array_elements_text(CAST(${parameter} AS json)) AS bigint)`,
};
