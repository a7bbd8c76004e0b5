import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { emptyContract, readContract } from '../../contract/contract.ts';
import { isObject } from '../../contract/openapi-document.ts';
import { readSdl } from '../../graphql/sdl-check.ts';
import { command, WrongUse } from '../command.ts';
import { shownFile } from '../contract/contract-texts.ts';
import { contractFiles, contractOptions, namedText } from '../project.ts';
import { page } from './coverage-page.ts';
import { coverageReport } from './coverage-report.ts';

export const coverageCommand = command({
  summary: 'reports what of the contracts the tests exercised',
  help: `accord coverage [--openapi <file>] [--schema <file>] [--folder <folder>] [-- <command>]

Runs a command and adds up what the servers in its tests have counted: those of accord/testing, contractChecks and
startTestServer. Without a command it takes the counts that are there. It writes the report on both contracts, for people
and for tools, and fails when a status that a client can get, or a field, was never exercised.

  --openapi <file>     the OpenAPI description
  --schema <file>      the GraphQL SDL
  --folder <folder>    where counts/ is and the report goes (artefacts/contract-coverage)

Example:
  accord coverage -- npm test
`,
  options: {
    ...contractOptions,
    folder: { type: 'string', default: 'artefacts/contract-coverage' },
  },
  arguments: Number.POSITIVE_INFINITY,
  async run({ folder, ...files }, ...tests) {
    const { openapi, schema: sdl } = contractFiles(files);
    const counts = resolve(folder, 'counts');
    if (tests.length > 0) await runCounted(tests, counts);
    const contract = await (openapi
      ? readContract(pathToFileURL(openapi), { lenient: true })
      : emptyContract());
    const schema = sdl && readSdl(readFileSync(sdl, 'utf8'), sdl, () => {}).schema;
    const report = coverageReport(contract, schema || undefined, addUp(counts));

    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/report.json`, `${JSON.stringify(report, null, 2)}\n`);
    writeFileSync(`${folder}/report.html`, page(report));
    for (const { title, parts } of report.sections) {
      const reachable = parts.filter(({ reason }) => !reason);
      const never = reachable.filter(({ count }) => count === 0);
      process.stdout.write(`${title}: ${reachable.length - never.length} of ${reachable.length}\n`);
      for (const { name } of never) process.stdout.write(`  never: ${name}\n`);
    }
    process.stdout.write(`${folder}/report.html\n`);
    return report.isComplete;
  },
});

/** Runs tests whose servers count into the folder. */
async function runCounted([program = '', ...args]: readonly string[], counts: string) {
  rmSync(counts, { recursive: true, force: true });
  const env = { ...process.env, CONTRACT_COVERAGE: counts };
  const child = spawn(program, args, { stdio: 'inherit', env });
  const [code] = await once(child, 'close').catch((error: Error) => {
    throw new WrongUse(`cannot run ${program}: ${error.message}`);
  });
  if (code !== 0) throw new Error(`${[program, ...args].join(' ')} failed`);
}

function addUp(counts: string): Map<string, number> {
  const sum = new Map<string, number>();
  if (!existsSync(counts)) {
    process.stdout.write(`There are no counts in ${counts}: servers under test write them.\n`);
    return sum;
  }
  for (const file of readdirSync(counts)) {
    for (const [part, count] of countsIn(join(counts, file)))
      sum.set(part, (sum.get(part) ?? 0) + count);
  }
  return sum;
}

function countsIn(file: string): [part: string, count: number][] {
  const counts = Object.entries(objectIn(file));
  if (counts.every(isCount)) return counts;
  throw noCounts(file);
}

function objectIn(file: string): object {
  try {
    const found: unknown = JSON.parse(namedText(file));
    if (isObject(found) && !Array.isArray(found)) return found;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw noCounts(file);
}

function isCount(entry: [part: string, count: unknown]): entry is [string, number] {
  return typeof entry[1] === 'number';
}

function noCounts(file: string): WrongUse {
  return new WrongUse(`${shownFile(file)} is no JSON object of counts`);
}
