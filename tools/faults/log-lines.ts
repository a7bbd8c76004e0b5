import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../support/check-report.ts';
import { freePort } from '../support/free-port.ts';
import { atOnce } from '../support/server-process.ts';
import { type CrowdCounts, startCrowd } from './fairness-load.ts';

const program = new URL('../../src/main.ts', import.meta.url).pathname;
// All connections together keep a process busy; each has its burst answered before the next.
const burst = { from: '127.0.0.1', path: '/greet/en', connections: 16, requests: 64, every: 1 };

export const logs: Fault = {
  promise: 'Every request has its line in the log, or is counted as lost',
  how: 'as many pipelined requests as the machine answers in 45 s, by one process and by two, with the log in one file',

  async run({ check }, isShort) {
    const duration = isShort ? 2000 : 45_000;
    const figures: string[] = [];
    for (const [name, workers] of [
      ['one process', 1],
      ['two', 2],
    ] as const) {
      const { sent, answers, lines, broken, lost } = await flood(workers, duration);
      const rate = Math.round(sent / (duration / 1000));
      const figure = `${sent} requests, ${rate} a second, ${lines} lines, ${lost} lost`;
      check(sent > 0 && answers[200] === sent, `${name}: ${JSON.stringify(answers)}`);
      check(lines + lost === sent, `  ${figure}`);
      check(broken === 0, `  ${broken} lines are not whole`);
      figures.push(`${name}: ${figure}`);
    }
    return figures.join('; ');
  },
};

async function flood(workers: number, duration: number): Promise<CrowdCounts & Counted> {
  const folder = mkdtempSync(join(tmpdir(), 'accord-faults-'));
  const file = join(folder, 'out.log');
  const port = await freePort();
  const output = openSync(file, 'a');
  const { PATH } = process.env;
  const database = { DATABASE_URL: `sqlite:${join(folder, 'faults.db')}` };
  const server = spawn(process.execPath, [program], {
    env: { PATH, PORT: String(port), WORKERS: String(workers), ...atOnce, ...database },
    stdio: ['ignore', output, 'pipe'],
  });
  closeSync(output);
  let errors = '';
  server.stderr?.on('data', (text) => {
    errors += text;
  });
  const ended = once(server, 'exit');
  try {
    while (!(await isReady(port))) await sleep(20);
    const end = await startCrowd({ ...burst, port });
    await sleep(duration);
    const sent = await end();
    server.kill('SIGTERM');
    await ended;
    return { ...sent, ...(await countLines(file, errors)) };
  } finally {
    server.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  }
}

type Counted = {
  /** Of requests that the crowd sent. */
  readonly lines: number;
  readonly broken: number;
  readonly lost: number;
};

async function countLines(file: string, errors: string): Promise<Counted> {
  let lines = 0;
  let broken = 0;
  let lost = countsIn(errors, /^accord: (\d+) lines of the log of process \d+ were lost$/gm);
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (!line.startsWith('{') || !line.endsWith('}')) broken++;
    else if (line.includes('"operation":"getGreeting"')) lines++;
    else lost += countsIn(line, /"msg":"(\d+) lines of this log were lost/g);
  }
  return { lines, broken, lost };
}

function countsIn(text: string, told: RegExp): number {
  return text.matchAll(told).reduce((sum, [, count]) => sum + Number(count), 0);
}

async function isReady(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
  await response?.text();
  return response?.ok ?? false;
}
