import type { Dialect } from '../database.ts';

export const sqliteDialect: Dialect = {
  record(columns) {
    const members = Object.entries(columns).map(([name, type]) =>
      type === 'boolean' ? `'${name}', json(iif(${name}, 'true', 'false'))` : `'${name}', ${name}`,
    );
    return `json_object('id', id, ${members.join()})`;
  },
  // The aggregate takes the records in the order in which the table is read, which is that of the id.
  list: (record) => `json_group_array(${record})`,
  numbers: (parameter) => `SELECT value FROM json_each(${parameter})`,
};
