import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type SchemathesisRun = {
  /** Where the program is. */
  readonly schemathesis: string;
  /** The text of the contract, and the file name that tells schemathesis its kind. */
  readonly contract: { readonly name: 'openapi.yaml' | 'schema.graphql'; readonly text: string };
  readonly url: string;
  readonly seed: string;
  readonly examples: string;
  /** `Name: value`, on each request. */
  readonly headers: readonly string[];
  /** Further lines of schemathesis.toml. */
  readonly config: readonly string[];
};

const hooks = fileURLToPath(new URL('./hooks.py', import.meta.url));
// schemathesis has no other phase for GraphQL.
const phases = { 'openapi.yaml': 'examples,coverage,fuzzing', 'schema.graphql': 'fuzzing' };

/** Runs schemathesis, which prints the failing cases; whether there were none. */
export async function runSchemathesis(run: SchemathesisRun): Promise<boolean> {
  const { schemathesis, contract, url, seed, examples, headers, config } = run;
  const folder = mkdtempSync(join(tmpdir(), 'accord-test-'));
  try {
    writeFileSync(join(folder, contract.name), contract.text);
    writeFileSync(join(folder, 'schemathesis.toml'), [...common, ...config, ''].join('\n'));
    const args = [
      ...['run', contract.name, '--url', url, '--seed', seed, '--max-examples', examples],
      ...['--phases', phases[contract.name], '--continue-on-failure', '--warnings', 'off'],
      // A loaded machine may take longer than the 10 s of its default.
      ...['--request-timeout', '60'],
      // Where two schemes of credentials exclude each other, most cases are passed over.
      ...['--suppress-health-check', 'filter_too_much,too_slow'],
      ...headers.flatMap((header) => ['--header', header]),
    ];
    // Otherwise hypothesis and Python write folders beside the sources.
    const tidy = { HYPOTHESIS_STORAGE_DIRECTORY: folder, PYTHONDONTWRITEBYTECODE: '1' };
    const passedOver = join(folder, 'passed-over.txt');
    const env = { ...process.env, ...tidy, PASSED_OVER: passedOver };
    const child = spawn(schemathesis, args, { cwd: folder, env, stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    if (existsSync(passedOver)) process.stdout.write(told(readFileSync(passedOver, 'utf8')));
    return code === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What was passed over, by its reason. */
function told(lines: string): string {
  const groups = Map.groupBy(lines.trim().split('\n'), String);
  const each = [...groups].map(([reason, { length }]) => `  ${length} times ${reason}\n`);
  return `Passed over, because the contract or a rule of the server says so:\n${each.join('')}`;
}

const common = [
  `hooks = ${JSON.stringify(hooks)}`,
  // What an earlier run found must not decide what this one sends.
  ...['[generation]', 'database = "none"', '[cache]', 'enabled = false'],
  ...['[phases.examples]', 'fill-missing = true'],
];
