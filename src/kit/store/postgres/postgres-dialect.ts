import type { Dialect } from '../database.ts';

export const postgresDialect: Dialect = {
  // json_build_object writes spaces that SQLite does not write; to_json of a value is the same.
  record(columns) {
    const members = columns.map(({ field, name }) => `',"${field}":' || to_json(${name})`);
    return `'{"id":' || id || ${members.join(' || ')} || '}'`;
  },
  list: (record) => `'[' || coalesce(string_agg(${record}, ',' ORDER BY id), '') || ']'`,
  numbers: (parameter) =>
    `SELECT CAST(json_array_elements_text(CAST(${parameter} AS json)) AS bigint)`,
};
