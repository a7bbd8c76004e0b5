import { equal } from 'node:assert/strict';
import type { Answer } from './answers.ts';
import { type Case, createBook, http } from './cases.ts';
import { cpuTime, memory } from './cpu.ts';
import { range } from './data.ts';
import { type Connections, openConnections } from './load.ts';
import type { Server } from './servers.ts';

/** What one window of requests of one case cost one server. */
export type Sample = {
  /** Microseconds of CPU per request. */
  readonly cpu: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Bytes, at the end. */
  readonly memory: number;
};

export const preset = { page: 'limit', deleted: 204 };

/** Measures so many requests, after one on each connection whose answer is looked at in full. */
export async function measure(server: Server, each: Case, asked: number): Promise<Sample> {
  const connections = await openConnections(server.port, each.clients);
  try {
    return await measureOn(connections, server, each, asked);
  } catch (error) {
    throw new Error(`${server.peer.title}, ${each.title}: ${error}`, { cause: error });
  } finally {
    connections.close();
  }
}

async function measureOn(connections: Connections, server: Server, each: Case, asked: number) {
  const { peer, pid } = server;
  const dialect = peer.dialect ?? preset;
  const count = Math.max(each.clients, Math.round(asked * shareOf(server, each)));
  const total = each.clients + count;
  const ids = each.books === 'removes' ? await addBooks(connections, total) : [];
  const requests = range(total).map((i) => Buffer.from(each.request(i, dialect, ids)));
  const created: number[] = [];
  const status = each.status(dialect);
  const check = (answer: Answer) => {
    if (answer.status !== status) equal(answer.status, status, answer.head + answer.body);
    if (each.books === 'adds') created.push(idIn(answer));
  };

  await connections.run({
    requests: requests.slice(0, each.clients),
    keepsBodies: true,
    check(answer, index) {
      check(answer);
      each.check(answer, index + 1);
    },
  });
  const before = cpuTime(pid);
  const measured = requests.slice(each.clients);
  const { elapsed, latencies } = await connections.run({
    requests: measured,
    keepsBodies: false,
    check,
  });
  const cpu = (cpuTime(pid) - before) / count;
  const sample = { cpu, perSecond: count / elapsed, memory: memory(pid) };
  await removeBooks(connections, created, dialect.deleted);
  return { ...sample, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
}

function shareOf({ peer }: Server, each: Case): number {
  const writes = each.books || each.name === 'replace';
  return each.share * (writes ? (peer.writeShare ?? 1) : 1);
}

async function addBooks(connections: Connections, count: number): Promise<number[]> {
  const ids: number[] = [];
  const requests = range(count).map(() => createBook);
  const check = (answer: Answer) => void ids.push(idIn(answer));
  await connections.run({ requests, keepsBodies: false, check });
  return ids;
}

async function removeBooks(connections: Connections, ids: readonly number[], status: number) {
  if (ids.length === 0) return;
  const requests = ids.map((id) => Buffer.from(http('DELETE', `/books/${id}`)));
  const check = (answer: Answer) => equal(answer.status, status);
  await connections.run({ requests, keepsBodies: false, check });
}

function idIn({ status, head }: Answer): number {
  equal(status, 201);
  return Number(/\r\nlocation: \S*\/(\d+)/i.exec(head)?.[1]);
}

function quantile(ascending: Float64Array, part: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * part))] ?? 0;
}
