// engines: sqlite
// long: starts processes
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { atOnce, type Spawned, spawnProgram } from '../../../tools/support/server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-workers-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(
  join(folder, 'openapi.yaml'),
  `openapi: 3.1.0
info: { title: Rooms, version: 1.0.0 }
paths:
  /rooms:
    get:
      operationId: getRooms
      responses: { '200': { description: ok } }
`,
);
const flag = join(folder, 'flag');

/** Runs a program of several processes; `api` is what it serves beside the contract. */
function start(name: string, api: string, env: Record<string, string> = {}): Spawned {
  const file = join(folder, `${name}.mjs`);
  const run = new URL('../../../src/kit/process/run.ts', import.meta.url).href;
  writeFileSync(
    file,
    `import cluster from 'node:cluster';
    import { existsSync } from 'node:fs';
    const isDue = () => existsSync(${JSON.stringify(flag)});
    const { run } = await import(${JSON.stringify(run)});
    await run({ openapi: new URL('openapi.yaml', import.meta.url), ${api} });`,
  );
  return spawnProgram(file, { ...atOnce, WORKERS: '2', ...env });
}

/** The processes that a process has started, as Linux tells it. */
function children({ child }: Spawned): number[] {
  const text = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

async function stopped(server: Spawned) {
  server.child.kill('SIGTERM');
  expect(await server.ended()).toBe(0);
  return server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

const failures = (server: Spawned) => server.output().match(/"msg":"Process \d+ failed"/g) ?? [];

it('several processes tell once what is mocked, leave Ctrl-C to the first, and stop as one', async () => {
  const server = start('mocked', 'mocks: true');
  const url = await server.ready();
  const workers = children(server);
  expect(workers).toHaveLength(2);
  for (const pid of workers) process.kill(pid, 'SIGINT');
  for (let i = 0; i < 50; i++) {
    const { status } = await fetch(`${url}/rooms`, { headers: { connection: 'close' } });
    expect(status).toBe(200);
  }
  expect(children(server)).toEqual(workers);
  const told = (await stopped(server)).filter(({ msg }) => msg);
  expect(told[0]?.pid).toBe(workers[0]);
  expect(told.map(({ msg }) => msg)).toEqual([
    expect.stringMatching(/mocked; each process keeps what it is sent$/),
    `Accord is at ${url}`,
    'SIGTERM: draining',
    'Stopped',
  ]);
});

it('a process that exits is replaced, and the log tells its code', async () => {
  const server = start('exiting', 'handlers: () => ({ getRooms: () => process.exit(7) })');
  const url = await server.ready();
  await expect(fetch(`${url}/rooms`)).rejects.toThrow();
  while (failures(server).length === 0) await once(server.child.stdout ?? server.child, 'data');
  while ((await fetch(`${url}/healthz`)).status !== 200);
  while (children(server).length < 2) await sleep(10);
  const faults = (await stopped(server)).filter(({ level }) => level === 'error');
  expect(faults.map(({ cause }) => cause)).toEqual(['7']);
});

it('with NODE_CLUSTER_SCHED_POLICY=none no connection waits for a process that is stopped or killed', async () => {
  const handler = '() => ({ status: 200, headers: {}, body: undefined })';
  const server = start('shared', `handlers: () => ({ getRooms: ${handler} })`, {
    NODE_CLUSTER_SCHED_POLICY: 'none',
  });
  const url = await server.ready();
  const [halted = 0] = children(server);
  process.kill(halted, 'SIGSTOP');
  while (!/^State:\tT/m.test(readFileSync(`/proc/${halted}/status`, 'utf8'))) await sleep(10);
  const asked = Array.from({ length: 30 }, () =>
    fetch(`${url}/rooms`, { headers: { connection: 'close' } }),
  );
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses).toEqual(Array(30).fill(200));
  process.kill(halted, 'SIGKILL');
  while (failures(server).length === 0) await once(server.child.stdout ?? server.child, 'data');
  const faults = (await stopped(server)).filter(({ level }) => level === 'error');
  expect(faults.map(({ cause }) => cause)).toEqual(['SIGKILL']);
});

it('none is left where the second cannot start', async () => {
  const server = start(
    'second',
    `handlers: () => {
      if (cluster.worker.id === 2) throw new Error('no luck');
      return { getRooms: () => ({ status: 200, headers: {}, body: undefined }) };
    }`,
  );
  expect(await server.ended()).toBe(1);
  expect(server.output().trim().split('\n')).toEqual([
    'accord: no luck',
    'accord: a process ended before it served',
  ]);
});

it('one that cannot be replaced is tried again after a second', async () => {
  const server = start(
    'again',
    `handlers: () => {
      if (isDue()) throw new Error('no luck');
      return { getRooms: () => ({ status: 200, headers: {}, body: undefined }) };
    }`,
  );
  await server.ready();
  writeFileSync(flag, '');
  const [killed = 0, other = 0] = children(server);
  process.kill(killed, 'SIGKILL');
  while (failures(server).length < 3) await once(server.child.stdout ?? server.child, 'data');
  rmSync(flag);
  while (children(server).length < 2 || !(await isServing(server, other))) await sleep(20);
  const faults = (await stopped(server)).filter(({ level }) => level === 'error');
  expect(new Set(faults.map(({ msg }) => msg))).toEqual(new Set([`Process ${killed} failed`]));
  const times = faults.map(({ time }) => Date.parse(time));
  const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  // A timer may be a millisecond early.
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(990);
});

/** Whether a process that is not the one given has answered. */
async function isServing({ output }: Spawned, other: number): Promise<boolean> {
  const url = output().match(/Accord is at ([^\s"]+)/)?.[1];
  await (await fetch(`${url}/rooms`, { headers: { connection: 'close' } })).text();
  return output()
    .split('\n')
    .some((line) => /"path":"\/rooms"/.test(line) && !line.includes(`"pid":${other},`));
}
