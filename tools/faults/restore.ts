import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, seconds } from '../support/check-report.ts';
import { command } from '../support/server-command.ts';
import { startInstance } from '../support/server-instance.ts';
import { startLoad } from '../support/write-load.ts';

const WRITERS = 16;

/** Loses the database of a server, and starts it on a backup that was made while it was written to. */
export const restore: Fault = {
  promise: 'A backup of a running server has all that was acknowledged before it began',
  how: 'ten backups of one SQLite file under 16 writers; then the file is deleted and the server started on each of them',

  async run({ check, note }, isShort) {
    const rounds = isShort ? 2 : 10;
    const folder = mkdtempSync(join(tmpdir(), 'accord-restore-'));
    const file = join(folder, 'restore.db');
    const env = { DATABASE_URL: `sqlite:${file}` };
    const first = await startInstance(env);
    await first.ready();
    const load = startLoad(first.url, WRITERS);
    const backups = [];
    let longest = 0;
    for (let round = 1; round <= rounds; round++) {
      await load.nextAcknowledged();
      await sleep(300);
      const mark = load.mark();
      const out = join(folder, `backup-${round}.db`);
      const start = performance.now();
      const said = await command('backup', env, ['--out', out]);
      longest = Math.max(longest, performance.now() - start);
      check(said.includes('integrity check ok'), said.trim().replaceAll(`${folder}/`, ''));
      backups.push({ mark, out });
    }
    await load.nextAcknowledged();
    first.server.child.kill('SIGKILL');
    await first.server.ended();
    await load.stop();

    let acknowledged = 0;
    let lost = 0;
    for (const { mark, out } of backups) {
      for (const each of [file, `${file}-wal`, `${file}-shm`]) rmSync(each, { force: true });
      copyFileSync(out, file);
      const instance = await startInstance(env);
      await instance.ready();
      const differences = await mark.differences(instance.url);
      for (const text of differences.slice(0, 3)) note(text);
      acknowledged += mark.acknowledged();
      lost += differences.length;
      await instance.stop();
    }
    rmSync(folder, { recursive: true });

    check(load.violations.length === 0, 'no answer but 2xx while backups were made');
    for (const text of load.violations.slice(0, 3)) note(text);
    check(lost === 0, `${acknowledged} acknowledged before, ${lost} lost or altered`);
    return `${rounds} backups, the longest took ${seconds(longest)}; ${acknowledged} records acknowledged before one and not written to after it, ${lost} lost or altered`;
  },
};
