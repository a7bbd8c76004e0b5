import type { Dialect } from '../database.ts';

export const sqliteDialect: Dialect = {
  record(columns) {
    const members = columns.map(({ field, name, type }) =>
      type === 'boolean'
        ? `'${field}', json(iif(${name}, 'true', 'false'))`
        : `'${field}', ${name}`,
    );
    return `json_object('id', id, ${members.join()})`;
  },
  // The aggregate takes the rows in scan order, which is that of the rowid.
  list: (record) => `json_group_array(${record})`,
  numbers: (parameter) => `SELECT value FROM json_each(${parameter})`,
};
