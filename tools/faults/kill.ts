import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { spawnServer } from '../../test/support/spawn.ts';

/**
 * Kills the server with -9 while clients write to it, again and again on one SQLite file, then looks
 * whether everything it acknowledged is there as it was acknowledged.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    writers: { type: 'string', default: '16' },
  },
});
const rounds = Number(values.rounds);
const writers = Number(values.writers);

type Book = { readonly id: number; readonly title: string; readonly pages: number };

const folder = mkdtempSync(join(tmpdir(), 'accord-kill-'));
const file = join(folder, 'kill.db');
/** What the server acknowledged last for each id; undefined for a book that it deleted. */
const acknowledged = new Map<number, string | undefined>();
/** Ids with a write under way when the server died: either outcome is right. */
const uncertain = new Set<number>();
let writes = 0;

for (let round = 1; round <= rounds; round++) {
  const server = spawnServer({ DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: 'info' });
  const url = await server.ready();
  const clients = Array.from({ length: writers }, (_, i) => write(url, `${round}-${i}`));
  await sleep(150 + Math.random() * 450);
  server.child.kill('SIGKILL');
  await Promise.all(clients);
  await server.ended();
  process.stdout.write(`round ${round} of ${rounds}: ${writes} writes acknowledged so far\n`);
}

const problems = await compare();
rmSync(folder, { recursive: true });
const verdict =
  problems.length === 0 ? 'none lost, none altered' : problems.slice(0, 10).join('\n');
process.stdout.write(`${writes} acknowledged writes in ${rounds} rounds: ${verdict}\n`);
process.exitCode = problems.length === 0 && writes > 0 ? 0 : 1;

/** Creates, replaces and deletes books of its own until the server is gone. */
async function write(url: string, name: string): Promise<void> {
  const mine: number[] = [];
  for (let i = 0; ; i++) {
    const book = { title: `${name} ${i} é😀"\\`, pages: 1 + (i % 1000) };
    const id = i % 5 === 3 ? mine.at(-1) : i % 5 === 4 ? mine.pop() : undefined;
    const method = id === undefined ? 'POST' : i % 5 === 3 ? 'PUT' : 'DELETE';
    try {
      if (id !== undefined) uncertain.add(id);
      const response = await fetch(`${url}/books${id === undefined ? '' : `/${id}`}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: method === 'DELETE' ? null : JSON.stringify(book),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} was answered with ${response.status}: ${text}`);
      const key = id ?? (JSON.parse(text) as Book).id;
      acknowledged.set(key, method === 'DELETE' ? undefined : text);
      uncertain.delete(key);
      if (method === 'POST') mine.push(key);
      writes++;
    } catch (error) {
      // The connection broke, as it must; anything else is a finding.
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

async function compare(): Promise<string[]> {
  const database = new DatabaseSync(file);
  const integrity = database.prepare('PRAGMA integrity_check').get()?.integrity_check;
  database.close();
  const server = spawnServer({ DATABASE_URL: `sqlite:${file}` });
  const books = (await (await fetch(`${await server.ready()}/books`)).json()) as Book[];
  server.child.kill();
  await server.ended();
  const stored = new Map(books.map((book) => [book.id, JSON.stringify(book)]));
  const wrong = [...acknowledged]
    .filter(([id, text]) => !uncertain.has(id) && stored.get(id) !== text)
    .map(([id, text]) => `book ${id}: acknowledged ${text}, stored ${stored.get(id)}`);
  return integrity === 'ok' ? wrong : [`integrity check: ${integrity}`, ...wrong];
}
