import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentialsConfig, testSecurity } from '../../src/kit/cli/test/test-credentials.ts';
import { type Contract, readContract } from '../../src/kit/contract/contract.ts';
import { createLog } from '../../src/kit/observe/log.ts';
import { readSettings } from '../../src/kit/process/settings.ts';
import { type Running, serve } from '../../src/kit/serve.ts';
import type { ForeignContract } from '../support/foreign-contracts.ts';
import { atOnce } from '../support/server-process.ts';

export type Outcome = {
  readonly name: string;
  readonly seed: string;
  readonly isPassed: boolean;
  readonly cases: number;
  readonly operations: number;
  /** The rule of each failure that is the contract's. */
  readonly passedOver: readonly string[];
  /** Why there are no cases, or what failed. */
  readonly told?: string;
};

type Run = {
  readonly contract: ForeignContract;
  readonly seed: string;
  readonly examples: string;
  readonly isShort: boolean;
  readonly schemathesis: string;
  /** Where its reports go. */
  readonly folder: string;
};

/** Operations of which schemathesis can make no case. */
const untestable: Readonly<Record<string, string>> = {
  quirks_entirelyIncompatibleAllOf: 'no value satisfies the schema of its body',
  quirks_partiallyUsableIncompatibleAllOf: 'no value satisfies the schema of its body',
  uploadImage: 'the `examples` of a schema are not a list, which stops schemathesis',
};
const MOST_OPERATIONS = 15;

/** Serves a contract with mocks and runs schemathesis against it. */
export async function run({
  contract,
  seed,
  examples,
  isShort,
  schemathesis,
  folder,
}: Run): Promise<Outcome> {
  const { name, file } = contract;
  const nothing = { name, seed, isPassed: true, cases: 0, operations: 0, passedOver: [] };
  const read = await readContract(file, { lenient: true }).catch((error: Error) => error);
  // What is refused, and with which line, is tested in test/kit/contracts-of-others.test.ts.
  if (read instanceof Error) return { ...nothing, told: `refused, ${read.message}` };
  if (read.operations.length === 0) return { ...nothing, told: 'no operations' };
  const temporary = mkdtempSync(join(tmpdir(), 'accord-foreign-'));
  const report = join(temporary, 'verdict.json');
  const passedOver = join(temporary, 'passed-over.txt');
  const log = join(folder, `${name.replaceAll('/', '-')}-${seed}.txt`);
  const server = await start(file, read);
  try {
    const config = join(temporary, 'schemathesis.toml');
    writeFileSync(config, configFor(read));
    const args = [
      ...['--config-file', config, '--no-color', 'run', file.pathname, '--url', server.url],
      ...['--phases', 'examples,coverage,fuzzing', '--seed', seed, '--max-examples', examples],
      // A loaded machine may take longer than the 10 s of its default.
      ...['--request-timeout', '60'],
      ...['--continue-on-failure', '--report', 'json', '--report-json-path', report],
      // Where two schemes of credentials exclude each other, most cases are passed over.
      ...['--suppress-health-check', 'filter_too_much,too_slow'],
      ...chosen(read, isShort).flatMap((name) => ['--include-name', name]),
    ];
    const { code, text } = await execute(schemathesis, args, temporary, passedOver);
    writeFileSync(log, text);
    if (!existsSync(report)) return { ...nothing, isPassed: false, told: text.slice(-500) };
    // Written by the pinned version of schemathesis.
    const { test_cases, operations, errors } = JSON.parse(readFileSync(report, 'utf8'));
    return {
      ...{ name, seed, isPassed: code === 0 },
      cases: test_cases.generated,
      operations: operations.tested,
      passedOver: existsSync(passedOver) ? readFileSync(passedOver, 'utf8').trim().split('\n') : [],
      ...(code !== 0 && {
        told: `${test_cases.unique_failures} failures, ${errors.length} errors; see ${log}`,
      }),
    };
  } finally {
    await server.stop();
    rmSync(temporary, { recursive: true });
  }
}

/** A short run takes the first operations of a large contract. */
function chosen({ operations }: Contract, isShort: boolean): string[] {
  const testable = operations
    .filter(({ id }) => !Object.hasOwn(untestable, id))
    .map(({ method, path }) => `${method} ${path}`);
  if (isShort && testable.length > MOST_OPERATIONS) return testable.slice(0, MOST_OPERATIONS);
  return testable.length < operations.length ? testable : [];
}

function start(openapi: URL, contract: Contract): Promise<Running> {
  return serve(
    { openapi, mocks: true, lenient: true, security: testSecurity(contract) },
    {
      settings: readSettings({ ...atOnce, PORT: '0', RESPONSE_SAMPLE: '0' }),
      log: createLog('silent', () => {}),
    },
  );
}

function configFor(contract: Contract): string {
  const hooks = new URL('hooks.py', import.meta.url).pathname;
  return [
    `hooks = ${JSON.stringify(hooks)}`,
    // What an earlier run found must not decide what this one sends.
    ...['[generation]', 'database = "none"', '[cache]', 'enabled = false'],
    ...['[phases.examples]', 'fill-missing = true', ...credentialsConfig(contract), ''],
  ].join('\n');
}

async function execute(
  command: string,
  args: readonly string[],
  cwd: string,
  passedOver: string,
): Promise<{ readonly code: number; readonly text: string }> {
  // Otherwise hypothesis and Python write folders beside the sources.
  const tidy = { HYPOTHESIS_STORAGE_DIRECTORY: cwd, PYTHONDONTWRITEBYTECODE: '1' };
  const env = { ...process.env, ...tidy, PASSED_OVER: passedOver };
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk;
    });
  }
  const [code] = await once(child, 'exit');
  return { code: Number(code ?? 1), text };
}
