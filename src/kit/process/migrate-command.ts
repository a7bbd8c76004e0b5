import { present } from '../errors.ts';
import { type Api, tablesOf } from '../serve.ts';
import { shownAddress } from '../store/database-address.ts';
import { openStore } from '../store/open-store.ts';
import type { Settings } from './settings.ts';

/** Brings the tables of the database up to date. */
export async function migrate(api: Api, { databaseUrl }: Settings): Promise<void> {
  const database = shownAddress(databaseUrl);
  const onWaiting = (cause: unknown) =>
    process.stderr.write(`waiting for the database ${database}: ${cause}\n`);
  const { store, ready } = await openStore(databaseUrl, { ...present(tablesOf(api)), onWaiting });
  const { isNew } = await ready;
  await store.close();
  process.stdout.write(`The database ${database} ${isNew ? 'was made' : 'is up to date'}.\n`);
}
