import { parseArgs } from 'node:util';
import { backUpSqlite } from '../store/sqlite/sqlite-backup.ts';
import type { Settings } from './settings.ts';

/** Copies the database of a server that may be running: `backup --out <file>`. */
export async function backUp({ databaseUrl }: Settings, args: readonly string[]): Promise<void> {
  const { out } = parseArgs({ args: [...args], options: { out: { type: 'string' } } }).values;
  if (!out) throw new Error('backup takes --out <file>');
  const file = databaseUrl.match(/^sqlite:(.+)$/)?.[1];
  if (!file) throw new Error('PostgreSQL has backups of its own: use pg_dump or pg_basebackup');
  if (file === ':memory:') throw new Error('sqlite::memory: is in the memory of one process');
  const pages = await backUpSqlite(file, out);
  process.stdout.write(`${out}: ${pages} pages of ${file}, integrity check ok\n`);
}
