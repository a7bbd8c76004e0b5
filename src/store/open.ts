import { openSqlite } from './sqlite.ts';
import type { Opened } from './store.ts';

/** Opens the store that a `DATABASE_URL` names; `onStatement` is told of every statement it runs. */
export function openStore(databaseUrl: string, onStatement = () => {}): Opened {
  return openSqlite(databaseUrl.replace(/^sqlite:/, ''), onStatement);
}
