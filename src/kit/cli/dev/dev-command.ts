import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { command, WrongUse } from '../command.ts';
import { contractFiles, contractOptions, projectManifest } from '../project.ts';
import { contractFaults } from './contract-faults.ts';

export const devCommand = command({
  summary: 'serves while you edit',
  help: `accord dev [--openapi <file>] [--schema <file>]

Serves src/main.ts while you edit. A change of a contract generates types (npm run generate), any change type-checks. It
says in one line each what is missing or wrong, and where; the server restarts when all is right, and until then the
old one goes on with the last good contract.

  accord dev
`,
  options: contractOptions,
  run: dev,
});

// Editors write a file in several steps.
const SETTLED = 100;
const MAIN = 'src/main.ts';

async function dev(given: { openapi?: string; schema?: string }): Promise<void> {
  const root = process.cwd();
  const contracts = contractFiles(given, root);
  if (!existsSync(join(root, MAIN))) throw new WrongUse(`there is no ${MAIN} in ${root}`);
  // In the package it is JavaScript, as this file is.
  const checker = new URL(`./type-check${extname(import.meta.url)}`, import.meta.url);
  const typeCheck = new Worker(checker, { workerData: root });
  const changed = new Set<'contract' | 'source'>();
  // The first check is work, too.
  let isWorking = true;
  let timer: NodeJS.Timeout | undefined;
  let server: ChildProcess | undefined;

  const files = [contracts.openapi, contracts.schema].filter((file) => file !== undefined);
  for (const folder of new Set([root, ...files.map((file) => dirname(file))])) {
    // A folder of contracts may have further ones; that of the project has node_modules.
    watch(folder, { recursive: folder !== root }, (_, name) => {
      if (name && isContract(name)) onChange('contract');
    });
  }
  watch(join(root, 'src'), { recursive: true }, () => onChange('source'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void end(signal).then(() => process.exit()));
  }
  if (await areContractsRight()) startServer();
  await areTypesRight();
  isWorking = false;
  await work();

  function onChange(what: 'contract' | 'source'): void {
    changed.add(what);
    clearTimeout(timer);
    timer = setTimeout(() => void work(), SETTLED);
  }

  async function work(): Promise<void> {
    if (isWorking || changed.size === 0) return;
    isWorking = true;
    const isContract = changed.has('contract');
    changed.clear();
    const isRight =
      (!isContract || ((await areContractsRight()) && (await generate()))) &&
      (await areTypesRight());
    // A newer change decides instead.
    if (isRight && changed.size === 0) {
      await end('SIGTERM');
      startServer();
    }
    isWorking = false;
    await work();
  }

  async function areContractsRight(): Promise<boolean> {
    const lines = await contractFaults(contracts, root);
    if (lines.length > 0) say(...lines, `the contract is not right yet; ${goesOn()}`);
    return lines.length === 0;
  }

  /** Generates types; says what is wrong with the contracts where it cannot. */
  function generate(): Promise<boolean> {
    const options = { cwd: root, env: { ...process.env, NO_COLOR: '1' } };
    const [program, args] = generator(root, contracts.openapi);
    if (!program) return Promise.resolve(true);
    return new Promise((resolve) => {
      execFile(program, args, options, (error, stdout, stderr) => {
        const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim());
        const telling = lines.filter((line) =>
          /^(?!at |throw ).*(error|\.yaml|\.json|\.graphql)/i.test(line),
        );
        if (error) say(...telling.slice(0, 1), `no types were generated; ${goesOn()}`);
        resolve(!error);
      });
    });
  }

  /** Type-checks, and says in one line each what is missing or wrong. */
  async function areTypesRight(): Promise<boolean> {
    typeCheck.postMessage('check');
    // The worker posts lines of text.
    const [lines] = (await once(typeCheck, 'message')) as [string[]];
    if (lines.length > 0) say(...lines, `the types are not right yet; ${goesOn()}`);
    return lines.length === 0;
  }

  function goesOn(): string {
    return server ? 'the server goes on' : 'the server is not started';
  }

  function startServer(): void {
    // Nobody balances load in development, so a restart need not wait.
    const env = { DRAIN_DELAY: '0', DRAIN_GRACE: '0', ...process.env };
    const started = spawn(process.execPath, [MAIN], { cwd: root, env, stdio: 'inherit' });
    server = started;
    started.once('exit', (code) => {
      if (server !== started) return;
      server = undefined;
      say(`the server has ended with ${code}; the next change starts it again`);
    });
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const running = server;
    if (!running) return;
    server = undefined;
    const ended = once(running, 'exit');
    running.kill(signal);
    await ended;
  }

  function say(...lines: string[]): void {
    for (const line of lines) process.stderr.write(`${line}\n`);
  }
}

function isContract(file: string): boolean {
  const isData = /\.(ya?ml|json|graphqls?|gql)$/.test(file);
  return (
    basename(file) === 'codegen.ts' ||
    (isData && !/^(package(-lock)?|tsconfig)\b/.test(basename(file)))
  );
}

/** The project's own script, else `accord generate`; nothing where no types are made of a contract. */
function generator(root: string, openapi: string | undefined): [program: string, args: string[]] {
  if (Object(projectManifest(root).scripts).generate)
    return ['npm', ['run', '--silent', 'generate']];
  const accord = process.argv[1];
  return openapi && accord ? [process.execPath, [accord, 'generate', openapi]] : ['', []];
}
