import { parseArgs } from 'node:util';
import { backUpSqlite } from '../store/sqlite/sqlite-backup.ts';
import type { Settings } from './settings.ts';

const exitCodes = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

/** Copies the database of a server that may be running: `backup --out <file>`. */
export async function backUp({ databaseUrl }: Settings, args: readonly string[]): Promise<void> {
  const { out } = parseArgs({ args: [...args], options: { out: { type: 'string' } } }).values;
  if (!out) throw new Error('backup takes --out <file>');
  const file = databaseUrl.match(/^sqlite:(.+)$/)?.[1];
  if (!file) throw new Error('PostgreSQL has backups of its own: use pg_dump or pg_basebackup');
  if (file === ':memory:') throw new Error('sqlite::memory: is in the memory of one process');
  const interrupted = new AbortController();
  for (const [signal, code] of exitCodes) process.on(signal, () => interrupted.abort(code));
  try {
    const pages = await backUpSqlite(file, out, interrupted.signal);
    process.stdout.write(`${out}: ${pages} pages of ${file}, integrity check ok\n`);
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    process.exitCode = interrupted.signal.reason;
  }
}
