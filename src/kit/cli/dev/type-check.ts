import { resolve } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import ts from 'typescript';
import { errorLines } from './missing.ts';

/** A worker thread that type-checks the server on each message; after the first time only what changed. */
const root = String(workerData);
const { config } = ts.readConfigFile(resolve(root, 'tsconfig.json'), ts.sys.readFile);
// `npm run check` has tests and tools as well.
const include = ['src', 'generated'];
let builder: ts.SemanticDiagnosticsBuilderProgram | undefined;

parentPort?.on('message', () => parentPort?.postMessage(check()));

function check(): string[] {
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    { ...config, include },
    ts.sys,
    root,
  );
  const host = ts.createIncrementalCompilerHost(options);
  builder = ts.createSemanticDiagnosticsBuilderProgram(fileNames, options, host, builder);
  const found = [...builder.getSyntacticDiagnostics(), ...builder.getSemanticDiagnostics()];
  return [...new Set(found.flatMap((each) => errorLines(each, root)))];
}
