import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { emptyContract, readContract } from '../../contract/contract.ts';
import { readSdl } from '../../graphql/sdl-check.ts';
import { command } from '../command.ts';
import { contractFiles, contractOptions } from '../project.ts';
import { page } from './coverage-page.ts';
import { coverageReport } from './coverage-report.ts';

export const coverageCommand = command({
  summary: 'reports what of the contracts the tests exercised',
  help: `accord coverage [--openapi <file>] [--schema <file>] [--folder <folder>]

Adds up what servers under test have counted and writes the report on both contracts, for people and for tools. It
fails when a status that a client can get, or a field, was never exercised.

  --openapi <file>     the OpenAPI description
  --schema <file>      the GraphQL SDL
  --folder <folder>    where counts/ is and the report goes (artefacts/contract-coverage)

Example:
  accord coverage --openapi api.yaml --folder coverage
`,
  options: {
    ...contractOptions,
    folder: { type: 'string', default: 'artefacts/contract-coverage' },
  },
  async run({ folder, ...files }) {
    const { openapi, schema: sdl } = contractFiles(files);
    const contract = await (openapi
      ? readContract(pathToFileURL(openapi), { lenient: true })
      : emptyContract());
    const schema = sdl && readSdl(readFileSync(sdl, 'utf8'), sdl, () => {}).schema;
    const report = coverageReport(contract, schema || undefined, addUp(`${folder}/counts`));

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

function addUp(counts: string): Map<string, number> {
  const sum = new Map<string, number>();
  if (!existsSync(counts)) {
    process.stdout.write(`There are no counts in ${counts}: servers under test write them.\n`);
    return sum;
  }
  for (const file of readdirSync(counts)) {
    const parts: Record<string, number> = JSON.parse(readFileSync(`${counts}/${file}`, 'utf8'));
    for (const [part, count] of Object.entries(parts)) sum.set(part, (sum.get(part) ?? 0) + count);
  }
  return sum;
}
