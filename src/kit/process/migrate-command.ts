import { shownAddress } from '../store/database-address.ts';
import { openStore } from '../store/open-store.ts';
import { readSettings } from './settings.ts';

/** Brings the tables of the database up to date, and ends. */
try {
  const { databaseUrl } = readSettings(process.env);
  const database = shownAddress(databaseUrl);
  const onWaiting = (cause: unknown) =>
    process.stderr.write(`waiting for the database ${database}: ${cause}\n`);
  const { store, ready } = await openStore(databaseUrl, { onWaiting });
  const { isNew } = await ready;
  await store.close();
  process.stdout.write(`The database ${database} ${isNew ? 'was made' : 'is up to date'}.\n`);
} catch (error) {
  process.stderr.write(`accord: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
