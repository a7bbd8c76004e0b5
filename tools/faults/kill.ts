import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../support/check-report.ts';
import { startInstance } from '../support/server-instance.ts';
import { startLoad } from '../support/write-load.ts';

const WRITERS = 16;
const ENOUGH = 5000;

export const kill: Fault = {
  promise: 'What was acknowledged outlives kill -9',
  how: '50 times kill -9 under 16 writers on one SQLite file, then a look at every record and the file',

  async run({ check, note }, isShort) {
    const rounds = isShort ? 10 : 50;
    const folder = mkdtempSync(join(tmpdir(), 'accord-kill-'));
    const file = join(folder, 'kill.db');
    const env = { DATABASE_URL: `sqlite:${file}` };
    const loads = [];
    let acknowledged = 0;
    for (let round = 1; round <= rounds || (!isShort && acknowledged < ENOUGH); round++) {
      const instance = await startInstance(env);
      await instance.ready();
      const load = startLoad(instance.url, WRITERS);
      await load.nextAcknowledged();
      await sleep(150 + Math.random() * 450);
      instance.server.child.kill('SIGKILL');
      await instance.server.ended();
      await load.stop();
      loads.push(load);
      acknowledged += load.acknowledged();
      if (round % 10 === 0) note(`round ${round}: ${acknowledged} writes acknowledged so far`);
    }

    const database = new DatabaseSync(file);
    const integrity = database.prepare('PRAGMA integrity_check').get()?.integrity_check;
    database.close();
    const last = await startInstance(env);
    await last.ready();
    const lost: string[] = [];
    for (const load of loads) lost.push(...(await load.differences(last.url)));
    const violations = loads.flatMap((load) => load.violations);
    await last.stop();
    rmSync(folder, { recursive: true });

    for (const text of [...lost, ...violations].slice(0, 10)) note(text);
    check(lost.length === 0, `${acknowledged} acknowledged writes, ${lost.length} lost or altered`);
    check(violations.length === 0, 'no answer but 2xx');
    check(integrity === 'ok', `integrity check: ${integrity}`);
    check(acknowledged >= (isShort ? 1 : ENOUGH), 'enough were acknowledged to say so');
    return `${loads.length} kills, ${acknowledged} acknowledged writes, ${lost.length} lost or altered, integrity check ${integrity}`;
  },
};
