import { resolve } from 'node:path';
import ts from 'typescript';
import { type Mutant, mutated } from './syntax-mutants.ts';

/** Says whether the compiler accepts a mutant's own file: one that it refuses needs no test. */
export function createTypeCheck(): (mutant: Mutant) => boolean {
  const { fileNames, options } = readProject();
  // The mutant's text, and a version that tells the service to read it again.
  const changed = new Map<string, string>();
  const versions = new Map<string, number>();
  const textOf = (file: string) => changed.get(file) ?? ts.sys.readFile(file);
  const put = (file: string, text: string | undefined) => {
    if (text === undefined) changed.delete(file);
    else changed.set(file, text);
    versions.set(file, (versions.get(file) ?? 0) + 1);
  };
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => fileNames,
    getScriptVersion: (file) => String(versions.get(file) ?? 0),
    getScriptSnapshot: (file) => snapshotOf(textOf(file)),
    getCurrentDirectory: () => process.cwd(),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  return (mutant) => {
    const file = resolve(mutant.file);
    put(file, mutated(ts.sys.readFile(file) ?? '', mutant));
    const faults = service.getSyntacticDiagnostics(file);
    const isAccepted = faults.length === 0 && service.getSemanticDiagnostics(file).length === 0;
    put(file, undefined);
    return isAccepted;
  };
}

function snapshotOf(text: string | undefined): ts.IScriptSnapshot | undefined {
  return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
}

// Only the product: what a mutant does to its users elsewhere is for the tests to find.
function readProject(): ts.ParsedCommandLine {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  // A name that a mutant no longer uses is no fault of types.
  const lenient = { noUnusedLocals: false, noUnusedParameters: false };
  const compilerOptions = { ...config.compilerOptions, ...lenient };
  const project = { ...config, compilerOptions, include: ['src'] };
  return ts.parseJsonConfigFileContent(project, ts.sys, process.cwd());
}
