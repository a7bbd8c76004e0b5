import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { CatalogueEntry } from '../../../src/kit/store/catalogue.ts';
import { readSqliteCatalogue } from '../../../src/kit/store/sqlite/sqlite-catalogue.ts';

/** What `migrate --check` compares of a database: of these kinds, by name. */
function entries(sql: string, ...kinds: CatalogueEntry['kind'][]): CatalogueEntry[] {
  const database = new DatabaseSync(':memory:');
  database.exec(sql);
  const catalogue = readSqliteCatalogue(database);
  database.close();
  for (const [key, { kind, name }] of catalogue) expect(key).toBe(`${kind} ${name}`);
  return [...catalogue.values()]
    .filter(({ kind }) => kinds.includes(kind))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

it('a table is known by its kind, and tables of SQLite itself are none', () => {
  const sql = `CREATE TABLE a (x); CREATE TABLE b (x INTEGER PRIMARY KEY AUTOINCREMENT) STRICT;
    CREATE TABLE c (x PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE d (x TEXT PRIMARY KEY) STRICT, WITHOUT ROWID`;
  expect(entries(sql, 'table', 'view')).toEqual([
    { kind: 'table', name: 'a', definition: '' },
    { kind: 'table', name: 'b', definition: 'STRICT' },
    { kind: 'table', name: 'c', definition: ' WITHOUT ROWID' },
    { kind: 'table', name: 'd', definition: 'STRICT WITHOUT ROWID' },
  ]);
});

it('a column is known by its type and all that may refuse a value', () => {
  const sql = `CREATE TABLE t (
      a INTEGER PRIMARY KEY,
      b TEXT NOT NULL,
      c TEXT DEFAULT 'x, y' NOT NULL,
      d INT DEFAULT (CAST(1 AS int)),
      e TEXT COLLATE NOCASE,
      [f g] TEXT NOT NULL COLLATE "rtrim",
      g INTEGER GENERATED ALWAYS AS (d + 1) VIRTUAL,
      h INTEGER NOT NULL AS (d * (2 + 3)) STORED,
      i
    );
    CREATE TABLE u (i TEXT COLLATE BINARY, "e" TEXT NOT NULL, PRIMARY KEY (e, i))`;
  const columns = entries(sql, 'column').map(({ name, definition, default: given, without }) => [
    ...[name, definition, given, without],
  ]);
  expect(columns).toEqual([
    ['t.a', 'INTEGER PRIMARY KEY 1', undefined, 'default'],
    ['t.b', 'TEXT NOT NULL', undefined, 'refused'],
    ['t.c', 'TEXT NOT NULL', "'x, y'", 'default'],
    ['t.d', 'INT', 'CAST(1 AS int)', 'default'],
    ['t.e', 'TEXT COLLATE NOCASE', undefined, 'null'],
    ['t.f g', 'TEXT NOT NULL COLLATE rtrim', undefined, 'refused'],
    ['t.g', 'INTEGER AS (d + 1)', undefined, 'default'],
    ['t.h', 'INTEGER NOT NULL AS (d * ( 2 + 3 ))', undefined, 'default'],
    ['t.i', '', undefined, 'null'],
    ['u.e', 'TEXT PRIMARY KEY 1 NOT NULL', undefined, 'default'],
    ['u.i', 'TEXT PRIMARY KEY 2 COLLATE BINARY', undefined, 'default'],
  ]);
  expect(entries(sql, 'column').map(({ table }) => table)).toEqual([
    ...Array(9).fill('t'),
    ...Array(2).fill('u'),
  ]);
});

it('an index is known by its keys, their order and its condition', () => {
  const sql = `CREATE TABLE t (a TEXT, b TEXT COLLATE NOCASE, c INTEGER UNIQUE);
    CREATE TABLE u (a TEXT);
    CREATE INDEX one ON t (a, b DESC);
    CREATE UNIQUE INDEX two ON t (b COLLATE RTRIM, c);
    CREATE INDEX three ON t (a) WHERE c > 1;
    CREATE INDEX four ON t (lower(a), c) WHERE a <> '';
    CREATE UNIQUE INDEX five ON u (a) WHERE a > 'x'`;
  const index = (kind: CatalogueEntry['kind'], name: string, columns: string[]) => {
    const table = name.charAt(0);
    return { kind, name, definition: '', table, columns };
  };
  expect(entries(sql, 'index', 'unique index')).toEqual([
    index('index', "t ( lower ( a ) , c ) WHERE a < > ''", ['c']),
    index('index', 't (a) WHERE c > 1', ['a']),
    index('index', 't (a, b NOCASE DESC)', ['a', 'b']),
    index('unique index', 't (b RTRIM, c)', ['b', 'c']),
    index('unique index', 't (c)', ['c']),
    index('unique index', "u (a) WHERE a > 'x'", ['a']),
  ]);
});

it('a constraint is known by what it demands, and of which columns', () => {
  const sql = `CREATE TABLE p (id INTEGER PRIMARY KEY, x, y, UNIQUE (x, y));
    CREATE TABLE c (a INTEGER REFERENCES p,
      b INTEGER REFERENCES p (id) ON DELETE CASCADE ON UPDATE SET NULL,
      d TEXT CHECK (D IN ('x', ')')), e INTEGER CHECK (e > 0), "check" TEXT DEFAULT 'CHECK (a)',
      CHECK ((e + 1) > length(d)), FOREIGN KEY (d, e) REFERENCES p (x, y) ON DELETE RESTRICT);
    CREATE TABLE f (a INTEGER REFERENCES p (id), e INTEGER CHECK (7 > 0))`;
  const constraint = (name: string, columns: string[]) => {
    return { kind: 'constraint', name, definition: '', table: name.charAt(0), columns };
  };
  expect(entries(sql, 'constraint')).toEqual([
    constraint('c CHECK (( e + 1 ) > length ( d ))', ['d', 'e']),
    constraint("c CHECK (D IN ( 'x' , ')' ))", ['d']),
    constraint('c CHECK (e > 0)', ['e']),
    constraint('c FOREIGN KEY (a) REFERENCES p (id) ON UPDATE NO ACTION ON DELETE NO ACTION', [
      'a',
    ]),
    constraint('c FOREIGN KEY (b) REFERENCES p (id) ON UPDATE SET NULL ON DELETE CASCADE', ['b']),
    constraint('c FOREIGN KEY (d,e) REFERENCES p (x,y) ON UPDATE NO ACTION ON DELETE RESTRICT', [
      'd',
      'e',
    ]),
    constraint('f CHECK (7 > 0)', []),
    constraint('f FOREIGN KEY (a) REFERENCES p (id) ON UPDATE NO ACTION ON DELETE NO ACTION', [
      'a',
    ]),
  ]);
});

it('a view and a trigger are known by their text without comments', () => {
  const sql = `CREATE TABLE t (a);
    CREATE VIEW v AS SELECT  a /* all */ FROM t -- of them
      WHERE a > 1;
    CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END`;
  expect(entries(sql, 'view', 'trigger')).toEqual([
    {
      ...{ kind: 'trigger', name: 'g of t', table: 't' },
      definition: 'CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1 ; END',
    },
    { kind: 'view', name: 'v', definition: 'CREATE VIEW v AS SELECT a FROM t WHERE a > 1' },
  ]);
});
