import { type Migration, readMigrations } from './migrations.ts';
import { type Table, tablesOf } from './table.ts';
import { records, type Tables } from './table-declarations.ts';

type FirstAnswer = {
  readonly id: number;
  readonly key: string;
  readonly request: string;
  readonly expires: number;
  readonly answer: string | null;
};

const own = {
  first_answers: records<FirstAnswer>(
    { key: 'text', request: 'text', expires: 'integer', answer: 'text | null' },
    { unique: ['key'] },
  ),
};

const RESERVED = ['first_answers', 'rate_limits', 'migrations'];

/** The tables of a database: those that are declared, and the kit's own. */
export function allTables(declared: Tables): Table[] {
  const taken = RESERVED.find((name) => Object.hasOwn(declared, name));
  if (taken) throw new Error(`the table ${taken} is the kit's own: choose another name`);
  return tablesOf({ ...declared, ...own });
}

export type OwnMigration = Migration & { readonly table: string };

/**
 * The migrations of the kit's own tables. Each is named after its table and applied where that is missing: in
 * older databases the migrations of the API made them.
 */
export function ownMigrations(engine: 'sqlite' | 'postgres'): OwnMigration[] {
  return readMigrations(new URL('migrations/', import.meta.url), engine).map((migration) => ({
    ...migration,
    table: migration.name.slice('001-'.length).replaceAll('-', '_'),
  }));
}

/** The kit's tables that a database lacks; a server that may not make them refuses it. */
export function requireOwn(
  missing: readonly OwnMigration[],
  mayMigrate: boolean,
): readonly OwnMigration[] {
  if (missing.length > 0 && !mayMigrate) {
    const names = missing.map(({ table }) => table).join(', ');
    throw new Error(`the database lacks ${names} and MIGRATE is off: run npm run migrate`);
  }
  return missing;
}
