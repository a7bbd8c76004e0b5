import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Sources that the SDK command copies into the packages that it makes. */
const copied = 'src/kit/cli/sdk/typescript/runtime/*.ts';

/** Compiles the kit to JavaScript with types and source maps, and copies the files that it reads. */
export function compileKit(root: string, outDir: string): void {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const sources = globSync('src/kit/**/*.ts', { cwd: root, exclude: [copied] });
  const program = ts.createProgram(
    sources.map((file) => join(root, file)),
    {
      ...options,
      ...{ outDir, rootDir: join(root, 'src'), noEmit: false },
      ...{ declaration: true, sourceMap: true, inlineSources: true },
      rewriteRelativeImportExtensions: true,
    },
  );
  const faults = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  if (faults.length > 0) {
    const host = {
      getCanonicalFileName: String,
      getCurrentDirectory: () => root,
      getNewLine: () => '\n',
    };
    throw new Error(`the kit does not compile:\n${ts.formatDiagnostics(faults, host)}`);
  }
  const assets = globSync('src/kit/**/*.*', { cwd: root, exclude: ['src/kit/**/*.ts'] });
  for (const file of [...assets, ...globSync(copied, { cwd: root })]) {
    if (/\.pyc$/.test(file)) continue;
    cpSync(join(root, file), join(outDir, file.replace(/^src./, '')));
  }
  for (const file of globSync('**/*.{js,d.ts}', { cwd: outDir })) renameModules(join(outDir, file));
}

/**
 * The compiler renames the modules that are imported, but not those of workers and of declarations. A name of the
 * same length keeps the source map right.
 */
function renameModules(file: string): void {
  const text = readFileSync(file, 'utf8');
  const modules = file.endsWith('.js')
    ? /(new URL\('\.[^']+)\.ts(?=', import\.meta\.url)/g
    : /((?:from |import\()['"]\.[^'"]+)\.ts(?=['"])/g;
  const renamed = text.replaceAll(modules, '$1.js');
  if (renamed !== text) writeFileSync(file, renamed);
}
