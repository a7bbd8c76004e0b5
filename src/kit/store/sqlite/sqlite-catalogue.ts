import type { DatabaseSync } from 'node:sqlite';
import { type Catalogue, type CatalogueEntry, catalogueOf } from '../catalogue.ts';
import { groupsAfter, isKeyword, partsOf, spaced, tokensOf } from './sqlite-tokens.ts';

/** What SQLite's catalogue says; of checks, collations and generated columns it has the text alone. */
export function readSqliteCatalogue(database: DatabaseSync): Catalogue {
  const all: All = (sql) =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object(row));
  const tables = all(tablesSql);
  const columns = all(columnsSql);
  const texts: Texts = new Map(tables.map(({ name, sql }) => [name, partsOf(String(sql))]));
  return catalogueOf([
    ...tables.map(({ name, kind }) => entry('table', name, kind)),
    ...columns.map((column) => columnEntry(column, texts)),
    ...[...Map.groupBy(all(keysSql), ({ index }) => index).values()].map(indexEntry),
    ...[...Map.groupBy(all(referencesSql), ({ of, id }) => `${of} ${id}`).values()].map(
      referenceEntry,
    ),
    ...checkEntries(columns, texts),
    ...all(othersSql).map(otherEntry),
  ]);
}

/** A row of a query, whose columns the query names. */
type Row = ReturnType<typeof Object>;
type All = (sql: string) => Row[];
/** By table, the parts of its definition. */
type Texts = ReadonlyMap<string, ReturnType<typeof partsOf>>;

function columnEntry({ of, name, type, required, given, pk }: Row, texts: Texts): CatalogueEntry {
  const part = texts.get(of)?.find(([first]) => isSame(first?.text, name)) ?? [];
  const collate = part.findIndex((token) => isKeyword(token, 'COLLATE'));
  const generated = groupsAfter('AS', part).map(spaced).join();
  const definition = [
    type,
    ...(pk ? [`PRIMARY KEY ${pk}`] : []),
    ...(required ? ['NOT NULL'] : []),
    ...(part[collate] ? [`COLLATE ${part[collate + 1]?.text}`] : []),
    ...(generated ? [`AS (${generated})`] : []),
  ].join(' ');
  const isGiven = given !== null || pk || generated !== '';
  return {
    ...entry('column', `${of}.${name}`, definition),
    table: of,
    default: given ?? undefined,
    without: isGiven ? 'default' : required ? 'refused' : 'null',
  };
}

function indexEntry(keys: readonly Row[]): CatalogueEntry {
  const { of, unique, sql } = keys[0];
  const text = keys.map(({ name, desc, coll }) =>
    [name, ...(coll === 'BINARY' ? [] : [coll]), ...(desc ? ['DESC'] : [])].join(' '),
  );
  // Expressions and the condition of a partial index stand in its text alone.
  const tokens = sql === null ? [] : tokensOf(sql);
  const on = tokens.findIndex((token) => isKeyword(token, 'ON'));
  const isPlain = keys.every(({ name }) => name !== null);
  const where = tokens.findIndex((token) => isKeyword(token, 'WHERE'));
  const shown = isPlain ? `(${text.join(', ')})` : spaced(tokens.slice(on + 2));
  const rest = isPlain && tokens[where] ? ` ${spaced(tokens.slice(where))}` : '';
  return {
    ...entry(unique ? 'unique index' : 'index', `${of} ${shown}${rest}`, ''),
    table: of,
    columns: keys.flatMap(({ name }) => name ?? []),
  };
}

function referenceEntry(keys: readonly Row[]): CatalogueEntry {
  const { of, parent, onDelete, onUpdate } = keys[0];
  const from = keys.map(({ column }) => String(column));
  const to = keys.map(({ to }) => to ?? 'id');
  const text = `FOREIGN KEY (${from}) REFERENCES ${parent} (${to}) ON UPDATE ${onUpdate} ON DELETE ${onDelete}`;
  return { ...entry('constraint', `${of} ${text}`, ''), table: of, columns: from };
}

function checkEntries(columns: readonly Row[], texts: Texts): CatalogueEntry[] {
  return [...texts].flatMap(([table, parts]) =>
    parts
      .flatMap((part) => groupsAfter('CHECK', part))
      .map((group) => ({
        ...entry('constraint', `${table} CHECK (${spaced(group)})`, ''),
        table,
        columns: columns
          .filter(({ of, name }) => of === table && group.some(({ text }) => isSame(text, name)))
          .map(({ name }) => String(name)),
      })),
  );
}

function otherEntry({ type, name, of, sql }: Row): CatalogueEntry {
  return {
    ...entry(type, type === 'trigger' ? `${name} of ${of}` : name, spaced(tokensOf(sql))),
    ...(type === 'trigger' && { table: of }),
  };
}

function entry(kind: CatalogueEntry['kind'], name: string, definition: string): CatalogueEntry {
  return { kind, name, definition };
}

/** SQLite's names do not differ by case. */
function isSame(text: string | undefined, name: string): boolean {
  return text?.toLowerCase() === name.toLowerCase();
}

const own = "t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!'";
const tablesSql = `SELECT t.name, t.sql,
    iif(l.strict, 'STRICT', '') || iif(l.wr, ' WITHOUT ROWID', '') AS kind
  FROM sqlite_schema AS t JOIN pragma_table_list AS l ON l.name = t.name AND l.schema = 'main'
  WHERE ${own} ORDER BY t.name`;
const columnsSql = `SELECT t.name AS of, c.name, c.type, c."notnull" AS required, c.dflt_value AS given, c.pk
  FROM sqlite_schema AS t, pragma_table_xinfo(t.name) AS c WHERE ${own}`;
const keysSql = `SELECT t.name AS of, i.name AS "index", i."unique", k.name, k."desc", k.coll, s.sql
  FROM sqlite_schema AS t, pragma_index_list(t.name) AS i, pragma_index_xinfo(i.name) AS k
  LEFT JOIN sqlite_schema AS s ON s.name = i.name
  WHERE ${own} AND k.key ORDER BY i.name, k.seqno`;
const referencesSql = `SELECT t.name AS of, r.id, r."from" AS "column", r."to", r."table" AS parent,
    r.on_delete AS onDelete, r.on_update AS onUpdate
  FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS r WHERE ${own} ORDER BY r.id, r.seq`;
const othersSql = `SELECT type, name, tbl_name AS of, sql FROM sqlite_schema
  WHERE type IN ('view', 'trigger')`;
