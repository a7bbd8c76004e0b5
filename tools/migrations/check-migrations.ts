import { requireExpanding } from '../../src/kit/store/migration-check.ts';
import { openStore } from '../../src/kit/store/open-store.ts';
import type { Tables } from '../../src/kit/store/table-declarations.ts';

type Declared = { readonly tables: Tables; readonly migrations: URL };

/**
 * Applies the migrations to an empty database. Rejects where they do not lead to the tables that are declared,
 * or where the release before one of them may fail beside it.
 */
export async function checkMigrations(
  address: string,
  { tables, migrations }: Declared,
): Promise<void> {
  await requireExpanding(migrations, address.startsWith('sqlite:') ? undefined : address);
  const { store, ready } = await openStore(address, { tables, migrations });
  await ready.finally(store.close);
}
