import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted, type Fault, seconds } from '../support/check-report.ts';
import { createConnection } from '../support/http-connection.ts';
import { startInstance } from '../support/server-instance.ts';

const CLIENTS = 32;
const LONGEST = 10_000;

export const drain: Fault = {
  promise: 'SIGTERM breaks no request',
  how: '16 drains, each under 32 keep-alive clients that read and write',

  async run({ check, timing, note }, isShort) {
    const rounds = isShort ? 4 : 16;
    const folder = mkdtempSync(join(tmpdir(), 'accord-drain-'));
    const DATABASE_URL = `sqlite:${join(folder, 'drain.db')}`;
    const answers = new Map<string, number>();
    const codes: (number | null)[] = [];
    let created = 0;
    let longest = 0;
    for (let round = 1; round <= rounds; round++) {
      const instance = await startInstance({ DATABASE_URL });
      await instance.ready();
      const clients = Array.from({ length: CLIENTS }, (_, i) => talk(instance.url, i));
      await sleep(500);
      instance.server.child.kill('SIGTERM');
      const start = performance.now();
      codes.push(await instance.server.ended());
      longest = Math.max(longest, performance.now() - start);
      await Promise.all(clients);
      note(`drain ${round} of ${rounds}: gone after ${seconds(performance.now() - start)}`);
    }
    const last = await startInstance({ DATABASE_URL });
    await last.ready();
    const stored = Object(await (await fetch(`${last.url}/tasks`)).json()).length;
    await last.stop();
    rmSync(folder, { recursive: true });

    const [resets, truncated] = ['reset', 'truncated'].map((how) => answers.get(how) ?? 0);
    const requests = [...answers.values()].reduce((sum, count) => sum + count, 0);
    check(resets === 0 && truncated === 0, `${requests} requests: ${counted(answers)}`);
    check(requests > rounds * CLIENTS, 'every client had answers before and after the signal');
    check(
      [...answers.keys()].every((how) => ['200', '201', 'refused'].includes(how)),
      'each was answered, or not taken on at all',
    );
    check(stored === created, `${created} tasks acknowledged, ${stored} stored`);
    check(
      codes.every((code) => code === 0),
      `each ended with ${[...new Set(codes)].join()}`,
    );
    timing(longest < LONGEST, `the longest drain took ${seconds(longest)}`);
    return `${rounds} drains, ${requests} requests: ${resets} resets, ${truncated} truncated, exit ${[...new Set(codes)].join()}, the longest ${seconds(longest)}`;

    /** Reads and writes until nobody listens any more. */
    async function talk(url: string, name: number): Promise<void> {
      const client = createConnection(url);
      for (let i = 0; ; i++) {
        const { status } =
          i % 3 === 0
            ? await client.send('POST', '/tasks', `{"title":"client ${name}, task ${i}"}`)
            : await client.send('GET', i % 3 === 1 ? '/tasks?limit=200' : '/greet/en');
        answers.set(String(status), (answers.get(String(status)) ?? 0) + 1);
        if (status === 201) created++;
        if (status === 'refused') return;
      }
    }
  },
};
