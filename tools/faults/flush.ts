import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Fault } from '../support/check-report.ts';
import { withInstance } from '../support/server-instance.ts';
import { requireProgram } from './program.ts';
import { orderIn } from './trace.ts';

const WRITERS = 32;

export const flush: Fault = {
  promise: 'No write is acknowledged before it is on disk',
  how: `the server’s system calls, as strace sees them, while ${WRITERS} clients create, replace and delete, each 20 times, and one alone does: which of flushing the log and sending the answer comes first`,

  async run(report, isShort) {
    requireProgram('strace', '-V');
    const rounds = isShort ? 5 : 20;
    const trace = await withInstance(async ({ url, pid }, file) => {
      const output = `${file}.strace`;
      const calls = 'trace=pwrite64,pwritev,write,writev,sendto,sendmsg,fsync,fdatasync';
      const strace = spawn('strace', ['-f', '-y', '-p', String(pid), '-e', calls, '-o', output], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      // It says so when it has taken hold of the process.
      await once(strace.stderr, 'data');
      for (let i = 0; i < rounds; i++) await life(url);
      await Promise.all(Array.from({ length: WRITERS }, () => lives(url, rounds)));
      const ended = once(strace, 'exit');
      strace.kill('SIGINT');
      await ended;
      return readFileSync(output, 'utf8');
    });
    const { answers, flushes, early } = orderIn(trace);
    const wanted = 3 * rounds * (1 + WRITERS);
    report.check(answers === wanted, `${answers} of ${wanted} writes acknowledged`);
    report.check(early === 0, `${early} acknowledged before the log was flushed`);
    report.check(flushes > 0 && flushes <= answers, `${flushes} flushes`);
    return `${answers} acknowledged writes, ${flushes} flushes of the log, ${early} answers before theirs`;
  },
};

async function lives(url: string, rounds: number): Promise<void> {
  for (let i = 0; i < rounds; i++) await life(url);
}

/** A record is created, replaced and deleted. */
async function life(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ title: 'Written', pages: 1 });
  const created = await fetch(`${url}/books`, { method: 'POST', headers, body });
  const { id } = Object(await created.json());
  await (await fetch(`${url}/books/${id}`, { method: 'PUT', headers, body })).text();
  await (await fetch(`${url}/books/${id}`, { method: 'DELETE' })).text();
}
