import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atOnce, spawnCovered } from '../support/server-process.ts';
import type { Run } from './plan.ts';
import { readTally, type Tally } from './tally.ts';

/** The parts of schemathesis's JSON report that are read here. */
export type Verdict = {
  readonly schemathesis_version: string;
  readonly running_time: number;
  readonly phases: Readonly<Record<string, { readonly status: string }>>;
  readonly test_cases: { readonly unique_failures: number };
  readonly errors: readonly unknown[];
};

export type Outcome = {
  readonly run: Run;
  readonly exitCode: number;
  readonly verdict: Verdict;
  readonly tally: Tally;
};

type Attack = {
  readonly run: Run;
  readonly schemathesis: string;
  readonly root: string;
  /** Where its reports go. */
  readonly folder: string;
  /** The address of a new PostgreSQL database. */
  readonly postgres: (name: string) => Promise<string>;
};

const endpoints = { 'openapi.yaml': '', 'schema.graphql': '/graphql' };

/** Starts the server on a new database and runs schemathesis against it. */
export async function attack(parts: Attack): Promise<Outcome> {
  const { run, schemathesis, root, folder, postgres } = parts;
  const temporary = mkdtempSync(join(tmpdir(), 'accord-contract-'));
  const events = join(temporary, 'events.ndjson');
  const verdict = join(temporary, 'verdict.json');
  const database =
    run.engine === 'postgres'
      ? await postgres(run.name.replaceAll('-', '_'))
      : `sqlite:${join(temporary, 'contract.db')}`;
  // The contract's examples refer to records of the demo data.
  const server = spawnCovered({ DATABASE_URL: database, SEED_DEMO: 'true', ...atOnce });
  try {
    const reports = {
      '--report': 'junit,json,ndjson',
      '--report-junit-path': join(folder, `${run.name}.junit.xml`),
      '--report-json-path': verdict,
      '--report-ndjson-path': events,
    };
    const url = `${await server.ready()}${endpoints[run.contract]}`;
    const args = ['run', run.contract, '--url', url, ...choices(run), ...Object.entries(reports)];
    const exitCode = await execute(schemathesis, args.flat(), root, temporary);
    if (!existsSync(verdict)) throw new Error(`schemathesis ended with ${exitCode}, unreported`);
    return {
      run,
      exitCode,
      // Written by the pinned version of schemathesis.
      verdict: JSON.parse(readFileSync(verdict, 'utf8')) as Verdict,
      tally: await readTally(events),
    };
  } finally {
    server.child.kill();
    await server.ended();
    writeFileSync(join(folder, `${run.name}.server.log`), server.output());
    rmSync(temporary, { recursive: true });
  }
}

function choices({ seed, examples, phases, tag }: Run): string[] {
  const common = ['--seed', `${seed}`, '--max-examples', `${examples}`, '--phases', phases.join()];
  return tag ? [...common, '--include-tag', tag] : common;
}

async function execute(
  command: string,
  args: readonly string[],
  cwd: string,
  temporary: string,
): Promise<number> {
  // Otherwise hypothesis and Python write folders beside the sources.
  const tidy = { HYPOTHESIS_STORAGE_DIRECTORY: temporary, PYTHONDONTWRITEBYTECODE: '1' };
  const env = { ...process.env, ...tidy };
  const child = spawn(command, args, { cwd, env, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return Number(code ?? 1);
}
