import { relative } from 'node:path';
import ts from 'typescript';

/** A compile error in one line for each thing that is missing: `src/api/handlers.ts:20 no handler for listBooks`. */
export function errorLines(diagnostic: ts.Diagnostic, root: string): string[] {
  const { file, start = 0, messageText } = diagnostic;
  const text = ts.flattenDiagnosticMessageText(messageText, '\n');
  const line = file ? ts.getLineAndCharacterOfPosition(file, start).line + 1 : 0;
  const place = file ? `${relative(root, file.fileName)}:${line}` : 'tsconfig.json';
  const missing = missingIn(text);
  const messages =
    missing.length > 0 ? missing : [text.split('\n')[0] ?? `error ${diagnostic.code}`];
  return messages.map((message) => `${place} ${message}`);
}

// As the compiler words it: TS2741 for one, TS2739 and TS2740 for several, of which it lists at most four.
const ONE = /Property '([^']+)' is missing in type .* but required in type '(.+)'\.$/m;
const SEVERAL = /is missing the following properties from type '(.+)': (.+)$/m;

function missingIn(text: string): string[] {
  const [, only, owner = ''] = text.match(ONE) ?? [];
  if (only) return [`${kindOf(owner)} ${only}`];
  const [, type = '', names = ''] = text.match(SEVERAL) ?? [];
  const [listed = '', more] = names.split(/,? and (?=\d+ more\.$)/);
  const each = listed.split(', ').filter(Boolean);
  return [
    ...each.map((name) => `${kindOf(type)} ${name}`),
    ...(more ? [`${kindOf(type)} ${more.replace(/\.$/, '')}`] : []),
  ];
}

/** What a type of the API demands. */
function kindOf(type: string): string {
  if (/Handlers\b/.test(type)) return 'no handler for';
  if (/Resolvers\b/.test(type)) return 'no resolver for';
  return `${type.length > 40 ? `${type.slice(0, 40)}…` : type} lacks`;
}
