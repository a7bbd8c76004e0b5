import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLoad } from '../../test/support/load.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { type Instance, startInstance } from './instance.ts';
import { counted, createReport, seconds } from './report.ts';

/**
 * Takes PostgreSQL away from servers in every way it can go, and looks at what they answer and whether
 * everything they acknowledged is there.
 */
const WRITERS = 16;
const { check, end } = createReport();
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
check(true, `all four ready ${seconds(performance.now() - accepted)} after an empty database came`);

const [instance] = instances as [Instance, ...Instance[]];
const load = startLoad(instance.url, WRITERS);
await load.nextAcknowledged();

for (const how of ['fast', 'immediate', 'fast', 'immediate'] as const) {
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
  check(away === 503, `stopped (${how}) after ${before} writes: /readyz ${away} meanwhile`);
  check(recovery < 2000, `  first write ${seconds(recovery)} after the database accepts`);
}

await sleep(500);
signal('SIGSTOP');
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
check(
  hung.every((status) => status === 503),
  `hanging: GET, /readyz, POST ${hung.join()} within ${seconds(performance.now() - asked)}`,
);
const next = load.nextAcknowledged();
signal('SIGCONT');
const resumed = performance.now();
check(true, `  first write ${seconds((await next) - resumed)} after it goes on`);

await sleep(500);
await load.stop();
check(load.violations.length === 0, `only 2xx and 503 with Retry-After: ${counted(load.answers)}`);
for (const violation of load.violations.slice(0, 5)) process.stdout.write(`     ${violation}\n`);
check(!load.answers.has('broken'), 'no request went unanswered');
check(
  instances.every(({ isAlive }) => isAlive()),
  'every process lives',
);
for (const { url } of instances) {
  const differences = await load.differences(url);
  check(
    differences.length === 0,
    `${load.acknowledged()} acknowledged writes, ${differences.length} lost or altered`,
  );
}

await Promise.all(instances.map(({ stop }) => stop()));
await postgres.remove();
end();

/** Sends a signal to the server and to each of its sessions. */
function signal(name: 'SIGSTOP' | 'SIGCONT'): void {
  const pid = postgres.pid();
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  for (const each of [String(pid), ...children]) process.kill(Number(each), name);
}
