// long: starts processes
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
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

// Where it is, and that it drains and has stopped.
const OWN_LINES = 3;

/** How many lines processes say on standard error that they lost. */
function lostAtEnd(errors: string): number {
  const told = errors.matchAll(/^accord: (\d+) lines of the log of process \d+ were lost$/gm);
  return told.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** How many lines the log itself says were lost. */
function lostAsTold(log: string): number {
  const told = log.matchAll(/"msg":"(\d+) lines of this log were lost/g);
  return told.reduce((sum, [, count]) => sum + Number(count), 0);
}

function spawnInto(file: string, env: Record<string, string> = {}) {
  const output = openSync(file, 'a');
  const { PATH } = process.env;
  const child = spawn(process.execPath, [main], {
    env: { PATH, PORT: '0', ...atOnce, ...database, ...env },
    stdio: ['ignore', output, 'pipe'],
  });
  closeSync(output);
  let errors = '';
  child.stderr?.on('data', (text) => {
    errors += text;
  });
  return { child, errors: () => errors };
}

/** A server whose standard output is a file, once it serves. */
async function intoFile(file: string, env: Record<string, string> = {}) {
  const { child, errors } = spawnInto(file, env);
  const log = () => readFileSync(file, 'utf8');
  while (!log().includes('Accord is at')) await sleep(10);
  return { child, errors, log, url: String(log().match(/Accord is at ([^"]+)/)?.[1]) };
}

describe('a log that is a file', () => {
  it('has a line for each request, however fast they come', async () => {
    const { child, log, url } = await intoFile(join(folder, 'fast.log'));
    await flood(url, MANY);
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(log().match(LINE)?.length).toBe(MANY);
  });

  it('has a line for each request that was answered when SIGTERM comes', async () => {
    const { child, log, url } = await intoFile(join(folder, 'term.log'));
    let answered = 0;
    const ask = async () => {
      for (; (await fetch(`${url}/greet/en`).catch(() => undefined))?.ok; answered++) {
        if (answered === 200) child.kill('SIGTERM');
      }
    };
    await Promise.all([once(child, 'exit'), ...Array.from({ length: 8 }, ask)]);
    expect(log().match(LINE)?.length).toBe(answered);
    expect(log()).toContain('"msg":"Stopped"');
  });

  it('has whole lines of several processes', async () => {
    const { child, log, url } = await intoFile(join(folder, 'workers.log'), {
      WORKERS: '2',
      DATABASE_URL: `sqlite:${join(folder, 'workers.db')}`,
    });
    await flood(url, MANY / 4);
    child.kill('SIGTERM');
    await once(child, 'exit');
    const lines = log().trimEnd().split('\n');
    const requests = lines.map((line) => JSON.parse(line).operation === 'getGreeting');
    expect(requests.filter(Boolean).length).toBe(MANY / 4);
  });

  it.skipIf(!existsSync('/dev/full'))('stops nobody when its disk is full', async () => {
    const port = await freePort();
    const { child, errors } = spawnInto('/dev/full', { PORT: String(port) });
    const url = `http://127.0.0.1:${port}`;
    while (!(await fetch(url).catch(() => undefined))) {
      expect(child.exitCode).toBe(null);
      await sleep(10);
    }
    await flood(url, 1536);
    expect(child.exitCode).toBe(null);
    expect((await fetch(`${url}/greet/en`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    // Two more are those of fetch.
    expect(lostAtEnd(errors())).toBe(1536 + 2 + OWN_LINES);
  });

  it.skipIf(userInfo().uid !== 0).each([
    ['one process', '1'],
    ['several processes', '2'],
  ])(
    'of %s counts what a full disk does not take, and goes on when there is space',
    async (_, WORKERS) => {
      const small = mkdtempSync(join(tmpdir(), 'accord-log-'));
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', small]);
      try {
        writeFileSync(join(small, 'filler'), Buffer.alloc(900_000));
        const env = { WORKERS, DATABASE_URL: `sqlite:${join(folder, `full-${WORKERS}.db`)}` };
        const { child, errors, log, url } = await intoFile(join(small, 'full.log'), env);
        await flood(url, 1024);
        rmSync(join(small, 'filler'));
        let asked = 0;
        for (; !log().includes('/after'); asked++) await (await fetch(`${url}/after`)).text();
        // More than there is space for.
        await flood(url, 3072);
        child.kill('SIGTERM');
        await once(child, 'close');
        const whole = log().match(/^\{.*\}$/gm)?.length ?? 0;
        expect(lostAtEnd(errors())).toBeGreaterThan(0);
        expect(whole + lostAtEnd(errors())).toBe(1024 + asked + 3072 + OWN_LINES);
      } finally {
        execFileSync('umount', [small]);
        rmSync(small, { recursive: true });
      }
    },
  );
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
    while (lostAsTold(output()) === 0) await once(child.stdout ?? child, 'data');
    child.kill('SIGTERM');
    await once(child, 'close');
    const logged = output().match(/"operation":/g)?.length ?? 0;
    // One more is that of /metrics.
    expect(logged + lostAsTold(output())).toBe(MANY + 1);
    expect(output()).toContain('"msg":"Stopped"');
  });

  it('does not keep the server from its end', async () => {
    const { child, ready, ended, output } = spawnServer({ ...database, ...atOnce });
    const url = await ready();
    child.stdout?.pause();
    await flood(url, 2560);
    child.kill('SIGTERM');
    expect(await ended()).toBe(0);
    child.stdout?.resume();
    await once(child, 'close');
    // What it could not write it counts on standard error.
    const written = output().match(/^\{.*\}$/gm)?.length ?? 0;
    expect(lostAtEnd(output())).toBeGreaterThan(0);
    expect(written + lostAtEnd(output())).toBe(2560 + OWN_LINES);
  });

  it('or is gone stops nobody', async () => {
    const { child, ready, output } = spawnServer({ ...database, ...atOnce });
    const url = await ready();
    child.stdout?.destroy();
    await flood(url, 1536);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^accord_log_lines_lost_total [1-9]\d*$/m);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    // All but the first, which tells where it is.
    expect(lostAtEnd(output())).toBe(1536 + 1 + OWN_LINES - 1);
  });
});
