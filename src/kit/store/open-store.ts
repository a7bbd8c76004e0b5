import { migrationsFolder } from './migrations.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import type { Opened, StoreOptions } from './store.ts';

const defaults: StoreOptions = {
  poolSize: 10,
  mayMigrate: true,
  migrations: migrationsFolder,
  keyLifetime: 86_400_000,
  onStatement: () => {},
  onTimed: () => {},
  onWaiting: () => {},
};

/** Opens the store that a `DATABASE_URL` names. */
export async function openStore(
  databaseUrl: string,
  options: Partial<StoreOptions> = {},
): Promise<Opened> {
  const all = { ...defaults, ...options };
  const file = databaseUrl.match(/^sqlite:(.+)$/)?.[1];
  return file ? openSqlite(file, all) : openPostgres(databaseUrl, all);
}
