import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted, type Fault, megabytes } from '../support/check-report.ts';
import { createConnection } from '../support/http-connection.ts';
import { askProbe } from '../support/probe.ts';
import { residentBytes } from '../support/process-usage.ts';
import { withInstance } from '../support/server-instance.ts';

const probe = new URL('../support/memory-probe.ts', import.meta.url).href;
const CLIENTS = 16;
const MINUTE = 60_000;
const query = JSON.stringify({ query: '{ users { name posts { title } } books { title } }' });

export const soak: Fault = {
  promise: 'A server that runs for long needs no more than at its start',
  how: 'ten minutes of reads, writes, lists, refusals and GraphQL by 16 clients; a line through what it holds after a collection and its open files in the second half',

  run: ({ check, note }, isShort) =>
    withInstance(
      async (instance) => {
        const { url, pid } = instance;
        const duration = isShort ? 45_000 : 10 * MINUTE;
        const answers = new Map<string, number>();
        const start = performance.now();
        const clients = Array.from({ length: CLIENTS }, () => talk(start + duration));
        const samples: { at: number; held: number; memory: number; files: number }[] = [];
        // The last look is taken while everybody is still there.
        while (performance.now() - start < duration - 2000) {
          await sleep(1000);
          const at = performance.now() - start;
          const files = readdirSync(`/proc/${pid}/fd`).length;
          const held = await askProbe(instance.server, 'memory');
          samples.push({ at, held, memory: residentBytes(pid), files });
          if (samples.length % 60 === 0) {
            note(
              `${samples.length} s: ${megabytes(held)} held of ${megabytes(residentBytes(pid))}, ${files} files`,
            );
          }
        }
        await Promise.all(clients);

        // The first half goes into growing to its working size.
        const late = samples.filter(({ at }) => at > duration / 2);
        const line = (of: 'held' | 'memory' | 'files') =>
          slope(late.map((sample) => [sample.at / MINUTE, sample[of]]));
        const [held, memory, files] = [line('held'), line('memory'), line('files')];
        const most = Math.max(...late.map((sample) => sample.memory));
        const requests = [...answers.values()].reduce((sum, count) => sum + count, 0);
        // What V8 keeps ready for young objects grows for minutes; what is held when it has collected is
        // what a leak would add to. A line through a short time says little.
        check(held <= (isShort ? 10e6 : 1e6), `memory held: ${megabytes(held)} a minute`);
        note(`of the machine's: ${megabytes(memory)} a minute, ${megabytes(most)} at most`);
        check(files <= 1, `open files: ${files.toFixed(2)} a minute`);
        check(
          [...answers.keys()].every((status) =>
            ['200', '201', '204', '400', '404'].includes(status),
          ),
          `${requests} requests: ${counted(answers)}`,
        );
        return `${requests} requests: memory held ${megabytes(held)} a minute (of the machine's ${megabytes(memory)}, ${megabytes(most)} at most), open files ${files.toFixed(2)} a minute`;

        /** Leaves as many records as it found. */
        async function talk(until: number): Promise<void> {
          const client = createConnection(url);
          while (performance.now() < until) {
            const note = `{"title":"soak","body":"${'x'.repeat(500)}"}`;
            const created = await client.send('POST', '/notes', note);
            const path = `/notes/${JSON.parse('body' in created ? created.body : '{}').id}`;
            const all = [
              created,
              await client.send('GET', path),
              await client.send('PUT', path, note),
              await client.send('GET', '/notes?limit=50'),
              await client.send('GET', '/notes?colour=red'),
              await client.send('POST', '/graphql', query),
              await client.send('DELETE', path),
              await client.send('GET', path),
            ];
            for (const { status } of all) {
              answers.set(String(status), (answers.get(String(status)) ?? 0) + 1);
            }
          }
          client.close();
        }
      },
      { SEED_DEMO: 'true' },
      ['--expose-gc', '--import', probe],
    ),
};

/** How steeply the line rises that fits best. */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
  const [x, y] = [mean(points.map(([each]) => each)), mean(points.map(([, each]) => each))];
  const over = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  const under = points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
  return over / under;
}
