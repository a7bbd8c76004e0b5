import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readContract } from '../../src/kit/contract/contract.ts';
import { type Postgres, startPostgres } from '../../test/support/postgres.ts';
import { attack, type Outcome } from './attack.ts';
import { unmet } from './demands.ts';
import { furtherWalks } from './further-walks.ts';
import { declaredLinks } from './links.ts';
import { plan } from './plan.ts';
import { report, summary } from './report.ts';
import { prepare } from './virtual-environment.ts';

/** Attacks the server with what schemathesis makes of the contract, and reports what came of it. */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    examples: { type: 'string' },
    short: { type: 'boolean', default: false },
    venv: { type: 'string', default: '.venv' },
  },
});
const root = new URL('../../', import.meta.url).pathname;
const folder = join(root, 'artefacts/contract-test');

const prepared = prepare(root, resolve(root, values.venv));
process.exitCode =
  'missing' in prepared ? skip(prepared.missing) : await test(prepared.schemathesis);

async function test(schemathesis: string): Promise<number> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const links = declaredLinks(await readContract(new URL('../../openapi.yaml', import.meta.url)));
  // What is asked for by options is somebody's own trial, which may be as small as they like.
  const isWhole = !values.short && !values.seeds && !values.examples;
  const outcomes: Outcome[] = [];
  const queue = plan(values);
  let postgres: Postgres | undefined;
  const database = async (name: string) => {
    postgres ??= await startPostgres(['fsync=off']);
    return postgres.createDatabase(name);
  };
  for (const run of queue) {
    process.stdout.write(`\n== ${run.name}\n\n`);
    outcomes.push(await attack({ run, schemathesis, root, folder, postgres: database }));
    if (isWhole && outcomes.length === queue.length) queue.push(...furtherWalks(outcomes, links));
  }
  await postgres?.remove();
  const faults = unmet(outcomes, links, isWhole);
  writeFileSync(join(folder, 'report.md'), report(outcomes, links, faults, folder));
  process.stdout.write(summary(outcomes, links, faults));
  return faults.length === 0 ? 0 : 1;
}

/** A developer may be without Python; whoever checks a change may not. */
function skip(missing: string): number {
  const isDemanded = process.env.CI === 'true';
  process.stderr.write(`\n${isDemanded ? 'FAILED' : 'SKIPPED'} test:contract: ${missing}\n`);
  return isDemanded ? 1 : 0;
}
