import { type Api, tablesOf } from '../api-declaration.ts';
import { present } from '../errors.ts';
import { copySqliteToPostgres } from '../store/copy-database.ts';
import { isDatabaseUrl } from './setting-kinds.ts';

const { stdout, stderr } = process;
const WIDTH = 40;

/** Copies one database into another: `sqlite:<file> postgres://<address>`. */
export async function copy(api: Api, [from = '', to = '']: readonly string[]): Promise<void> {
  const file = from.match(/^sqlite:(.+)$/)?.[1];
  if (!file || file === ':memory:' || to.startsWith('sqlite:') || !isDatabaseUrl(to)) {
    throw new Error('copy takes sqlite:<file> postgres://<address>');
  }
  const counts = await copySqliteToPostgres(file, to, present(tablesOf(api)), showProgress);
  for (const [name, count] of counts) stdout.write(`${name}: ${count} copied, each compared\n`);
}

function showProgress(table: string, done: number, total: number): void {
  const part = total === 0 ? 1 : done / total;
  const bar = '#'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '.');
  const line = `${table.padEnd(8)} [${bar}] ${done} of ${total}`;
  // On a terminal the bar grows; in a log there is one line per table.
  if (stderr.isTTY) stderr.write(`\r${line}${done === total ? '\n' : ''}`);
  else if (done === total) stderr.write(`${line}\n`);
}
