import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byFile, demanded, ended, type Project } from './sdk-project.ts';

const root = new URL('../../', import.meta.url).pathname;

/** Packs the package as npm publishes it and installs that in a project of its own. */
export async function typescriptProject(sdk: string): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'accord-sdk-ts-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await demanded('npm', ['pack', '--silent', '--pack-destination', folder], sdk);
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  // The SDK has no dependencies: it installs without a registry.
  await demanded('npm', ['install', '--silent', '--offline', `./${tarball}`], folder);

  // The types that graphql-codegen's documents are written with.
  const documents = 'node_modules/@graphql-typed-document-node';
  mkdirSync(join(folder, documents), { recursive: true });
  symlinkSync(join(root, documents, 'core'), join(folder, documents, 'core'));

  /** Once as a page in a browser sees it, once as Node does; both must find nothing. */
  const surroundings = [
    { name: 'browser', lib: ['es2023', 'dom', 'dom.iterable'], types: [] },
    { name: 'node', lib: ['es2023'], types: ['node'] },
  ];
  for (const { name, lib, types } of surroundings) {
    const compilerOptions = {
      target: 'es2022',
      module: 'nodenext',
      noEmit: true,
      allowImportingTsExtensions: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      typeRoots: [join(root, 'node_modules/@types')],
      lib,
      types,
    };
    const config = { compilerOptions, include: ['*.mts'] };
    writeFileSync(join(folder, `tsconfig.${name}.json`), JSON.stringify(config));
  }
  const tsc = join(root, 'node_modules/typescript/lib/tsc.js');

  return {
    language: 'TypeScript',
    async check(programs) {
      for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text);
      const outputs = await Promise.all(
        surroundings.map(({ name }) =>
          ended(process.execPath, [tsc, '-p', `tsconfig.${name}.json`], folder),
        ),
      );
      for (const name of Object.keys(programs).filter((each) => each.startsWith('wrong'))) {
        rmSync(join(folder, name));
      }
      const output = outputs.map((each) => each.output).join('\n');
      return byFile(output, /^([^(\s]+)\(\d+,\d+\): error/, Object.keys(programs));
    },
    run: (file, parameters = []) => ended(process.execPath, [file, ...parameters], folder),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
