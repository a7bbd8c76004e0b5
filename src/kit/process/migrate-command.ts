import { shownAddress } from '../store/database-address.ts';
import { type OpenOptions, openStore } from '../store/open-store.ts';
import type { Tables } from '../store/tables.ts';
import type { Settings } from './settings.ts';

/** Brings the tables of the database up to date. */
export async function migrate(
  { tables, migrations }: OpenOptions<Tables>,
  { databaseUrl }: Settings,
): Promise<void> {
  const database = shownAddress(databaseUrl);
  const onWaiting = (cause: unknown) =>
    process.stderr.write(`waiting for the database ${database}: ${cause}\n`);
  const { store, ready } = await openStore(databaseUrl, { tables, migrations, onWaiting });
  const { isNew } = await ready;
  await store.close();
  process.stdout.write(`The database ${database} ${isNew ? 'was made' : 'is up to date'}.\n`);
}
