// engines: sqlite
// long: compiles SDKs and runs every program of the reference
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api as own } from '../../../src/api/api.ts';
import type { Api } from '../../../src/kit/api-declaration.ts';
import { contractFiles } from '../../../src/kit/cli/project.ts';
import { writePython } from '../../../src/kit/cli/sdk/python/python-package.ts';
import { readSources } from '../../../src/kit/cli/sdk/sdk-sources.ts';
import { writeTypescript } from '../../../src/kit/cli/sdk/typescript/typescript-package.ts';
import { prepareFor } from '../../../src/kit/cli/test/virtual-environment.ts';
import { createLog } from '../../../src/kit/observe/log.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { type Model, modelOf } from '../../../src/kit/sdk/model.ts';
import { type Running, serve } from '../../../src/kit/serve.ts';
import { ended } from '../../../tools/sdk-test/sdk-project.ts';
import { foreignContracts } from '../../../tools/support/foreign-contracts.ts';
import { atOnce } from '../../../tools/support/server-process.ts';

const root = new URL('../../../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'code-samples-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Served = { readonly name: string; readonly api: Api; readonly files: Files };
type Files = Parameters<typeof readSources>[0];

const names = [
  'galaxy/3.1.json',
  'oas-examples/3.0/json/parameters-style.json',
  'oas-examples/3.0/json/file-uploads.json',
];
const contracts: readonly Served[] = [
  // Its types say which handlers it needs; here it is served as any API is.
  { name: 'this API', api: own as unknown as Api, files: contractFiles({}, root) },
  ...foreignContracts()
    .filter(({ name }) => names.includes(name))
    .map(({ name, file }) => ({
      name,
      api: { openapi: file, mocks: { stateless: true }, lenient: true },
      files: { openapi: fileURLToPath(file) },
    })),
];

/** Programs by operation. */
type Programs = ReadonlyMap<string, string>;

describe.each(contracts)('the programs in the reference of $name', ({ name, api, files }) => {
  const project = join(folder, name.replaceAll(/[^\w]/g, '_'));
  let model: Model;
  let server: Running;
  beforeAll(async () => {
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, 'file.bin'), 'content');
    const sources = await readSources(files, { lenient: name !== 'this API' });
    model = modelOf(sources);
    await writeTypescript(model, sources, join(project, 'typescript'));
    mkdirSync(join(project, 'node_modules'));
    symlinkSync('../typescript', join(project, 'node_modules', model.packageName));
    writePython(model, sources, join(project, 'python'));
  });

  // A record that one language has deleted would be missing to the next.
  const served = async (language: string): Promise<Programs> => {
    const settings = readSettings({
      ...atOnce,
      ...{ PORT: '0', RESPONSE_SAMPLE: '1', DATABASE_URL: 'sqlite::memory:', SEED_DEMO: 'true' },
    });
    server = await serve(api, { settings, log: createLog('error', () => {}) });
    const pages = await operationPages(server.url);
    const programs = [...pages].flatMap(([id, html]) => {
      const text = programIn(html, language)?.replaceAll(model.address, server.url);
      return text === undefined ? [] : [[id, text] as const];
    });
    expect(programs).toHaveLength(pages.size);
    return new Map(programs);
  };

  it('run in a shell with curl', async () => {
    const programs = await served('curl');
    const checked = 'curl() { command curl -sS --fail-with-body "$@"; }\n';
    await runAll(
      programs,
      '.sh',
      (text) => checked + text,
      (file) => ['sh', file],
    );
    await server.stop();
  });

  it('compile and run in TypeScript', async () => {
    const programs = await served('TypeScript');
    const paths = [...programs].map(([id, text]) => written(id, '.mts', text));
    expect(faultsIn(paths)).toEqual([]);
    await runAll(programs, '.mts', String, (file) => [process.execPath, file]);
    await server.stop();
  });

  it('run in Python', async (context) => {
    const venv = join(root, 'node_modules/.cache/sdk-venv');
    const requirements = join(root, 'tools/sdk-test/requirements.txt');
    const prepared = prepareFor('the Python SDK', requirements, venv);
    if ('missing' in prepared) {
      if (process.env.CI === 'true') throw new Error(prepared.missing);
      return context.skip(prepared.missing);
    }
    const path = `PYTHONPATH=${join(project, 'python/src')}`;
    const python = join(prepared.bin, 'python');
    await runAll(await served('Python'), '.py', String, (file) => ['env', path, python, file]);
    await server.stop();
  });

  function written(id: string, suffix: string, text: string): string {
    const file = join(project, `${id.replaceAll(/[^\w]/g, '_')}${suffix}`);
    writeFileSync(file, text);
    return file;
  }

  /** One after the other, in the order of the contract: what is created first is there to be read. */
  async function runAll(
    programs: Programs,
    suffix: string,
    whole: (text: string) => string,
    commandOf: (file: string) => string[],
  ): Promise<void> {
    const failures: string[] = [];
    for (const [id, text] of programs) {
      const [command = '', ...args] = commandOf(written(id, suffix, whole(text)));
      const { code, output, log } = await ended(command, args, project);
      if (code !== 0) failures.push(`${id}: ${text}\n${output}${log}`);
    }
    expect(failures).toEqual([]);
  }
});

/** The page of each operation, by its address. */
async function operationPages(url: string): Promise<Map<string, string>> {
  // What the search of the reference reads.
  const index = (await (await fetch(`${url}/docs/rest.json`)).json()) as [href: string][];
  const hrefs = index
    .filter(([href]) => !/^\/docs\/rest\/(schemas\/|webhook%20|callback%20)/.test(href))
    .map(([href]) => href);
  const pages = new Map<string, string>();
  for (const href of hrefs) pages.set(href, await (await fetch(url + href)).text());
  return pages;
}

function programIn(html: string, language: string): string | undefined {
  const [, section] = html.split(`data-language="${language}"`);
  return section
    ?.split('<code>')[1]
    ?.split('</code>')[0]
    ?.replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

function faultsIn(files: readonly string[]): string[] {
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    types: [],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) =>
        `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
}
