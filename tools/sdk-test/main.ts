import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { contractFiles } from '../../src/kit/cli/project.ts';
import { graphqlOf } from '../../src/kit/cli/sdk/graphql-operations.ts';
import { readSources } from '../../src/kit/cli/sdk/sdk-sources.ts';
import { modelOf } from '../../src/kit/sdk/model.ts';
import { createReport } from '../support/check-report.ts';
import { pythonUse, typescriptUse, writeChanged } from './contract-change.ts';
import { expectations, pythonDrive, typescriptDrive } from './drive.ts';
import { hold, holdChange, type Programs } from './hold.ts';
import { ownDocuments, ownExample, ownWrong } from './own-documents.ts';
import { pythonProject } from './python-project.ts';
import { readmeExamples } from './readme-examples.ts';
import { demanded, type Project } from './sdk-project.ts';
import { typescriptProject } from './typescript-project.ts';
import { pythonRight, pythonWrong, typescriptRight, typescriptWrong } from './wrong-uses.ts';

/**
 * Makes the SDKs, installs them where somebody would use them, and holds them to the contracts: every
 * operation, every fault of the network, every wrong use, every example.
 */
const root = new URL('../../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'accord-sdk-'));
const { check, failures } = createReport(false);
const sources = await readSources(contractFiles({}, root));
const model = modelOf(sources);
const operations = graphqlOf(sources)?.operations ?? [];
const expected = expectations(model, sources, operations);

const made = await makeSdk(root, 'made');
const again = await makeSdk(root, 'again');
check(isSameTree(made, again), 'the same contracts make the same packages, byte for byte');
writeChanged(sources, join(folder, 'changed-contracts'));
const remade = await makeSdk(join(folder, 'changed-contracts'), 'remade');

await test('typescript', typescriptProject, {
  suffix: '.mts',
  drives: { drive: typescriptDrive(model, operations) },
  scenarios: program('scenarios.mts'),
  modes: [[]],
  imported: await ownDocuments(sources.sdl),
  examples: [
    ...readmeExamples(readFileSync(join(made, 'typescript/README.md'), 'utf8'), 'ts'),
    ownExample,
  ],
  right: typescriptRight,
  wrong: [...typescriptWrong, ...ownWrong],
  use: typescriptUse,
});
await test('python', pythonProject, {
  suffix: '.py',
  drives: {
    drive: pythonDrive(model, operations, 'sync'),
    drive_async: pythonDrive(model, operations, 'async'),
  },
  scenarios: program('scenarios.py'),
  modes: [['sync'], ['async']],
  examples: readmeExamples(readFileSync(join(made, 'python/README.md'), 'utf8'), 'python'),
  right: pythonRight,
  wrong: pythonWrong,
  use: pythonUse,
});
rmSync(folder, { recursive: true });
process.exitCode = failures() === 0 ? 0 : 1;

async function test(
  language: string,
  install: (sdk: string) => Promise<Project | { readonly missing: string }>,
  programs: Programs,
): Promise<void> {
  const project = await install(join(made, language));
  if ('missing' in project) return skip(language, project.missing);
  await hold(project, programs, expected, check);
  project.remove();
  const after = await install(join(remade, language));
  if ('missing' in after) return skip(language, after.missing);
  await holdChange(after, programs, check);
  after.remove();
}

/** A developer may be without Python; whoever checks a change may not. */
function skip(language: string, missing: string): void {
  if (process.env.CI === 'true') check(false, `test:sdk for ${language}: ${missing}`);
  else process.stderr.write(`\nSKIPPED test:sdk for ${language}: ${missing}\n`);
}

async function makeSdk(contracts: string, name: string): Promise<string> {
  const output = join(folder, name);
  const script = join(root, 'src/kit/cli/accord.ts');
  await demanded(
    process.execPath,
    [script, 'sdk', '--contracts', contracts, '--output', output],
    root,
  );
  return output;
}

/** Compares all files of two folders. */
function isSameTree(one: string, other: string): boolean {
  const files = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .toSorted();
  const names = files(one);
  return (
    names.join() === files(other).join() &&
    names.every((name) => readFileSync(join(one, name)).equals(readFileSync(join(other, name))))
  );
}

function program(name: string): string {
  return readFileSync(new URL(`programs/${name}`, import.meta.url), 'utf8');
}
