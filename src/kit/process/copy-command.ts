import { copySqliteToPostgres } from '../store/copy-database.ts';
import { isDatabaseUrl } from './setting-kinds.ts';

/** Copies one database into another, as its arguments name them: `sqlite:<file> postgres://<address>`. */
const [from = '', to = ''] = process.argv.slice(2);
const file = from.match(/^sqlite:(.+)$/)?.[1];
const { stdout, stderr } = process;
const WIDTH = 40;

try {
  if (!file || file === ':memory:' || to.startsWith('sqlite:') || !isDatabaseUrl(to)) {
    throw new Error('copy takes sqlite:<file> postgres://<address>');
  }
  const counts = await copySqliteToPostgres(file, to, showProgress);
  for (const [name, count] of counts) stdout.write(`${name}: ${count} copied, each compared\n`);
} catch (error) {
  stderr.write(`accord: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

function showProgress(table: string, done: number, total: number): void {
  const part = total === 0 ? 1 : done / total;
  const bar = '#'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '.');
  const line = `${table.padEnd(8)} [${bar}] ${done} of ${total}`;
  // A terminal shows a bar that grows; a log gets a line for each table.
  if (stderr.isTTY) stderr.write(`\r${line}${done === total ? '\n' : ''}`);
  else if (done === total) stderr.write(`${line}\n`);
}
