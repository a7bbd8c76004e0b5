import { equal } from 'node:assert/strict';
import type { HttpResponse } from '../tools/support/http-wire.ts';
import { cpuTimes, residentBytes } from '../tools/support/process-usage.ts';
import { addBooks, idIn, removeBooks } from './books.ts';
import type { Case } from './cases.ts';
import { range } from './data.ts';
import { contractDialect } from './dialects.ts';
import { openConnections } from './load.ts';
import type { Server } from './servers.ts';

/** What one case cost one server in one round. */
export type Sample = {
  /** Microseconds of CPU per request, of the server with all its processes. */
  readonly cpu: number;
  /** The same of the database, where it has processes of its own. */
  readonly database: number;
  /** The part of `cpu` that the server's busiest process spent, which bounds what the server can do. */
  readonly busiest: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Bytes of all the server's processes, at the end. */
  readonly memory: number;
};

/** The requests of one case in one round to one server, sent in slices that servers take in turn. */
export type Window = {
  readonly server: Server;
  readonly slices: number;
  /** Sends one slice; one that does not count warms the server up after other cases. */
  slice(counts: boolean): Promise<void>;
  end(): Promise<Sample>;
};

/**
 * How often each client asks within a slice. Each server finds the processor's caches full of the others: in short
 * slices that is what is measured.
 */
const TURNS = 64;

export async function openWindow(server: Server, each: Case, asked: number): Promise<Window> {
  const { peer, pid, port, cluster } = server;
  const { clients } = each;
  const dialect = peer.dialect ?? contractDialect;
  const status = each.status(dialect);
  const part = peer.share?.[each.writes ? 'writes' : 'reads'] ?? 1;
  const wanted = Math.max(clients, asked * each.share * part);
  const slices = Math.max(1, Math.floor(wanted / (clients * TURNS)));
  const size = Math.round(wanted / slices);
  const needed = each.books === 'removes' ? (slices + 1) * (clients + size) : 0;
  const ids = await addBooks(port, needed);
  const created: number[] = [];
  const latencies: number[] = [];
  const spent = new Map<number, number>();
  let [sent, database, elapsed] = [0, 0, 0];

  const check = (answer: HttpResponse) => {
    if (answer.status !== status) equal(answer.status, status, answer.head + answer.body);
    if (each.books === 'adds') created.push(idIn(answer));
  };

  /** On each connection one request whose response is compared in full, then those that count. */
  async function slice(counts: boolean): Promise<void> {
    const connections = await openConnections(port, clients);
    const first = sent + 1;
    sent += clients + size;
    const requests = range(clients + size).map((i) =>
      Buffer.from(each.request(first + i - 1, dialect, ids)),
    );
    await connections.run({
      requests: requests.slice(0, clients),
      keepsBodies: true,
      check(answer, index) {
        check(answer);
        each.check(answer, first + index, dialect);
      },
    });
    const before = [cpuTimes(pid), cluster ? cpuTimes(cluster) : new Map()] as const;
    const measured = requests.slice(clients);
    const timing = await connections.run({ requests: measured, keepsBodies: false, check });
    const own = spentSince(before[0], cpuTimes(pid));
    const others = cluster ? spentSince(before[1], cpuTimes(cluster)) : new Map();
    connections.close();
    if (!counts) return;
    for (const [id, time] of own) spent.set(id, (spent.get(id) ?? 0) + time);
    database += sum(others.values());
    elapsed += timing.elapsed;
    latencies.push(...timing.latencies);
  }

  return {
    server,
    slices,
    async slice(counts) {
      try {
        await slice(counts);
      } catch (error) {
        throw new Error(`${peer.title}, ${each.title}: ${error}`, { cause: error });
      }
    },
    async end() {
      const memory = sum([...cpuTimes(pid).keys()].map(residentBytes));
      await removeBooks(port, created, dialect.deleted);
      latencies.sort((a, b) => a - b);
      const count = latencies.length;
      return {
        cpu: sum(spent.values()) / count,
        database: database / count,
        busiest: Math.max(...spent.values()) / count,
        perSecond: count / elapsed,
        p50: latencies[Math.floor(count * 0.5)] ?? Number.NaN,
        p99: latencies[Math.floor(count * 0.99)] ?? Number.NaN,
        memory,
      };
    },
  };
}

/** A session of the database that ended meanwhile belonged to a server that was not asked. */
function spentSince(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>) {
  return new Map([...after].map(([id, time]) => [id, time - (before.get(id) ?? 0)]));
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, each) => total + each, 0);
}
