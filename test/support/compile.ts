import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));
const configFile = resolve(root, 'tsconfig.json');
const { config } = ts.readConfigFile(configFile, ts.sys.readFile);
// With the file's name: otherwise types are looked up below the working directory of whoever used TypeScript first.
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root, undefined, configFile);
const host = ts.createCompilerHost(options);
// What is not changed is read once for all compilations.
const unchanged = new Map<string, ts.SourceFile | undefined>();

/** What the compiler says of the project when one of its files is changed. */
export function compileWith(file: string, change: (text: string) => string): string[] {
  return compileFiles({ [file]: change(text(resolve(root, file))) });
}

/** What the compiler says of the last of some files, which need not be there. */
export function compileFiles(files: Readonly<Record<string, string>>): string[] {
  const texts = new Map(Object.entries(files).map(([file, text]) => [resolve(root, file), text]));
  const target = [...texts.keys()].at(-1) ?? '';
  const getSourceFile: ts.CompilerHost['getSourceFile'] = (name, language) => {
    const given = texts.get(resolve(name));
    if (given !== undefined) return ts.createSourceFile(name, given, language);
    if (!unchanged.has(name)) unchanged.set(name, host.getSourceFile(name, language));
    return unchanged.get(name);
  };
  const fileExists = (name: string) => texts.has(resolve(name)) || host.fileExists(name);
  const directoryExists = (name: string) =>
    [...texts.keys()].some((each) => each.startsWith(`${resolve(name)}/`)) ||
    host.directoryExists?.(name) === true;
  const given = { ...host, getSourceFile, fileExists, directoryExists };
  const program = ts.createProgram([target], options, given);
  return program
    .getSemanticDiagnostics(program.getSourceFile(target))
    .map((diagnostic) => describe(diagnostic));
}

function text(name: string): string {
  const found = host.readFile(name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

/** As tsc prints it: the line itself, then the message. */
function describe({ file, start = 0, messageText }: ts.Diagnostic): string {
  const line = file?.text.slice(file.text.lastIndexOf('\n', start) + 1).split('\n')[0] ?? '';
  return `${line}\n${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
}
