// long: starts processes
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'accord-'));
afterAll(() => rmSync(folder, { recursive: true }));

const begun = new Set<number>();
afterEach(() => {
  for (const pid of begun) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  begun.clear();
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Runs a script by npm as a shell would, and waits until it serves. */
async function npm(script: string, env: Record<string, string> = {}) {
  const { PATH, HOME } = process.env;
  const file = join(folder, `${begun.size}-${script}.db`);
  const child = spawn('npm', ['run', script], {
    cwd: root,
    env: { PATH, HOME, PORT: '0', DATABASE_URL: `sqlite:${file}`, DRAIN_DELAY: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const told = /"pid":(\d+),.*"msg":"Accord is at (http:[^"]+)"/;
  while (!told.test(output)) await once(child.stdout, 'data');
  const [, pid = '', url = ''] = output.match(told) ?? [];
  begun.add(Number(pid));
  /** Resolves when the server has noticed the signal; npm must not have left it alone by then. */
  const drains = async (signal: string) => {
    while (!output.includes(`"msg":"${signal}: draining"`)) {
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
      expect([child.exitCode, child.signalCode]).toEqual([null, null]);
    }
  };
  return { child, closed, drains, pid: Number(pid), url, file, output: () => output };
}

/** A request whose body is still on its way. */
async function halfSent(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('POST /tasks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
  socket.write('Content-Length: 13\r\n\r\n{"title":');
  await once(socket, 'connect');
  await (await fetch(`${url}/readyz`, { headers: { connection: 'close' } })).text();
  return socket;
}

describe.each([
  ['start', {}],
  ['start', { WORKERS: '2' }],
  ['dev', {}],
] as const)('npm run %s with %j', (script, env) => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'drains the server when npm alone is sent %s, and leaves nothing running',
    async (signal) => {
      const { child, closed, drains, pid, url, file, output } = await npm(script, env);
      const socket = await halfSent(url);
      child.kill(signal);
      await drains(signal);
      socket.write('"x"}');
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1.1 201 Created\r\n/);
      await closed;
      expect(isAlive(pid)).toBe(false);
      expect(output()).toContain('"msg":"Stopped"');
      await expect(fetch(url)).rejects.toThrow();
      // SQLite removes its log when the last connection is closed.
      expect(() => readFileSync(`${file}-wal`)).toThrow('ENOENT');
    },
  );
});

it('a second signal to npm ends the server at once', async () => {
  const { child, closed, drains, pid, url } = await npm('start', { DRAIN_DELAY: '600000' });
  child.kill('SIGTERM');
  await drains('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 300));
  child.kill('SIGTERM');
  await closed;
  expect(isAlive(pid)).toBe(false);
  await expect(fetch(url)).rejects.toThrow();
});

it('every script that execs finds exec on Windows, too', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect([scripts.start, scripts.dev]).toEqual([
    expect.stringMatching(/^exec node /),
    expect.stringMatching(/^exec node /),
  ]);
  expect(readFileSync(join(root, 'exec.cmd'), 'utf8')).toMatch(/^@%\*\r?$/m);
});
