import { plainName, type Schema, type SchemaDialect, storageType } from '../table-schema.ts';

/** As PostgreSQL's catalogue says it. */
export const postgresSchemaDialect: SchemaDialect = {
  type: storageType,
  isSorted([first, second], column) {
    const name = plainName(column);
    const isText = storageType(column) === 'text' && column.type !== 'number';
    const key = column.type === 'number' ? `number ${name}` : `${name}${isText ? ' C' : ''}`;
    return first === `${key} first` && second === 'id';
  },
};

type Ask = (sql: string) => Promise<Record<string, unknown>[]>;

export async function readPostgresSchema(ask: Ask): Promise<Schema> {
  const columns = Map.groupBy(await ask(columnsSql), ({ of }) => String(of));
  const references = Map.groupBy(await ask(referencesSql), ({ of }) => String(of));
  const keys = Map.groupBy(await ask(keysSql), ({ of }) => String(of));
  return new Map(
    [...columns].map(([table, rows]) => [
      table,
      {
        columns: new Map(
          rows.map(({ name, type, nullable, given }) => [
            String(name),
            { type: String(type), isNullable: Boolean(nullable), hasDefault: Boolean(given) },
          ]),
        ),
        references: (references.get(table) ?? []).map((row) => ({
          column: String(row.column),
          table: String(row.parent),
          onDelete: deletions.get(row.deletion) ?? 'other',
        })),
        indexes: [...Map.groupBy(keys.get(table) ?? [], ({ index }) => index).values()].map(
          (index) => ({
            isUnique: Boolean(index[0]?.unique),
            keys: index.map(({ key, collation, first }) => keyOf(String(key), collation, first)),
          }),
        ),
      },
    ]),
  );
}

const deletions = new Map<unknown, 'restrict' | 'cascade'>([
  ['a', 'restrict'],
  ['r', 'restrict'],
  ['c', 'cascade'],
]);

function keyOf(key: string, collation: unknown, first: unknown): string {
  // An expression stands in parentheses: `((price)::double precision)`.
  const [of = '', cast] = key.split('::double precision');
  const plain = of.replaceAll(/[()"]/g, '');
  const name = cast === undefined ? plain : `number ${plain}`;
  return [name, ...(collation === 'C' ? ['C'] : []), ...(first ? ['first'] : [])].join(' ');
}

const inSchema = `c.relnamespace = CAST(current_schema() AS regnamespace) AND c.relkind IN ('r', 'p')`;
const columnsSql = `SELECT c.relname AS of, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
    NOT a.attnotnull AS nullable, a.atthasdef OR a.attidentity <> '' AS given
  FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
  WHERE ${inSchema} AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`;
const referencesSql = `SELECT c.relname AS of, a.attname AS column, p.relname AS parent, r.confdeltype AS deletion
  FROM pg_constraint AS r JOIN pg_class AS c ON c.oid = r.conrelid
    JOIN pg_class AS p ON p.oid = r.confrelid
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = r.conkey[1]
  WHERE ${inSchema} AND r.contype = 'f' AND cardinality(r.conkey) = 1`;
const keysSql = `SELECT c.relname AS of, i.indexrelid AS index, i.indisunique AS unique,
    pg_get_indexdef(i.indexrelid, k, true) AS key, o.collname AS collation,
    i.indoption[k - 1] & 2 <> 0 AS first
  FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid
    CROSS JOIN generate_series(1, i.indnkeyatts) AS k
    LEFT JOIN pg_collation AS o ON o.oid = i.indcollation[k - 1]
  WHERE ${inSchema} AND i.indisvalid AND i.indpred IS NULL ORDER BY i.indexrelid, k`;
