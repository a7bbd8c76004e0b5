import { setTimeout as sleep } from 'node:timers/promises';
import { counted, type Fault } from '../support/check-report.ts';
import { createConnection, isWellFormed } from '../support/http-connection.ts';
import { cpuTime } from '../support/process-usage.ts';
import { withInstance } from '../support/server-instance.ts';

const FEW = 32;
const MANY = 1000;

export const crowd: Fault = {
  promise: 'A crowd does not slow the server down, and whoever is refused is told so',
  how: '1,000 clients against 32, eleven times in turn, of which the median counts; then 500 against a server that takes 100 requests and 300 connections at a time',

  async run({ check, timing, note }, isShort) {
    // The machine's speed changes within seconds, so many short turns are compared.
    const turns = isShort ? 3 : 11;
    const window = isShort ? 1000 : 3000;
    const { during, after, byTheClock } = await withInstance(async ({ url, pid }) => {
      await fill(url);
      await throughput(url, pid, FEW, 2000);
      const measure = async (clients: number) => {
        const seen = await throughput(url, pid, clients, window);
        const { rate, perCpu, malformed, other } = seen;
        note(
          `${clients} clients: ${rate} requests/s, ${Math.round(1 / perCpu)} µs of CPU for each, ` +
            `beside 200: ${counted(other) || 'nothing'}`,
        );
        if (malformed > 0) check(false, `${malformed} answers are not well-formed`);
        return seen;
      };
      const ratios: Record<'during' | 'after' | 'duringByClock' | 'afterByClock', number>[] = [];
      for (let turn = 0; turn < turns; turn++) {
        const before = await measure(FEW);
        const during = await measure(MANY);
        const after = await measure(FEW);
        ratios.push({
          during: during.perCpu / before.perCpu,
          after: after.perCpu / before.perCpu,
          duringByClock: during.rate / before.rate,
          afterByClock: after.rate / before.rate,
        });
      }
      const clock = [
        median(ratios.map((each) => each.duringByClock)),
        median(ratios.map((each) => each.afterByClock)),
      ];
      return {
        during: median(ratios.map((each) => each.during)),
        after: median(ratios.map((each) => each.after)),
        byTheClock: clock.map((each) => each.toFixed(2)).join(' and '),
      };
    });
    // By the clock others' work on the same machine is measured too; a second of CPU is a second of CPU.
    // Its speed changes as well, so what is compared was measured one right after the other.
    timing(during >= 0.8, `1,000 clients have ${during.toFixed(2)} of the throughput of 32`);
    timing(after >= 0.9, `32 clients afterwards have ${after.toFixed(2)} of it`);
    note(`by the clock ${byTheClock}`);

    const refused = await withInstance(
      async ({ url, pid, status }) => {
        await fill(url);
        const crowded = throughput(url, pid, MANY / 2, window);
        await sleep(window / 2);
        const health = await status('/healthz');
        check(health === 200, `/healthz meanwhile: ${health}`);
        return crowded;
      },
      { MAX_IN_FLIGHT: '100', MAX_CONNECTIONS: '300' },
    );
    const refusals = refused.other.get('503') ?? 0;
    check(refusals > 0, `${refusals} refusals beside ${refused.served} answers`);
    check(
      refused.malformed === 0,
      `of them ${refused.malformed} not well-formed: ${counted(refused.other)}`,
    );
    return `${during.toFixed(2)} of the throughput for a second of CPU, ${after.toFixed(2)} afterwards (by the clock ${byTheClock}); ${refusals} refusals, ${refused.malformed} not well-formed`;
  },
};

async function fill(url: string): Promise<void> {
  const client = createConnection(url);
  await client.send('POST', '/books', '{"title":"Ubik","pages":202}');
  client.close();
}

/** How many requests a second clients have answered that each wait for their answer. */
async function throughput(url: string, pid: number, clients: number, milliseconds: number) {
  const other = new Map<string, number>();
  let malformed = 0;
  let served = 0;
  let isOver = false;
  const entered: Promise<unknown>[] = [];
  const all = Array.from({ length: clients }, async () => {
    const client = createConnection(url);
    const first = client.send('GET', '/books/1');
    entered.push(first);
    for (let sent = first; ; sent = client.send('GET', '/books/1')) {
      const outcome = await sent;
      if (isOver) break;
      if (outcome.status === 200) {
        served++;
        continue;
      }
      const how = String(outcome.status);
      other.set(how, (other.get(how) ?? 0) + 1);
      if (typeof outcome.status === 'string' || !('body' in outcome) || !isWellFormed(outcome)) {
        malformed++;
      }
      // Refused clients wait before they retry.
      await sleep(20);
    }
    client.close();
  });
  // Measured from when every client has its first response.
  await Promise.all(entered);
  const start = performance.now();
  const before = served;
  const cpuBefore = cpuTime(pid);
  await sleep(milliseconds);
  const counted = served - before;
  const perCpu = counted / (cpuTime(pid) - cpuBefore);
  const rate = Math.round((counted / (performance.now() - start)) * 1000);
  isOver = true;
  await Promise.all(all);
  // Closing the connections costs the server CPU that the next measurement must not see.
  await sleep(500);
  return { rate, perCpu, served, other, malformed };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
