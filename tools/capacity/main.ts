import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../test/support/postgres.ts';
import { startInstance } from '../faults/instance.ts';
import { cpuTime } from './cpu.ts';

/**
 * What a request costs in CPU, on the server and on its database, with 32 clients that wait for each
 * answer. CPU is counted because it does not depend on what else the machine does; requests per second do.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '6' } } });
const MILLISECONDS = Number(values.seconds) * 1000;
const CLIENTS = 32;
const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
const graphql = '{ users { id name posts { id title } } }';

type Work = readonly [name: string, method: string, path: string, body?: unknown];
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
  for (let i = 0; i < 40; i++)
    await ask(instance.url, ['', 'POST', '/books', { title: 'x', pages: 1 }]);
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
agent.destroy();
await postgres.remove();
rmSync(folder, { recursive: true });

function say(...lines: string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

/** Lets all clients do the same again and again for a while; how often they did. */
async function repeat(url: string, work: Work, milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds;
  let count = 0;
  const client = async () => {
    for (; performance.now() < end; count++) await ask(url, work);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return count;
}

function ask(url: string, [, method, path, body]: Work): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const outgoing = request(url + path, { method, agent, headers }, (incoming) => {
      const isGood = (incoming.statusCode ?? 500) < 300;
      incoming.resume();
      incoming.once('end', () =>
        isGood ? resolve() : reject(new Error(`${method} ${path}: ${incoming.statusCode}`)),
      );
    });
    outgoing.once('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
