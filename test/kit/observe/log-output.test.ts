// slow: starts processes
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../tools/support/free-port.ts';
import { atOnce, spawnServer } from '../../../tools/support/server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-'));
afterAll(() => rmSync(folder, { recursive: true }));

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
const database = { DATABASE_URL: 'sqlite::memory:' };
const LINE = /"operation":"getGreeting"/g;

// As long as a line of a request can be made by what the client sends.
const request = [
  `GET /greet/${'x'.repeat(190)} HTTP/1.1`,
  'Host: x',
  `X-Request-Id: ${'i'.repeat(128)}`,
  '\r\n',
].join('\r\n');
const ANSWERED = '"status":404';
const AT_ONCE = 16;
// Their lines are twice as much as may wait.
const MANY = 61_440;

/** Sends requests over several connections, sixteen at a time on each, until so many are answered. */
async function flood(url: string, count: number): Promise<void> {
  const connections = 16;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      await once(socket, 'connect');
      let left = count / connections;
      for (; left > 0; left -= AT_ONCE) {
        socket.write(request.repeat(AT_ONCE));
        let text = '';
        while (text.split(ANSWERED).length <= AT_ONCE) text += (await once(socket, 'data'))[0];
      }
      socket.destroy();
    }),
  );
}

function spawnInto(file: string, env: Record<string, string> = {}) {
  const output = openSync(file, 'a');
  const { PATH } = process.env;
  const child = spawn(process.execPath, [main], {
    env: { PATH, PORT: '0', ...atOnce, ...database, ...env },
    stdio: ['ignore', output, 'inherit'],
  });
  closeSync(output);
  return child;
}

/** A server whose standard output is a file, once it serves. */
async function intoFile(name: string) {
  const file = join(folder, name);
  const child = spawnInto(file);
  const log = () => readFileSync(file, 'utf8');
  while (!log().includes('Accord is at')) await sleep(10);
  return { child, log, url: String(log().match(/Accord is at ([^"]+)/)?.[1]) };
}

describe('a log that is a file', () => {
  it('has a line for each request, however fast they come', async () => {
    const { child, log, url } = await intoFile('fast.log');
    await flood(url, MANY);
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(log().match(LINE)?.length).toBe(MANY);
  });

  it.skipIf(!existsSync('/dev/full'))('stops nobody when its disk is full', async () => {
    const port = await freePort();
    const child = spawnInto('/dev/full', { PORT: String(port) });
    const url = `http://127.0.0.1:${port}`;
    while (!(await fetch(url).catch(() => undefined))) {
      expect(child.exitCode).toBe(null);
      await sleep(10);
    }
    await flood(url, 1536);
    expect(child.exitCode).toBe(null);
    expect((await fetch(`${url}/greet/en`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

describe('a log whose reader stops reading', () => {
  it('drops lines, counts them, and tells how many once it is read again', async () => {
    const { child, output, ready } = spawnServer({ ...database, ...atOnce });
    const url = await ready();
    child.stdout?.pause();
    await flood(url, MANY);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const lost = Number(metrics.match(/^accord_log_lines_lost_total (\d+)$/m)?.[1]);
    expect(lost).toBeGreaterThan(0);
    child.stdout?.resume();
    const told =
      /"level":"error","time":"[^"]+","pid":\d+,"msg":"(\d+) lines of this log were lost/;
    while (!told.test(output())) await once(child.stdout ?? child, 'data');
    child.kill('SIGTERM');
    await once(child, 'close');
    const logged = output().match(/"operation":/g)?.length ?? 0;
    // One more is that of /metrics.
    expect(logged + Number(output().match(told)?.[1])).toBe(MANY + 1);
    expect(output()).toContain('"msg":"Stopped"');
  });

  it('does not keep the server from its end', async () => {
    const { child, ready, ended } = spawnServer({ ...database, ...atOnce });
    const url = await ready();
    child.stdout?.pause();
    await flood(url, 2560);
    child.kill('SIGTERM');
    expect(await ended()).toBe(0);
  });

  it('or is gone stops nobody', async () => {
    const { child, ready, ended } = spawnServer({ ...database, ...atOnce });
    const url = await ready();
    child.stdout?.destroy();
    await flood(url, 1536);
    expect((await fetch(`${url}/greet/en`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended()).toBe(0);
  });
});
