import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, isWellFormed } from './client.ts';
import { withInstance } from './instance.ts';
import { counted, type Fault } from './report.ts';

const FEW = 32;
const MANY = 1000;

export const crowd: Fault = {
  promise: 'A crowd does not slow the server down, and whoever is refused is told so',
  how: '1,000 clients against 32, three times in turn; then 1,000 against a server that takes 100 requests and 500 connections at a time',

  async run({ check, note }, isShort) {
    const turns = isShort ? 1 : 3;
    const [during, after] = await withInstance(async ({ url }) => {
      await fill(url);
      await throughput(url, FEW, 2000);
      const ratios: [number, number][] = [];
      for (let turn = 0; turn < turns; turn++) {
        const before = await throughput(url, FEW, 4000);
        const crowded = await throughput(url, MANY, 6000);
        const again = await throughput(url, FEW, 4000);
        for (const { other, malformed } of [before, crowded, again]) {
          check(malformed === 0, `answers other than 200: ${counted(other) || 'none'}`);
        }
        note(
          `${before.rate} requests/s of 32, ${crowded.rate} of 1,000, ${again.rate} of 32 again`,
        );
        ratios.push([crowded.rate / before.rate, again.rate / before.rate]);
      }
      return [
        median(ratios.map(([each]) => each)),
        median(ratios.map(([, each]) => each)),
      ] as const;
    });
    check(during >= 0.8, `1,000 clients have ${during.toFixed(2)} of the throughput of 32`);
    check(after >= 0.9, `32 clients afterwards have ${after.toFixed(2)} of it`);

    const refused = await withInstance(
      async ({ url, status }) => {
        await fill(url);
        const crowded = throughput(url, MANY, 4000);
        await sleep(2000);
        const health = await status('/healthz');
        check(health === 200, `/healthz meanwhile: ${health}`);
        return crowded;
      },
      { MAX_IN_FLIGHT: '100', MAX_CONNECTIONS: '500' },
    );
    const refusals = refused.other.get('503') ?? 0;
    check(refusals > 0, `${refusals} refusals beside ${refused.served} answers`);
    check(
      refused.malformed === 0,
      `of them ${refused.malformed} not well-formed: ${counted(refused.other)}`,
    );
    return `${during.toFixed(2)} of the throughput, ${after.toFixed(2)} afterwards; ${refusals} refusals, ${refused.malformed} not well-formed`;
  },
};

async function fill(url: string): Promise<void> {
  const client = createClient(url);
  await client.send('POST', '/books', '{"title":"Ubik","pages":202}');
  client.close();
}

/** How many requests a second clients have answered that each wait for their answer. */
async function throughput(url: string, clients: number, milliseconds: number) {
  const other = new Map<string, number>();
  let malformed = 0;
  let served = 0;
  let isOver = false;
  const all = Array.from({ length: clients }, async () => {
    const client = createClient(url);
    while (!isOver) {
      const outcome = await client.send('GET', '/books/1');
      if (outcome.status === 200) {
        served++;
        continue;
      }
      const how = String(outcome.status);
      other.set(how, (other.get(how) ?? 0) + 1);
      if (typeof outcome.status === 'string' || !('body' in outcome) || !isWellFormed(outcome)) {
        malformed++;
      }
      // A client in good faith does not come back at once.
      await sleep(20);
    }
    client.close();
  });
  // The first second goes into connecting.
  await sleep(1000);
  const start = performance.now();
  const before = served;
  await sleep(milliseconds - 1000);
  const rate = Math.round(((served - before) / (performance.now() - start)) * 1000);
  isOver = true;
  await Promise.all(all);
  return { rate, served, other, malformed };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
