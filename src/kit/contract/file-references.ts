import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { type ContractSource, contractText, readSource } from './contract-source.ts';
import { pointer, valueAt } from './openapi-document.ts';

/** A part of one of the files of a contract. */
export type Place = { readonly file: string; readonly path: readonly string[] };

/** The files of a contract, each read once and named as seen from the root. */
export type ContractParts = {
  sourceOf(file: string): ContractSource;
  partAt(place: Place): unknown;
};

export function createContractParts(root: string): ContractParts {
  const sources = new Map<string, ContractSource>();
  const sourceOf = (file: string) => {
    const known = sources.get(file);
    if (known) return known;
    const name = relative(dirname(root), file);
    const source = readSource(contractText(readFileSync(file), name), name);
    sources.set(file, source);
    return source;
  };
  return { sourceOf, partAt: ({ file, path }) => valueAt(Object(sourceOf(file).value), path) };
}

/** Where a reference in a file leads. */
export function targetOf(from: string, $ref: string): Place {
  const [file = '', fragment = ''] = $ref.split('#');
  return { file: file ? resolve(dirname(from), decoded(file)) : from, path: pointer(fragment) };
}

/** The reference that a part is, where it leads to a file or within one. */
export function refIn(value: unknown): string | undefined {
  const { $ref } = Object(value);
  return typeof $ref === 'string' && !/^[a-z]+:\/\//i.test($ref) ? $ref : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}
