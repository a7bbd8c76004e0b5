import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from '../../src/kit/cli/test/virtual-environment.ts';
import { readContract } from '../../src/kit/contract/contract.ts';
import { type Postgres, startPostgres } from '../support/embedded-postgres.ts';
import { attack, type Outcome } from './attack.ts';
import { unmet } from './demands.ts';
import { furtherWalks } from './further-walks.ts';
import { collectionTags, declaredLinks } from './links.ts';
import { plan } from './plan.ts';
import { report, summary } from './run-report.ts';

/** Runs schemathesis against the server, for both contracts, and writes a report. */
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

const prepared = prepare(resolve(root, values.venv));
process.exitCode =
  'missing' in prepared ? skip(prepared.missing) : await test(prepared.schemathesis);

async function test(schemathesis: string): Promise<number> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const contract = await readContract(new URL('../../openapi.yaml', import.meta.url));
  const links = declaredLinks(contract);
  const collections = collectionTags(contract);
  // A run with options may be as small as its author likes.
  const isWhole = !values.short && !values.seeds && !values.examples;
  const outcomes: Outcome[] = [];
  const queue = plan(values, collections);
  let postgres: Postgres | undefined;
  const database = async (name: string) => {
    postgres ??= await startPostgres(['fsync=off']);
    return postgres.createDatabase(name);
  };
  for (const run of queue) {
    process.stdout.write(`\n== ${run.name}\n\n`);
    outcomes.push(await attack({ run, schemathesis, root, folder, postgres: database }));
    if (isWhole && outcomes.length === queue.length)
      queue.push(...furtherWalks(outcomes, links, collections));
  }
  await postgres?.remove();
  const faults = unmet(outcomes, links, isWhole ? collections : undefined);
  writeFileSync(join(folder, 'report.md'), report(outcomes, links, faults, folder));
  process.stdout.write(summary(outcomes, links, faults));
  return faults.length === 0 ? 0 : 1;
}

/** Without Python the tests are skipped, except in CI. */
function skip(missing: string): number {
  const isDemanded = process.env.CI === 'true';
  process.stderr.write(`\n${isDemanded ? 'FAILED' : 'SKIPPED'} test:contract: ${missing}\n`);
  return isDemanded ? 1 : 0;
}
