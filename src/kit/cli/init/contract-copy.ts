import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { parse } from 'yaml';
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
  if (!/\.(ya?ml|json)$/.test(basename(file))) return known;
  for (const reference of referencesIn(parse(readFileSync(file, 'utf8'), { logLevel: 'silent' }))) {
    const [path = ''] = reference.split('#');
    const referred = join(dirname(file), decodeURI(path));
    // The reader of the contract says what is not there.
    if (path !== '' && !/^[a-z]+:/i.test(path) && existsSync(referred)) {
      referredFrom(referred, known);
    }
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
