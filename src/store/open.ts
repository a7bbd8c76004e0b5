import { openSqlite } from './sqlite.ts';
import type { Store } from './store.ts';

/** Opens the store that a `DATABASE_URL` names. */
export function openStore(databaseUrl: string): { store: Store; isNew: boolean } {
  return openSqlite(databaseUrl.replace(/^sqlite:/, ''));
}
