import { literal } from '../columns.ts';
import type { JsonDialect } from '../database.ts';

/** Values are JSON text: json_build_object writes spaces. */
export const postgresJson: JsonDialect = {
  object(members) {
    const parts = members.map(
      ([key, value], i) => `${literal(`${i > 0 ? ',' : ''}${JSON.stringify(key)}:`)}, ${value}`,
    );
    return `concat('{', ${[...parts, `'}'`].join()})`;
  },
  array: (object) => `concat('[', string_agg(${object}, ','), ']')`,
  constant: (text) => literal(JSON.stringify(text)),
  text: (expression) => `CAST(to_json(${expression}) AS text)`,
  id: (expression) => `'"' || ${expression} || '"'`,
  integer: (expression) => `CAST(${expression} AS text)`,
  number: (expression) => expression,
  boolean: (expression) => `CAST(${expression} AS text)`,
  null: `'null'`,
  orNull: (expression) => `coalesce(${expression}, 'null')`,
};
