import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { Fail } from './contract-source.ts';
import { isObject } from './openapi-document.ts';

/** Whether the text of a document may have parts in other files: a look at the text is cheaper than at each value. */
export function mayReferToFiles(text: string): boolean {
  return /\$ref(?!["']? ?: ?["']#)/.test(text);
}

/** Whether a document has parts in other files. */
export function refersToFiles(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { $ref } = value;
  if (typeof $ref === 'string' && !$ref.startsWith('#')) return true;
  return Object.values(value).some(refersToFiles);
}

/** A contract of several files as one text. */
export async function bundled(file: URL, fail: Fail): Promise<string> {
  // To load it takes as long as to start a server without it.
  const { bundle, createConfig } = await import('@redocly/openapi-core');
  const config = await createConfig({});
  const { bundle: whole, problems } = await bundle({ ref: fileURLToPath(file), config });
  const [problem] = problems.filter(({ severity }) => severity === 'error');
  if (problem) fail({ path: [], at: 'value', message: problem.message });
  return stringify(whole.parsed);
}
