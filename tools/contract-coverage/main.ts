import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { api } from '../../src/api/api.ts';
import { readContract } from '../../src/kit/contract/contract.ts';
import { createSchema } from '../../src/kit/graphql/executable-schema.ts';
import { page } from './page.ts';
import { coverageReport } from './report.ts';

/**
 * Adds up what servers under test have counted and writes the report on both contracts, for people
 * and for tools. Fails when a status that a client can get, or a field, was never exercised.
 */
const { values } = parseArgs({
  options: { folder: { type: 'string', default: 'artefacts/contract-coverage' } },
});
const { folder } = values;
const root = new URL('../../', import.meta.url);

const contract = await readContract(new URL('openapi.yaml', root));
const schema = createSchema(readFileSync(new URL('schema.graphql', root), 'utf8'), api.resolvers);
const report = coverageReport(contract, schema, addUp(`${folder}/counts`));

mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/report.json`, `${JSON.stringify(report, null, 2)}\n`);
writeFileSync(`${folder}/report.html`, page(report));

for (const { title, parts } of report.sections) {
  const reachable = parts.filter(({ reason }) => !reason);
  const exercised = reachable.filter(({ count }) => count > 0);
  process.stdout.write(`${title}: ${exercised.length} of ${reachable.length}\n`);
  for (const { name, count } of reachable)
    if (count === 0) process.stdout.write(`  never: ${name}\n`);
}
process.stdout.write(`${folder}/report.html\n`);
process.exitCode = report.isComplete ? 0 : 1;

function addUp(counts: string): Map<string, number> {
  const sum = new Map<string, number>();
  for (const file of readdirSync(counts)) {
    const parts: Record<string, number> = JSON.parse(readFileSync(`${counts}/${file}`, 'utf8'));
    for (const [part, count] of Object.entries(parts)) sum.set(part, (sum.get(part) ?? 0) + count);
  }
  return sum;
}
