import { fileURLToPath } from 'node:url';
import type { NormalizedProblem } from '@redocly/openapi-core';
import { stringify } from 'yaml';
import { type ContractParts, createContractParts } from './contract-parts.ts';
import type { ContractSource, Fault } from './contract-source.ts';
import { checkFiles, referenceFault } from './file-check.ts';
import { isAddress } from './file-references.ts';
import { checkLevels } from './nesting.ts';
import { isObject, pointer, valueAt } from './openapi-document.ts';

/** A contract of several files as one text. */
export type Bundle = {
  readonly text: string;
  /** A fault of the text as a line that says where it is in the files. */
  readonly told: (fault: Fault) => string;
};

/** The contract of which a text is the first file; undefined where that is all of it. */
export async function bundled(
  file: URL,
  text: string,
  source: ContractSource,
): Promise<Bundle | undefined> {
  if (!mayReferToFiles(text)) return undefined;
  return refersToFiles(source.value) ? bundleOf(fileURLToPath(file), text, source) : undefined;
}

/** Whether the text of a document may have parts in other files: a look at the text is cheaper than at each value. */
export function mayReferToFiles(text: string): boolean {
  return /\$ref(?!["']? ?: ?["']#)/.test(text);
}

/** Whether a document has parts in other files. */
export function refersToFiles(document: unknown): boolean {
  const parts = [document];
  // Not by recursion: how deep it is has not been checked.
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (!isObject(part)) continue;
    const { $ref } = part;
    if (typeof $ref === 'string' && !$ref.startsWith('#')) return true;
    for (const member of Object.values(part)) if (isObject(member)) parts.push(member);
  }
  return false;
}

async function bundleOf(root: string, text: string, source: ContractSource): Promise<Bundle> {
  if (Object(source.value).$self !== undefined) {
    const message = '"$self" of a description with references to others is not supported';
    source.fail({ path: ['$self'], at: 'key', message });
  }
  checkLevels(text, source);
  const parts = createContractParts(root, text, source);
  const places = checkFiles(parts);
  // To load it takes as long as to start a server without it.
  const { bundle, createConfig } = await import('@redocly/openapi-core');
  const { createFileResolver } = await import('./file-resolver.ts');
  const { createBundlePlaces } = await import('./bundle-places.ts');
  const files = await createFileResolver(parts);
  const { bundle: whole, problems } = await bundle({
    doc: files.root(),
    externalRefResolver: files.resolver,
    config: await createConfig({}),
  }).catch((error) => source.fail({ path: [], at: 'value', message: reasonOf(error) }));
  for (const problem of problems) {
    if (problem.severity === 'error') refuse(problem, parts, files.fileOf);
  }
  return { text: stringify(whole.parsed), told: createBundlePlaces(parts, places) };
}

/** The bundler recurses into what a reference leads to. */
function reasonOf(error: Error): string {
  return error instanceof RangeError
    ? 'found references that lead from one to the next too often, expected fewer'
    : error.message;
}

/** Refuses what the bundler has not found, unless an example has its value elsewhere. */
function refuse(
  { message, location: [at] }: NormalizedProblem,
  parts: ContractParts,
  fileOf: (name: string) => string,
): void {
  const file = at ? fileOf(at.source.absoluteRef) : parts.root;
  const { value, fail } = parts.sourceOf(file);
  const path = pointer(at?.pointer ?? '');
  const part = valueAt(Object(value), path);
  const { $ref, externalValue } = Object(part);
  const ref: unknown = isObject(part) ? ($ref ?? externalValue) : part;
  if (isObject(part) && isAddress(String(ref))) return;
  const fault = typeof ref === 'string' ? referenceFault(file, ref, parts) : undefined;
  const told = fault ? `found ${JSON.stringify(ref)}, ${fault}` : message;
  fail({ path, at: 'value', message: told });
}
