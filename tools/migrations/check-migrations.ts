import { openStore } from '../../src/kit/store/open-store.ts';
import type { Tables } from '../../src/kit/store/table-declarations.ts';

type Declared = { readonly tables: Tables; readonly migrations: URL };

/** Applies the migrations to an empty database; rejects where they do not lead to the tables that are declared. */
export async function checkMigrations(
  address: string,
  { tables, migrations }: Declared,
): Promise<void> {
  const { store, ready } = await openStore(address, { tables, migrations });
  await ready.finally(store.close);
}
