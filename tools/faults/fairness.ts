import type { Fault } from '../support/check-report.ts';
import { createConnection } from '../support/http-connection.ts';
import { withInstance } from '../support/server-instance.ts';
import { type CrowdCounts, percentile, readSteadily, startCrowd } from './fairness-load.ts';

const CROWD = '127.0.0.1';
const VICTIM = '127.0.0.2';
const MOST = 3;
// Below this many milliseconds a percentile tells the system's scheduler.
const FLOOR = 1;
const path = '/books/1';

// The victim sends 200 a second.
const crowds = {
  '500 connections': { connections: 500, next: 2, requests: 1, every: 1 },
  '90 % of the requests': { connections: 10, requests: 18, every: 100 },
  '500 requests at once': { connections: 500, requests: 1, every: 100 },
};
type Kind = keyof typeof crowds;
type Ratios = Readonly<Record<'ofIdle' | 'ofApart' | 'control', number>>;

export const fairness: Fault = {
  promise:
    'A client with 500 connections, or with 90 % of the requests, does not raise another’s p99 above three times its idle value; nor, with 500 requests at once, above three times what it is when they are sent elsewhere',
  how: 'an address reads 200 times a second, beside another that sends 2,000 a second on 500 connections, one after the other; 18 requests at once on each of ten connections ten times a second; a request on each of 500 connections at once ten times a second. Against the same reads on the idle machine, and while the same crowd sends to another server of the machine, in turn, of which the median counts (less than 1 ms counts as 1); a control with both from one address',

  run: ({ check, timing, note }, isShort) =>
    withInstance(({ url }) =>
      withInstance(async ({ url: elsewhere }) => {
        const rounds = isShort ? 3 : 11;
        const duration = isShort ? 700 : 2000;
        for (const each of [url, elsewhere]) await warmUp(each, isShort ? 1000 : 3000);
        const figures: string[] = [];
        for (const kind of Object.keys(crowds) as Kind[]) {
          const ratios: Ratios[] = [];
          for (let round = 0; round < rounds; round++) ratios.push(await compare(kind, duration));
          const ofIdle = median(ratios.map((each) => each.ofIdle));
          const ofApart = median(ratios.map((each) => each.ofApart));
          const control = median(ratios.map((each) => each.control));
          // They leave no capacity while they are answered: judged against the same crowd elsewhere.
          const isOverload = kind === '500 requests at once';
          const figure = `${kind}: ${ofIdle.toFixed(2)} times idle, ${ofApart.toFixed(2)} times elsewhere, from one address ${control.toFixed(2)}`;
          timing((isOverload ? ofApart : ofIdle) <= MOST, figure);
          if (isOverload) timing(control > ofApart, '  from one address it is more');
          figures.push(figure);
        }
        return figures.join('; ');

        async function compare(kind: Kind, duration: number): Promise<Ratios> {
          const alone = await readSteadily(url, { from: VICTIM, path, every: 5, duration });
          const idle = percentile(alone.waited, 0.99);
          const apart = await p99(kind, elsewhere, CROWD, duration);
          const shared = await p99(kind, url, CROWD, duration);
          const control = await p99(kind, url, VICTIM, duration);
          const figures = [idle, apart, shared, control].map((each) => each.toFixed(2));
          note(`${kind}: p99 idle, apart, shared, from one address: ${figures.join(', ')} ms`);
          const least = Math.max(apart, FLOOR);
          const ofIdle = shared / Math.max(idle, FLOOR);
          return { ofIdle, ofApart: shared / least, control: control / least };
        }

        /** The victim's, while a crowd sends to one of the servers. */
        async function p99(
          kind: Kind,
          crowded: string,
          from: string,
          duration: number,
        ): Promise<number> {
          const port = Number(new URL(crowded).port);
          const end = await startCrowd({ ...crowds[kind], port, from, path, yields: true });
          const seen = await readSteadily(url, { from: VICTIM, path, every: 5, duration });
          const counts = await end();
          const isServed = counts.sent > 0 && counts.answers[200] === counts.sent;
          if (!isServed || seen.failed > 0) {
            check(false, `${seen.failed} reads failed, and of the crowd: ${shown(counts)}`);
          }
          return percentile(seen.waited, 0.99);
        }
      }),
    ),
};

async function warmUp(url: string, duration: number): Promise<void> {
  const client = createConnection(url);
  await client.send('POST', '/books', '{"title":"Ubik","pages":202}');
  client.close();
  await readSteadily(url, { from: VICTIM, path, every: 0, duration });
}

function shown({ sent, answers }: CrowdCounts): string {
  return `${sent} sent, ${JSON.stringify(answers)}`;
}

function median(numbers: readonly number[]): number {
  return percentile(
    numbers.toSorted((a, b) => a - b),
    0.5,
  );
}
