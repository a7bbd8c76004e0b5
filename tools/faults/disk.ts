import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted, type Fault, seconds } from '../support/check-report.ts';
import { startInstance } from '../support/server-instance.ts';
import { startLoad } from '../support/write-load.ts';

const WRITERS = 8;

export const disk: Fault = {
  promise:
    'A full disk loses nothing that was acknowledged, and the service goes on when there is space',
  how: 'a file system of 16 MB filled to the last byte five times under 8 writers',

  async run({ check, note }, isShort) {
    if (userInfo().uid !== 0) return { skipped: 'only root may mount a small file system' };
    const rounds = isShort ? 2 : 5;
    const folder = mkdtempSync(join(tmpdir(), 'accord-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder]);
    try {
      const file = join(folder, 'disk.db');
      const instance = await startInstance({ DATABASE_URL: `sqlite:${file}` });
      await instance.ready();
      const load = startLoad(instance.url, WRITERS);
      const refusals = () => load.answers.get('503') ?? 0;
      let slowest = 0;
      let reads = 0;
      for (let round = 1; round <= rounds; round++) {
        await load.nextAcknowledged();
        await sleep(300);
        fillUp(join(folder, 'filler'));
        const enough = refusals() + 20;
        while (refusals() < enough) await sleep(10);
        const read = [await instance.status('/books/1'), await instance.status('/books?limit=5')];
        if (read.every((status) => status === 200 || status === 404)) reads++;
        note(
          `full (${round} of ${rounds}): reads ${read.join()}, ${refusals()} writes refused so far`,
        );
        rmSync(join(folder, 'filler'));
        const freed = performance.now();
        slowest = Math.max(slowest, (await load.nextAcknowledged()) - freed);
      }
      await sleep(300);
      await load.stop();
      const lost = await load.differences(instance.url);
      const isAlive = instance.isAlive();
      await instance.stop();
      const database = new DatabaseSync(file);
      const integrity = database.prepare('PRAGMA integrity_check').get()?.integrity_check;
      database.close();

      const acknowledged = load.acknowledged();
      check(isAlive, 'the process lives, the service resumes without a restart');
      check(reads === rounds, `reads were answered in ${reads} of ${rounds} times`);
      check(
        load.violations.length === 0,
        `only 2xx and 503 with Retry-After: ${counted(load.answers)}`,
      );
      for (const text of [...load.violations, ...lost].slice(0, 5)) note(text);
      check(!load.answers.has('broken'), 'no request went unanswered');
      check(
        lost.length === 0,
        `${acknowledged} acknowledged writes, ${lost.length} lost or altered`,
      );
      check(integrity === 'ok', `integrity check: ${integrity}`);
      return `${rounds} times full: ${acknowledged} acknowledged writes, ${lost.length} lost or altered, ${refusals()} refused with 503; first write ${seconds(slowest)} after there was space`;
    } finally {
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true });
    }
  },
};

/** Writes until there is no space left. */
function fillUp(file: string): void {
  for (const size of [65_536, 4096, 1]) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size));
    } catch (error) {
      if (Object(error).code !== 'ENOSPC') throw error;
    }
  }
}
