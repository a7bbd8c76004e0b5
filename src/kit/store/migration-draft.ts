import { DatabaseSync } from 'node:sqlite';
import { type Column, literal, quoted } from './columns.ts';
import type { Dialect } from './database.ts';
import { readMigrations } from './migrations.ts';
import { postgresDialect } from './postgres/postgres-dialect.ts';
import { sqliteDialect } from './sqlite/sqlite-dialect.ts';
import { differencesIn, migrateTables } from './sqlite/sqlite-migrations.ts';
import type { StoreOptions } from './store-options.ts';
import { storedValue } from './stored-value.ts';
import { parentsFirst, type Table } from './table.ts';
import { type Difference, indexedColumns, plainName, storageType } from './table-schema.ts';

/** A migration for each engine. */
export type Draft = { readonly file: string; readonly sqlite: string; readonly postgres: string };

/**
 * Drafts the migration that leads from the migrations there are to the tables that are declared; undefined
 * where they lead there already. What cannot be drafted stands in it as a comment.
 */
export function draftMigration(
  { tables, migrations }: Pick<StoreOptions, 'tables' | 'migrations'>,
  name: string | undefined,
): Draft | undefined {
  const database = new DatabaseSync(':memory:');
  migrateTables(database, true, migrations);
  const differences = differencesIn(database, tables);
  database.close();
  const [first] = differences;
  if (!first) return undefined;
  const numbers = (['sqlite', 'postgres'] as const)
    .flatMap((engine) => readMigrations(migrations, engine))
    .map((migration) => Number(migration.name.slice(0, 3)));
  const number = String(Math.max(0, ...numbers) + 1).padStart(3, '0');
  const words = wordsIn(name ?? ('table' in first ? first.table.name : 'tables'));
  if (words.length === 0) throw new Error('--draft takes a name of letters and digits');
  return {
    file: `${number}-${words.join('-')}.sql`,
    sqlite: draft(differences, sqlite),
    postgres: draft(differences, postgres),
  };
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

/** How an engine defines tables. */
type Definitions = {
  readonly dialect: Dialect;
  readonly id: string;
  readonly version: string;
  /** What follows the name of a column. */
  column(column: Column): string;
  readonly references: string;
  /** What follows the columns of a table. */
  readonly end: string;
  /** The last key of each index. */
  readonly lastKeys: readonly string[];
};

const sqlite: Definitions = {
  dialect: sqliteDialect,
  // AUTOINCREMENT: an id is never given twice.
  id: 'id INTEGER PRIMARY KEY AUTOINCREMENT',
  version: 'version INTEGER NOT NULL DEFAULT 1',
  column: (column) => {
    const type = storageType(column);
    if (type === 'boolean') return `INTEGER${required(column)} CHECK (${column.name} IN (0, 1))`;
    return `${type === 'text' ? 'TEXT' : 'INTEGER'}${required(column)}`;
  },
  references: '',
  end: ' STRICT',
  // The rowid, which is the id, is the last key of every index.
  lastKeys: [],
};

const postgres: Definitions = {
  dialect: postgresDialect,
  id: 'id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  version: 'version bigint NOT NULL DEFAULT 1',
  column: (column) => {
    const type = storageType(column);
    return `${type}${type === 'text' ? ' COLLATE "C"' : ''}${required(column)}`;
  },
  // A copy checks references when it is complete.
  references: ' DEFERRABLE',
  end: '',
  lastKeys: ['id'],
};

function draft(differences: readonly Difference[], definitions: Definitions): string {
  const made = differences.flatMap((each) => (each.kind === 'table' ? [each.table] : []));
  const parts = [
    ...parentsFirst(made).map((table) => tableOf(table, definitions)),
    ...differences.map((each) => change(each, definitions)),
  ];
  return `${parts.filter((text) => text !== '').join('\n\n')}\n`;
}

function tableOf(table: Table, definitions: Definitions): string {
  const columns = table.columns.map((column) => {
    const unique = table.unique.includes(column) ? ' UNIQUE' : '';
    return `${definition(column, definitions)}${unique}`;
  });
  const lines = [
    definitions.id,
    ...(table.kind === 'collection' ? [definitions.version] : []),
    ...columns,
  ];
  return [
    `CREATE TABLE ${table.sql} (\n  ${lines.join(',\n  ')}\n)${definitions.end};`,
    ...indexedColumns(table).map((column) => indexOf(table, column, definitions)),
  ].join('\n');
}

function definition(column: Column, { column: typeOf, references }: Definitions): string {
  const type = `${column.name} ${typeOf(column)}`;
  if (!column.references) return type;
  const { table, onDelete } = column.references;
  const cascade = onDelete === 'cascade' ? ' ON DELETE CASCADE' : '';
  return `${type} REFERENCES ${quoted(table)} (id)${cascade}${references}`;
}

function indexOf(table: Table, column: Column, { dialect, lastKeys }: Definitions): string {
  const name = quoted(`${table.name}_by_${plainName(column)}`);
  const compared = dialect.compared(column);
  // An expression stands in parentheses.
  const key = compared.startsWith('CAST') ? `(${compared})` : compared;
  return `CREATE INDEX ${name} ON ${table.sql} (${[dialect.ordered(key, false), ...lastKeys].join(', ')});`;
}

function change(difference: Difference, definitions: Definitions): string {
  switch (difference.kind) {
    case 'table':
      return '';
    case 'index':
      return indexOf(difference.table, difference.column, definitions);
    case 'unique': {
      const { table, column } = difference;
      const name = quoted(`${table.name}_unique_${plainName(column)}`);
      return `CREATE UNIQUE INDEX ${name} ON ${table.sql} (${column.name});`;
    }
    case 'column':
      return addition(difference.table, difference.column, definitions);
    case 'other':
      return `-- To be written by hand: ${difference.text}.`;
  }
}

function addition(table: Table, column: Column, definitions: Definitions): string {
  const add = `ALTER TABLE ${table.sql} ADD COLUMN ${definition(column, definitions)}`;
  if (column.absent !== 'never') return `${add};`;
  if (column.references) return `-- To be written by hand: ${table.name} needs ${column.name}.`;
  const value = storedValue(column, column.default ?? unset(column));
  const given =
    typeof value === 'string'
      ? literal(value)
      : String(definitions === sqlite ? Number(value) : value);
  const note =
    column.default === undefined ? '-- Choose the value for records that are there.\n' : '';
  return `${note}${add} DEFAULT ${given};`;
}

function unset({ type }: Column): unknown {
  const values: Partial<Record<Column['type'], unknown>> = {
    integer: 0,
    number: 0,
    boolean: false,
    date: '0001-01-01',
    'date-time': '0001-01-01T00:00:00Z',
    uuid: '00000000-0000-0000-0000-000000000000',
    json: [],
  };
  return values[type] ?? '';
}

function required({ absent }: Column): string {
  return absent === 'never' ? ' NOT NULL' : '';
}
