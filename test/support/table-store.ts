import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { present } from '../../src/kit/errors.ts';
import { draftMigration } from '../../src/kit/store/migration-draft.ts';
import { openStore } from '../../src/kit/store/open-store.ts';
import type { StoreOptions } from '../../src/kit/store/store-options.ts';
import type { StoreOf, Tables } from '../../src/kit/store/table-declarations.ts';
import { newDatabase } from './engine.ts';

export type TableStore<T extends Tables> = {
  readonly store: StoreOf<T>;
  readonly url: string;
  /** The folder with the drafted migration. */
  readonly migrations: URL;
  close(): Promise<void>;
};

/** Opens a store with tables of the test's own on an empty database; their migration is drafted. */
export async function openTables<T extends Tables>(
  tables: T,
  { url, ...options }: Partial<StoreOptions> & { readonly url?: string } = {},
): Promise<TableStore<T>> {
  const address = url ?? (await newDatabase());
  const { migrations, remove } = draftedMigrations(tables);
  const { store, ready } = await openStore(address, { ...options, tables, migrations });
  await ready;
  const close = async () => {
    await store.close();
    remove();
  };
  return { store, url: address, migrations, close };
}

/** A folder with the migration that makes these tables. */
export function draftedMigrations(tables: Tables) {
  const folder = mkdtempSync(join(tmpdir(), 'tables-'));
  const migrations = pathToFileURL(`${folder}/`);
  for (const engine of ['sqlite', 'postgres']) mkdirSync(join(folder, engine));
  const draft = present(draftMigration({ tables, migrations }, undefined));
  for (const engine of ['sqlite', 'postgres'] as const) {
    writeFileSync(join(folder, engine, draft.file), draft[engine]);
  }
  return { migrations, remove: () => rmSync(folder, { recursive: true }) };
}
