import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { Model } from '../../../sdk/model.ts';
import { graphqlOf } from '../graphql-operations.ts';
import type { Sources } from '../sdk-sources.ts';
import { typescriptFiles } from './typescript-files.ts';
import { readme } from './typescript-readme.ts';

const runtime = new URL('./runtime/', import.meta.url);

/** Writes the npm package: sources, what they compile to, and what is said about them. */
export async function writeTypescript(
  model: Model,
  sources: Sources,
  folder: string,
): Promise<void> {
  const graphql = graphqlOf(sources);
  rmSync(folder, { recursive: true, force: true });
  for (const room of ['runtime', 'groups'])
    mkdirSync(join(folder, 'src', room), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  for (const name of readdirSync(runtime).filter((each) => /(?<!\.d)\.ts$/.test(each))) {
    write(`src/runtime/${name}`, readFileSync(new URL(name, runtime), 'utf8'));
  }
  for (const [name, text] of Object.entries(await typescriptFiles(model, sources, graphql))) {
    write(`src/${name}`, text);
  }
  write('package.json', `${JSON.stringify(manifest(model), null, 2)}\n`);
  write('README.md', readme(model, sources, graphql));
  if (existsSync('LICENSE')) write('LICENSE', readFileSync('LICENSE', 'utf8'));
  if (graphql) write('schema.graphql', sources.sdl);
  compile(folder);
}

function manifest({ packageName, packageVersion, summary, license, hasGraphql }: Model): object {
  return {
    name: packageName,
    version: packageVersion,
    description: summary,
    license: license ?? 'UNLICENSED',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.3' },
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      ...(hasGraphql && { './schema.graphql': './schema.graphql' }),
    },
    types: './dist/index.d.ts',
    files: ['dist', 'src', ...(hasGraphql ? ['schema.graphql'] : [])],
  };
}

function compile(folder: string): void {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    rootDir: join(folder, 'src'),
    outDir: join(folder, 'dist'),
    declaration: true,
    declarationMap: true,
    sourceMap: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    noImplicitOverride: true,
    verbatimModuleSyntax: true,
    types: [],
  };
  const program = ts.createProgram([join(folder, 'src/index.ts')], options);
  const faults = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  if (faults.length > 0) {
    const host = {
      getCanonicalFileName: String,
      getCurrentDirectory: () => folder,
      getNewLine: () => '\n',
    };
    throw new Error(`the TypeScript SDK does not compile:\n${ts.formatDiagnostics(faults, host)}`);
  }
}
