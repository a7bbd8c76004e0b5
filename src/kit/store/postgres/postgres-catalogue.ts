import { type Catalogue, type CatalogueEntry, catalogueOf } from '../catalogue.ts';

type Ask = (sql: string) => Promise<Record<string, unknown>[]>;

/** What PostgreSQL's catalogue says of the current schema. */
export async function readPostgresCatalogue(ask: Ask): Promise<Catalogue> {
  const rows = [];
  for (const sql of [relationsSql, columnsSql, indexesSql, constraintsSql, othersSql]) {
    rows.push(...(await ask(sql)));
  }
  return catalogueOf(
    rows.map(
      (row): CatalogueEntry => ({
        kind: row.kind as CatalogueEntry['kind'], // Each statement below names one of them.
        name: String(row.name),
        definition: String(row.definition),
        ...(typeof row.table === 'string' && { table: row.table }),
        ...(Array.isArray(row.columns) && { columns: row.columns.map(String) }),
        ...(row.kind === 'column' && {
          default: typeof row.given === 'string' ? row.given : undefined,
          without: row.has_value ? 'default' : row.required ? 'refused' : 'null',
        }),
      }),
    ),
  );
}

const schema = 'CAST(current_schema() AS regnamespace)';
const table = `c.relnamespace = ${schema} AND c.relkind IN ('r', 'p', 'f')`;
const relationsSql = `SELECT CASE c.relkind WHEN 'S' THEN 'sequence'
      WHEN 'v' THEN 'view' WHEN 'm' THEN 'view' ELSE 'table' END AS kind, c.relname AS name,
    concat_ws(' ', CASE c.relpersistence WHEN 'u' THEN 'UNLOGGED' END,
      CASE WHEN c.relrowsecurity THEN 'ROW LEVEL SECURITY' END,
      CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END) AS definition
  FROM pg_class AS c WHERE c.relnamespace = ${schema} AND c.relkind IN ('r', 'p', 'f', 'v', 'm', 'S')`;
// Text of one collation, and that a column is generated, are part of its type.
const columnsSql = `SELECT 'column' AS kind, c.relname || '.' || a.attname AS name, c.relname AS table,
    concat_ws(' ', format_type(a.atttypid, a.atttypmod),
      CASE WHEN a.attcollation <> t.typcollation THEN 'COLLATE ' || o.collname END,
      CASE WHEN a.attnotnull THEN 'NOT NULL' END,
      CASE WHEN a.attidentity <> '' THEN 'IDENTITY ' || CAST(a.attidentity AS text) END,
      CASE WHEN a.attgenerated <> '' THEN 'AS ' || pg_get_expr(d.adbin, d.adrelid) END) AS definition,
    CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END AS given,
    a.atthasdef OR a.attidentity <> '' AS has_value, a.attnotnull AS required
  FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
    JOIN pg_type AS t ON t.oid = a.atttypid
    LEFT JOIN pg_collation AS o ON o.oid = a.attcollation
    LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE ${table} AND a.attnum > 0 AND NOT a.attisdropped`;
// A unique index without distinct nulls takes one NULL: no column of it may be left out.
const indexesSql = `SELECT CASE WHEN i.indisunique THEN 'unique index' ELSE 'index' END AS kind,
    c.relname AS table, '' AS definition,
    c.relname || ' ' || m.amname || ' (' || string_agg(concat_ws(' ',
      pg_get_indexdef(i.indexrelid, CAST(k AS integer), true),
      CASE WHEN k <= i.indnkeyatts AND o.collname <> 'default' THEN 'COLLATE ' || o.collname END,
      CASE WHEN k <= i.indnkeyatts AND i.indoption[k - 1] > 0 THEN 'order ' || i.indoption[k - 1] END,
      CASE WHEN k > i.indnkeyatts THEN 'included' END), ', ' ORDER BY k) || ')' ||
      coalesce(' WHERE ' || pg_get_expr(i.indpred, i.indrelid), '') AS name,
    CASE WHEN to_jsonb(i) ->> 'indnullsnotdistinct' = 'true' THEN CAST('{}' AS text[])
      ELSE coalesce(array_agg(CAST(a.attname AS text)) FILTER (WHERE k <= i.indnkeyatts AND a.attname IS NOT NULL), '{}')
    END AS columns
  FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid JOIN pg_class AS x ON x.oid = i.indexrelid
    JOIN pg_am AS m ON m.oid = x.relam CROSS JOIN generate_series(1, i.indnatts) AS k
    LEFT JOIN pg_collation AS o ON k <= i.indnkeyatts AND o.oid = i.indcollation[k - 1]
    LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = i.indkey[k - 1]
  WHERE ${table} GROUP BY i.indexrelid, i.*, c.relname, m.amname`;
// Primary keys and unique constraints are indexes; NOT NULL is of the column.
const constraintsSql = `SELECT 'constraint' AS kind, '' AS definition, c.relname AS table,
    c.relname || ' ' || replace(pg_get_constraintdef(r.oid), ' NOT VALID', '') AS name,
    ARRAY(SELECT CAST(a.attname AS text) FROM pg_attribute AS a
      WHERE a.attrelid = c.oid AND a.attnum = ANY (r.conkey)) AS columns
  FROM pg_constraint AS r JOIN pg_class AS c ON c.oid = r.conrelid
  WHERE ${table} AND r.contype IN ('c', 'f', 'x')`;
const othersSql = `SELECT 'trigger' AS kind, g.tgname || ' of ' || c.relname AS name, c.relname AS table,
    pg_get_triggerdef(g.oid) || CAST(g.tgenabled AS text) AS definition
  FROM pg_trigger AS g JOIN pg_class AS c ON c.oid = g.tgrelid WHERE ${table} AND NOT g.tgisinternal
  UNION ALL SELECT 'trigger', 'policy ' || p.polname || ' of ' || c.relname, c.relname,
    concat(p.polcmd, p.polpermissive, p.polroles, pg_get_expr(p.polqual, c.oid), pg_get_expr(p.polwithcheck, c.oid))
  FROM pg_policy AS p JOIN pg_class AS c ON c.oid = p.polrelid WHERE ${table}
  UNION ALL SELECT 'trigger', 'rule ' || w.rulename || ' of ' || c.relname, c.relname, pg_get_ruledef(w.oid)
  FROM pg_rewrite AS w JOIN pg_class AS c ON c.oid = w.ev_class WHERE ${table}
  UNION ALL SELECT 'function', CAST(CAST(f.oid AS regprocedure) AS text), NULL, pg_get_functiondef(f.oid)
  FROM pg_proc AS f WHERE f.pronamespace = ${schema} AND f.prokind IN ('f', 'p')
  UNION ALL SELECT 'type', t.typname, NULL, concat(format_type(t.typbasetype, t.typtypmod), t.typnotnull,
    (SELECT string_agg(e.enumlabel, ',' ORDER BY e.enumsortorder) FROM pg_enum AS e WHERE e.enumtypid = t.oid),
    (SELECT string_agg(pg_get_constraintdef(r.oid), ',' ORDER BY r.oid) FROM pg_constraint AS r WHERE r.contypid = t.oid))
  FROM pg_type AS t WHERE t.typnamespace = ${schema} AND t.typtype IN ('d', 'e')`;
