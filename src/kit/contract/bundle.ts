import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NormalizedProblem } from '@redocly/openapi-core';
import { stringify } from 'yaml';
import { type Fail, readSource } from './contract-source.ts';
import { isObject, pointer, valueAt } from './openapi-document.ts';

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
  const { checkFiles } = await import('./file-check.ts');
  checkFiles(fileURLToPath(file));
  // To load it takes as long as to start a server without it.
  const { bundle, createConfig } = await import('@redocly/openapi-core');
  const config = await createConfig({});
  const { bundle: whole, problems } = await bundle({ ref: fileURLToPath(file), config }).catch(
    ({ message }) => fail({ path: [], at: 'value', message: String(message) }),
  );
  const [problem] = problems.filter(({ severity }) => severity === 'error');
  if (problem) refuse(problem, fileURLToPath(file), fail);
  return stringify(whole.parsed);
}

/** Refuses a part with the file and line where it stands. */
function refuse({ message, location: [at] }: NormalizedProblem, root: string, fail: Fail): never {
  if (!at?.pointer) return fail({ path: [], at: 'value', message });
  const { body, absoluteRef } = at.source;
  const source = readSource(body, relative(dirname(root), absoluteRef));
  const path = pointer(at.pointer);
  const { $ref } = Object(valueAt(Object(source.value), path));
  const what = typeof $ref === 'string' ? `found a reference to "${$ref}": ` : '';
  return source.fail({ path, at: 'value', message: `${what}${message}` });
}
