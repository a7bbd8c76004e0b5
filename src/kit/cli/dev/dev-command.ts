import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { command } from '../command.ts';

export const devCommand = command({
  summary: 'serves while you edit',
  help: `accord dev

Serves while you edit. A change of a contract generates types, any change type-checks; the server restarts when the
types are right, and until then the old one goes on.
`,
  options: {},
  run: dev,
});

const contracts = ['openapi.yaml', 'schema.graphql', 'operations.graphql', 'codegen.ts'];
// Editors write a file in several steps.
const SETTLED = 100;

async function dev(): Promise<void> {
  const root = process.cwd();
  const typeCheck = new Worker(new URL('./type-check.ts', import.meta.url), { workerData: root });
  const changed = new Set<string>();
  // The first check is work, too.
  let isWorking = true;
  let timer: NodeJS.Timeout | undefined;
  let server = startServer();

  watch(root, (_, name) => {
    if (name && contracts.includes(name)) onChange(name);
  });
  watch(join(root, 'src'), { recursive: true }, (_, name) => {
    if (name) onChange(name);
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void end(signal).then(() => process.exit()));
  }
  await report();
  isWorking = false;
  await work();

  function onChange(file: string): void {
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => void work(), SETTLED);
  }

  async function work(): Promise<void> {
    if (isWorking || changed.size === 0) return;
    isWorking = true;
    const isContract = contracts.some((file) => changed.has(file));
    changed.clear();
    const isRight = (!isContract || (await generate())) && (await report());
    // A newer change decides instead.
    if (isRight && changed.size === 0) {
      await end('SIGTERM');
      server = startServer();
    }
    isWorking = false;
    await work();
  }

  /** Generates types; says what is wrong with the contracts where it cannot. */
  function generate(): Promise<boolean> {
    const options = { cwd: root, env: { ...process.env, NO_COLOR: '1' } };
    return new Promise((resolve) => {
      execFile('npm', ['run', '--silent', 'generate'], options, (error, stdout, stderr) => {
        const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim());
        const telling = lines.filter((line) =>
          /^(?!at |throw ).*(error|\.yaml|\.graphql)/i.test(line),
        );
        if (error) say(...telling.slice(0, 1), 'no types were generated; the server goes on');
        resolve(!error);
      });
    });
  }

  /** Type-checks, and says in one line each what is missing or wrong. */
  async function report(): Promise<boolean> {
    typeCheck.postMessage('check');
    // The worker posts lines of text.
    const [lines] = (await once(typeCheck, 'message')) as [string[]];
    if (lines.length > 0) say(...lines, 'the types are not right yet; the server goes on');
    return lines.length === 0;
  }

  function startServer(): ChildProcess {
    // Nobody balances load in development, so a restart need not wait.
    const env = { DRAIN_DELAY: '0', DRAIN_GRACE: '0', ...process.env };
    return spawn(process.execPath, ['src/main.ts'], { cwd: root, env, stdio: 'inherit' });
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  }

  function say(...lines: string[]): void {
    for (const line of lines) process.stderr.write(`${line}\n`);
  }
}
