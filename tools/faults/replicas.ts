import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, type Report, seconds } from '../support/check-report.ts';
import { startPostgres } from '../support/embedded-postgres.ts';
import { startInstance } from '../support/server-instance.ts';
import { type PairResults, send, type Way, writeAndRead } from './write-read-pairs.ts';

const CLIENTS = 8;
const READERS = 16;
const BOOKS = 100;
const LEAST_SHARE = 0.6;

/** Reads what was just written, where replicas that are a second behind answer reads. */
export const replicas: Fault = {
  promise: 'A client reads its own writes, though replicas that lag answer most reads',
  how: 'two replicas that apply each commit a second late, two instances; 10,000 times a write and a read of what was written: by the position in the header at the other instance, on one connection, with one token; 16 readers beside them; one replica is stopped and started again; a control that is known by nothing',

  async run(report, isShort) {
    const { check, timing, note } = report;
    const postgres = await startPostgres(['fsync=off']);
    const stops: (() => Promise<unknown>)[] = [postgres.remove];
    try {
      const url = await postgres.createDatabase('faults');
      const delayed = ['recovery_min_apply_delay=1s'];
      const standbys = [await postgres.startStandby(delayed), await postgres.startStandby(delayed)];
      for (const standby of standbys) stops.push(() => standby.stop());
      const hosts = standbys.map(({ port }) => `127.0.0.1:${port}`).join();
      const { username, password, pathname } = new URL(url);
      const DATABASE_READ_URL = `postgres://${username}:${password}@${hosts}${pathname}`;
      const env = { DATABASE_URL: url, DATABASE_READ_URL };
      const instances = [await startInstance(env), await startInstance(env)];
      for (const instance of instances) stops.push(instance.stop);
      await Promise.all(instances.map(({ ready }) => ready()));
      const [first = '', second = ''] = instances.map((each) => each.url);
      const urls = [first, second] as const;

      const readers = await startReaders(urls);
      await replicasAnswer(urls);
      const start = performance.now();
      const pairs = isShort ? 100 : 3334;
      const [standby] = standbys;
      const results: [Way, PairResults][] = [];
      for (const way of ['header', 'connection', 'token'] as const) {
        const under = writeAndRead(urls, way, CLIENTS, pairs);
        if (way === 'connection') {
          await standby?.stop();
          await standby?.start();
        }
        results.push([way, await under]);
      }
      const took = performance.now() - start;
      const read = await readers.stop();
      const share = await shareOfReplicas(urls);

      for (const [way, { stale, wrong }] of results) {
        const faults = [...stale, ...wrong];
        check(
          faults.length === 0,
          `${pairs} pairs by ${way}: ${stale.length} stale, ${wrong.length} wrong`,
        );
        for (const text of faults.slice(0, 3)) note(text);
      }
      check(
        read.failed.length === 0,
        `${read.answered} reads of others, ${read.failed.length} failed`,
      );
      for (const text of read.failed.slice(0, 3)) note(text);
      const percent = `${(100 * share).toFixed(0)} %`;
      timing(share > LEAST_SHARE, `${percent} of all reads were answered by replicas`);
      const control = await controlled(report, urls, isShort ? 300 : 1000);
      const stale = results.reduce((sum, [, each]) => sum + each.stale.length, 0);
      return `${3 * pairs} pairs in ${seconds(took)}, ${stale} stale; ${read.answered} reads of others, ${read.failed.length} failed; replicas answered ${percent} of all reads; control: ${control}`;
    } finally {
      for (const stop of stops.reverse()) await stop();
    }
  },
};

/** The same pairs of clients that are known by nothing: the check must be able to fail. */
async function controlled(
  { check }: Report,
  urls: readonly [string, string],
  pairs: number,
): Promise<string> {
  const { stale, wrong } = await writeAndRead(urls, 'nothing', CLIENTS, pairs);
  const text = `${stale.length} of ${pairs} stale without position, connection and token`;
  check(stale.length > 0 && wrong.length === 0, `control: ${text}`);
  return text;
}

/** Clients that read books and write nothing. */
async function startReaders(urls: readonly [string, string]) {
  const ids: number[] = [];
  for (let i = 0; i < BOOKS; i++) {
    const json = { title: `settled ${i}`, pages: 1 };
    const { text } = await send({ url: urls[0], method: 'POST', path: '/books', json });
    ids.push(JSON.parse(text).id);
  }
  // Both replicas are to have them.
  await sleep(3000);
  const failed: string[] = [];
  let answered = 0;
  let isOver = false;
  const running = Array.from({ length: READERS }, async (_, reader) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const url = urls[reader % urls.length] ?? urls[0];
    for (let i = reader; !isOver; i++) {
      const path = i % 10 === 0 ? '/books?limit=20' : `/books/${ids[i % BOOKS]}`;
      const { status, text } = await send({ url, method: 'GET', path, agent });
      if (status === 200) answered++;
      else failed.push(`GET ${path}: ${status} ${text}`);
    }
    agent.destroy();
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(running);
      return { answered, failed };
    },
  };
}

async function replicasAnswer(urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    while ((await readsOf(url, 'replica')) === 0) await sleep(20);
  }
}

async function shareOfReplicas(urls: readonly string[]): Promise<number> {
  const sum = async (from: 'replica' | 'writer') =>
    (await Promise.all(urls.map((url) => readsOf(url, from)))).reduce((a, b) => a + b, 0);
  const replica = await sum('replica');
  return replica / (replica + (await sum('writer')));
}

async function readsOf(url: string, from: 'replica' | 'writer'): Promise<number> {
  const { text } = await send({ url, method: 'GET', path: '/metrics' });
  const line = text
    .split('\n')
    .find((each) => each.startsWith(`accord_store_reads_total{from="${from}"`));
  return Number(line?.split(' ').at(-1) ?? 0);
}
