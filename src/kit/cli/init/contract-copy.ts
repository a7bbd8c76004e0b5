import { readFileSync } from 'node:fs';
import { dirname, extname, relative, resolve, sep } from 'node:path';
import { parse } from 'yaml';
import { bytesOrFault } from '../../contract/contract-file.ts';
import { isAddress, isDescription, targetOf } from '../../contract/file-references.ts';
import { isObject } from '../../contract/openapi-document.ts';

/** Contract files for a project: by the path that each has there, what it holds. */
export type ContractCopy = {
  /** The path of the description itself. */
  readonly path: string;
  readonly files: Readonly<Record<string, string>>;
};

/** A description and all files that it refers to: one file as openapi.yaml, several as they lie in a folder openapi. */
export function copyOpenapi(file: string): ContractCopy {
  const all = [...referredFrom(resolve(file))];
  const text = (path: string) => readFileSync(path, 'utf8');
  if (all.length === 1) {
    const path = extname(file) === '.json' ? 'openapi.json' : 'openapi.yaml';
    return { path, files: { [path]: text(resolve(file)) } };
  }
  const root = commonFolder(all);
  const place = (path: string) => ['openapi', ...relative(root, path).split(sep)].join('/');
  return {
    path: place(resolve(file)),
    files: Object.fromEntries(all.map((path) => [place(path), text(path)])),
  };
}

export function copySchema(file: string): ContractCopy {
  return { path: 'schema.graphql', files: { 'schema.graphql': readFileSync(file, 'utf8') } };
}

/** A file and, in turn, the files that it refers to. */
function referredFrom(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  if (!isDescription(file)) return known;
  for (const reference of referencesIn(parse(readFileSync(file, 'utf8'), { logLevel: 'silent' }))) {
    if (isAddress(reference)) continue;
    const referred = targetOf(file, reference).file;
    // Data may look like a reference to what is not there.
    if (typeof bytesOrFault(referred) !== 'string') referredFrom(referred, known);
  }
  return known;
}

function referencesIn(value: unknown): string[] {
  if (!isObject(value)) return [];
  const { $ref } = value;
  const own = typeof $ref === 'string' ? [$ref] : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
}

function commonFolder(files: readonly string[]): string {
  const [first = '', ...rest] = files.map(dirname);
  let folder = first;
  while (rest.some((each) => each !== folder && !each.startsWith(`${folder}${sep}`))) {
    folder = dirname(folder);
  }
  return folder;
}
