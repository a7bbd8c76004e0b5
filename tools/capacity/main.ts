import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/embedded-postgres.ts';
import { type Connection, createConnection } from '../support/http-connection.ts';
import { cpuTime } from '../support/process-usage.ts';
import { startInstance } from '../support/server-instance.ts';

/**
 * CPU time per request, of the server and of its database, with 32 clients. CPU time, because requests per second
 * depend on what else the machine does.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '6' } } });
const MILLISECONDS = Number(values.seconds) * 1000;
const CLIENTS = 32;
const graphql = '{ users { id name posts { id title } } }';

type Work = readonly [name: string, method: string, path: string, body?: object];
const works: readonly Work[] = [
  ['GET one', 'GET', '/books/1'],
  ['GET a page of 20', 'GET', '/books?limit=20'],
  ['POST', 'POST', '/books', { title: 'A book', pages: 100 }],
  ['PUT', 'PUT', '/books/1', { title: 'A book', pages: 101 }],
  ['GraphQL, 2 users with posts', 'POST', '/graphql', { query: graphql }],
];

const folder = mkdtempSync(join(tmpdir(), 'accord-capacity-'));
const postgres = await startPostgres();
const engines = [
  ['SQLite', `sqlite:${join(folder, 'capacity.db')}`, undefined],
  ['PostgreSQL', await postgres.createDatabase('capacity'), postgres.pid()],
] as const;
say(
  '| engine | request | server µs | database µs | requests/s |',
  '| --- | --- | --- | --- | --- |',
);
for (const [engine, DATABASE_URL, database] of engines) {
  const instance = await startInstance({ DATABASE_URL, SEED_DEMO: 'true' });
  await instance.ready();
  const connection = createConnection(instance.url);
  for (let i = 0; i < 40; i++)
    await ask(connection, ['', 'POST', '/books', { title: 'x', pages: 1 }]);
  connection.close();
  const { pid = 0 } = instance.server.child;
  for (const work of works) {
    await repeat(instance.url, work, 2000);
    const before = [cpuTime(pid), database ? cpuTime(database) : 0] as const;
    const start = performance.now();
    const count = await repeat(instance.url, work, MILLISECONDS);
    const elapsed = performance.now() - start;
    const server = (cpuTime(pid) - before[0]) / count;
    const behind = database ? ((cpuTime(database) - before[1]) / count).toFixed(0) : '—';
    const rate = ((count * 1000) / elapsed).toFixed(0);
    say(`| ${engine} | ${work[0]} | ${server.toFixed(0)} | ${behind} | ${rate} |`);
  }
  await instance.stop();
}
await postgres.remove();
rmSync(folder, { recursive: true });

function say(...lines: string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

/** All clients repeat one request, each on its connection, for a while; how often they did. */
async function repeat(url: string, work: Work, milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds;
  let count = 0;
  const client = async () => {
    const connection = createConnection(url);
    for (; performance.now() < end; count++) await ask(connection, work);
    connection.close();
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return count;
}

async function ask(connection: Connection, [, method, path, body]: Work): Promise<void> {
  const { status } = await connection.send(method, path, body && JSON.stringify(body));
  if (!(Number(status) < 300)) throw new Error(`${method} ${path}: ${status}`);
}
