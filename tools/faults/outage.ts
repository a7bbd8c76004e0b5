import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted, type Fault, seconds } from '../support/check-report.ts';
import { startPostgres } from '../support/embedded-postgres.ts';
import { type Instance, startInstance } from '../support/server-instance.ts';
import { startLoad } from '../support/write-load.ts';

const WRITERS = 16;

/** Takes PostgreSQL away from servers in every way it can go. */
export const outage: Fault = {
  promise:
    'A database that goes away is a 503, loses nothing, and is served from again when it is back',
  how: 'PostgreSQL not yet there, stopped four times and hung, four instances, 16 writers',

  async run({ check, timing, note }, isShort) {
    const postgres = await startPostgres();
    const url = await postgres.createDatabase('faults');

    await postgres.stop('fast');
    const env = { DATABASE_URL: url };
    const instances = await Promise.all(Array.from({ length: 4 }, () => startInstance(env)));
    for (const instance of instances) {
      while ((await instance.status('/healthz')) !== 200 && instance.isAlive()) await sleep(50);
    }
    const early = await Promise.all(instances.map(({ status }) => status('/readyz')));
    check(
      early.every((status) => status === 503),
      `four servers started before their database live, /readyz: ${early.join()}`,
    );
    await postgres.start();
    const accepted = performance.now();
    await Promise.all(instances.map(({ ready }) => ready()));
    check(
      true,
      `all four ready ${seconds(performance.now() - accepted)} after an empty database came`,
    );

    const [instance] = instances as [Instance, ...Instance[]];
    const load = startLoad(instance.url, WRITERS);
    await load.nextAcknowledged();

    const ways = ['fast', 'immediate', 'fast', 'immediate'] as const;
    let slowest = 0;
    for (const how of ways.slice(0, isShort ? 2 : 4)) {
      await sleep(1000);
      const before = load.acknowledged();
      await postgres.stop(how);
      await sleep(1000);
      const away = await instance.status('/readyz');
      const starting = postgres.start();
      const next = load.nextAcknowledged();
      await starting;
      const there = performance.now();
      const recovery = Math.max(0, (await next) - there);
      slowest = Math.max(slowest, recovery);
      check(away === 503, `stopped (${how}) after ${before} writes: /readyz ${away} meanwhile`);
      timing(recovery < 2000, `  first write ${seconds(recovery)} after the database accepts`);
    }

    await sleep(500);
    signal(postgres.pid(), 'SIGSTOP');
    const asked = performance.now();
    const hung = await Promise.all([
      instance.status('/books/1'),
      instance.status('/readyz'),
      fetch(`${instance.url}/books`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"title":"hung","pages":1}',
      }).then(({ status }) => status),
    ]);
    const answered = performance.now() - asked;
    check(
      hung.every((status) => status === 503),
      `hanging: GET, /readyz, POST ${hung.join()} within ${seconds(answered)}`,
    );
    const next = load.nextAcknowledged();
    signal(postgres.pid(), 'SIGCONT');
    const resumed = performance.now();
    check(true, `  first write ${seconds((await next) - resumed)} after it goes on`);

    await sleep(500);
    await load.stop();
    check(
      load.violations.length === 0,
      `only 2xx and 503 with Retry-After: ${counted(load.answers)}`,
    );
    for (const violation of load.violations.slice(0, 5)) note(violation);
    check(!load.answers.has('broken'), 'no request went unanswered');
    check(
      instances.every(({ isAlive }) => isAlive()),
      'every process lives',
    );
    let lost = 0;
    for (const { url } of instances) {
      const differences = await load.differences(url);
      lost += differences.length;
      check(
        differences.length === 0,
        `${load.acknowledged()} acknowledged writes, ${differences.length} lost or altered`,
      );
    }

    await Promise.all(instances.map(({ stop }) => stop()));
    await postgres.remove();
    return `${load.acknowledged()} acknowledged writes, ${lost} lost or altered, ${load.answers.get('503') ?? 0} refused with 503; first write ${seconds(slowest)} after the database accepts; 503 within ${seconds(answered)} while it hangs`;
  },
};

/** Sends a signal to the server and to each of its sessions. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  for (const each of [String(pid), ...children]) process.kill(Number(each), name);
}
