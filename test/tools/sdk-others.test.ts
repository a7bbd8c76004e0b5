// long: compiles SDKs and runs programs with them
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../../src/kit/api-declaration.ts';
import { writePython } from '../../src/kit/cli/sdk/python/python-package.ts';
import { readSources, type Sources } from '../../src/kit/cli/sdk/sdk-sources.ts';
import { writeTypescript } from '../../src/kit/cli/sdk/typescript/typescript-package.ts';
import { prepareFor } from '../../src/kit/cli/test/virtual-environment.ts';
import { createLog } from '../../src/kit/observe/log.ts';
import { readSettings } from '../../src/kit/process/settings.ts';
import { type Model, modelOf } from '../../src/kit/sdk/model.ts';
import { type Running, serve } from '../../src/kit/serve.ts';
import { pythonCalls, typescriptCalls } from '../../tools/sdk-test/example-drive.ts';
import { ended } from '../../tools/sdk-test/sdk-project.ts';
import { foreignContracts } from '../../tools/support/foreign-contracts.ts';
import { atOnce } from '../../tools/support/server-process.ts';
import { everyFeature, featureResolvers, scalars } from '../support/every-feature.ts';

const root = new URL('../../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'sdk-others-'));
afterAll(() => rmSync(folder, { recursive: true }));

const names = [
  'galaxy/3.1.json',
  'oas-examples/3.1/json/train-travel.json',
  'oas-examples/3.0/json/petstore.json',
  'oas-examples/3.0/json/parameters-style.json',
  'oas-examples/3.0/json/discriminators.json',
  'oas-examples/3.0/json/file-uploads.json',
  'oas-examples/3.0/json/response-multiple-mediatypes.json',
  'oas-examples/3.1/json/security.json',
];
const contracts = foreignContracts().filter(({ name }) => names.includes(name));

describe.each(contracts)('the SDKs of $name', ({ name, file }) => {
  const sdk = join(folder, name.replaceAll('/', '_'));
  let sources: Sources;
  let model: Model;
  let server: Running;
  beforeAll(async () => {
    sources = await readSources({ openapi: fileURLToPath(file) }, { lenient: true });
    model = modelOf(sources);
    server = await start({ openapi: file, mocks: { stateless: true }, lenient: true });
  });
  afterAll(() => server.stop());

  it('in TypeScript compile, and each operation is answered as declared', async () => {
    await writeTypescript(model, sources, join(sdk, 'typescript'));
    const program = typescriptCalls(model, sources, './typescript/dist/index.js');
    const answers = await outputOf(join(sdk, 'calls.mts'), program, server.url);
    expect(undeclared(model, answers)).toEqual([]);
  });

  it('in Python can be imported, and each operation is answered as declared', async (context) => {
    writePython(model, sources, join(sdk, 'python'));
    const python = pythonOrSkip(context.skip);
    writeFileSync(join(sdk, 'calls.py'), pythonCalls(model, sources));
    const { output, log } = await runPython(python, sdk, ['calls.py', server.url]);
    expect(log).toBe('');
    expect(undeclared(model, JSON.parse(output))).toEqual([]);
  });

  it('have a README whose example is of the contract', () => {
    for (const language of ['typescript', 'python']) {
      const text = readFileSync(join(sdk, language, 'README.md'), 'utf8');
      expect(text).toContain(model.title);
      expect(text).not.toMatch(/\bbooks?\b|\baccord\b/i);
    }
  });
});

describe('the SDKs of an SDL alone', () => {
  const file = join(folder, 'schema.graphql');
  writeFileSync(file, everyFeature);

  it('execute documents', async (context) => {
    const sources = await readSources({ schema: file });
    const model = modelOf(sources, 'Ships');
    const sdk = join(folder, 'ships');
    await writeTypescript(model, sources, join(sdk, 'typescript'));
    const server = await start({
      graphql: pathToFileURL(file),
      resolvers: featureResolvers(),
      scalars,
    });
    const program = `import { type GraphqlTypes, Ships } from './typescript/dist/index.js';
declare const process: { readonly argv: readonly string[] };
const ships = new Ships({ baseUrl: String(process.argv[2]) });
const data = await ships.graphql.execute<Pick<GraphqlTypes.Reads, 'old'>>('{ old }');
console.log(JSON.stringify({ old: data.old satisfies number | null | undefined }));
`;
    expect(await outputOf(join(sdk, 'calls.mts'), program, server.url)).toEqual({ old: 1 });
    writePython(model, sources, join(sdk, 'python'));
    const python = pythonOrSkip(context.skip);
    const call = `import sys, ships_sdk; print(ships_sdk.Ships(sys.argv[1]).graphql.execute("{ old }"))`;
    const { output, log } = await runPython(python, sdk, ['-c', call, server.url]);
    expect({ output, log }).toEqual({ output: "{'old': 1}\n", log: '' });
    await server.stop();
  });

  it('leave subscriptions out, and say so', async () => {
    const operations = join(folder, 'own.graphql');
    writeFileSync(operations, 'query Old { old }\n\nsubscription Count { count(to: 2) }\n');
    const sources = await readSources({ schema: file }, { operations });
    const { graphqlOf } = await import('../../src/kit/cli/sdk/graphql-operations.ts');
    const graphql = graphqlOf(sources);
    expect(graphql?.operations.map(({ name }) => name)).toEqual(['Old']);
    expect(graphql?.leftOut).toEqual([
      `${operations}: Count is left out: the SDK has no subscriptions`,
    ]);
  });
});

function start(api: Api): Promise<Running> {
  const settings = readSettings({ ...atOnce, PORT: '0', RESPONSE_SAMPLE: '0' });
  return serve(api, { settings, log: createLog('error', () => {}) });
}

/** The operations that were not answered with success, or with a refusal where that is all that they declare. */
function undeclared(model: Model, answers: unknown): string[] {
  const calls = model.groups.flatMap((group) => group.calls);
  return calls.flatMap(({ operationId, replies, refusals }) => {
    const answer = Object(answers)[operationId];
    const [, refused] = /answered with (\d+)/.exec(String(answer)) ?? [];
    const isMade = replies.every(({ payload }) => payload?.mediaType === '*/*');
    const isDeclared = (among: readonly { readonly status: unknown }[], status: number) =>
      among.some(({ status: each }) =>
        [String(status), `${Math.floor(status / 100)}XX`, 'default'].includes(String(each)),
      );
    if (answer === 'ok' || (typeof answer === 'number' && isDeclared(replies, answer))) return [];
    if (refused && isMade && isDeclared(refusals, Number(refused))) return [];
    return [`${operationId}: ${answer}`];
  });
}

/** Compiles a program strictly, and gives what it prints as JSON. */
async function outputOf(file: string, program: string, url: string): Promise<unknown> {
  writeFileSync(file, program);
  const found = ts.getPreEmitDiagnostics(
    ts.createProgram([file], {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      types: [],
    }),
  );
  expect(
    found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  ).toEqual([]);
  const { output, log } = await ended(process.execPath, [file, url], folder);
  expect(log).toBe('');
  return JSON.parse(output);
}

/** Python with httpx; a developer may be without, whoever checks a change may not. */
function pythonOrSkip(skip: (note: string) => never): string {
  const requirements = join(root, 'tools/sdk-test/requirements.txt');
  const prepared = prepareFor(
    'the Python SDK',
    requirements,
    join(root, 'node_modules/.cache/sdk-venv'),
  );
  if (!('missing' in prepared)) return join(prepared.bin, 'python');
  if (process.env.CI === 'true') throw new Error(prepared.missing);
  return skip(prepared.missing);
}

function runPython(python: string, sdk: string, args: readonly string[]) {
  return ended('env', [`PYTHONPATH=${join(sdk, 'python/src')}`, python, ...args], sdk);
}
