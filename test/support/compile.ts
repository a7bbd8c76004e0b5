import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What the compiler says of the project when one of its files is changed. */
export function compileWith(file: string, change: (text: string) => string): string[] {
  const target = resolve(root, file);
  const { config } = ts.readConfigFile(resolve(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const read = host.readFile;
  host.readFile = (name) => {
    const text = read(name);
    return resolve(name) === target && text !== undefined ? change(text) : text;
  };
  const program = ts.createProgram([target], options, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(target))
    .map((diagnostic) => describe(diagnostic));
}

/** As tsc prints it: the line itself, then the message. */
function describe({ file, start = 0, messageText }: ts.Diagnostic): string {
  const line = file?.text.slice(file.text.lastIndexOf('\n', start) + 1).split('\n')[0] ?? '';
  return `${line}\n${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
}
