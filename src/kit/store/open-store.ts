import type { Opened, StoreOptions } from './store-options.ts';
import type { StoreOf, Tables } from './table-declarations.ts';

const defaults = {
  poolSize: 10,
  mayMigrate: true,
  keyLifetime: 86_400_000,
  listTimeout: 10_000,
  onStatement: () => {},
  onTimed: () => {},
  onWaiting: () => {},
};

export type OpenOptions<T extends Tables> = Partial<StoreOptions> & {
  readonly tables: T;
  readonly migrations: URL;
};

/** Opens the store that a `DATABASE_URL` names. */
export async function openStore<T extends Tables>(
  databaseUrl: string,
  options: OpenOptions<T>,
): Promise<Opened<StoreOf<T>>> {
  const all = { ...defaults, ...options };
  const file = databaseUrl.match(/^sqlite:(.+)$/)?.[1];
  const { store, ready } = await (file ? sqlite(file, all) : postgres(databaseUrl, all));
  // Each table was made from its declaration, which tells the type of its records.
  return { store: store as unknown as StoreOf<T>, ready };
}

// Only the driver that is used is loaded.
async function sqlite(file: string, options: StoreOptions) {
  const { openSqlite } = await import('./sqlite/open-sqlite.ts');
  return openSqlite(file, options);
}

async function postgres(url: string, options: StoreOptions) {
  const { openPostgres } = await import('./postgres/open-postgres.ts');
  return openPostgres(url, options);
}
