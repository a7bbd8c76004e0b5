import { dirname, join, relative } from 'node:path';
import { bytesOrFault } from './contract-file.ts';
import {
  type ContractSource,
  contractText,
  failing,
  type Path,
  readSource,
} from './contract-source.ts';
import { isDescription, type Place, refIn, targetOf } from './file-references.ts';
import { checkLevels } from './nesting.ts';
import { valueAt } from './openapi-document.ts';

/** The files of a contract, each read once and named as the first one is. */
export type ContractParts = {
  readonly root: string;
  /** Why a file cannot be read. */
  faultOf(file: string): string | undefined;
  /** A file that can be read; one that is not as it must be is refused with its own place. */
  sourceOf(file: string): ContractSource;
  textOf(file: string): string;
  partAt(place: Place): unknown;
  /** Where a path leads, through all references before its end; nowhere if they lead back to themselves. */
  follow(from: Place, rest: Path): Place | undefined;
  /** The same through references at its end. */
  followToEnd(place: Place): Place | undefined;
};

// A reference whose path leads through itself becomes ever longer.
const MOST_HOPS = 1000;

export function createContractParts(
  root: string,
  text: string,
  source: ContractSource,
): ContractParts {
  const read = new Map<string, Buffer | string>([[root, Buffer.from(text)]]);
  const sources = new Map([[root, source]]);
  const shown = (file: string) => join(dirname(source.file), relative(dirname(root), file));

  function bytesOf(file: string): Buffer | string {
    const bytes = read.get(file) ?? bytesOrFault(file);
    read.set(file, bytes);
    return bytes;
  }

  function faultOf(file: string): string | undefined {
    const bytes = bytesOf(file);
    return typeof bytes === 'string' ? bytes : undefined;
  }

  function textOf(file: string): string {
    const bytes = bytesOf(file);
    if (typeof bytes === 'string') throw new Error(`${shown(file)}: ${bytes}`);
    return isDescription(file) ? contractText(bytes, shown(file)) : bytes.toString();
  }

  function sourceOf(file: string): ContractSource {
    const known = sources.get(file);
    if (known) return known;
    const text = textOf(file);
    const found = isDescription(file) ? readSource(text, shown(file)) : plain(text, shown(file));
    checkLevels(text, found);
    sources.set(file, found);
    return found;
  }

  function partAt({ file, path }: Place): unknown {
    const { value } = sourceOf(file);
    return path.length === 0 ? value : valueAt(Object(value), path);
  }

  function walk({ file, path }: Place, rest: readonly string[], isToEnd: boolean) {
    let at = { file, path };
    let names = rest;
    // What leads to an end is a reference itself.
    for (let hops = isToEnd ? 1 : 0; hops <= MOST_HOPS; ) {
      const [name, ...others] = names;
      if (name === undefined && !isToEnd) return at;
      const ref = name === '$ref' ? undefined : refIn(partAt(at));
      const target = ref === undefined ? undefined : targetOf(at.file, ref);
      // A reference that leads nowhere is told at its own place.
      if (target && faultOf(target.file)) return at;
      if (!target && name === undefined) return at;
      if (target) {
        at = { file: target.file, path: [] };
        names = [...target.path, ...names];
        hops++;
      } else {
        at = { file: at.file, path: [...at.path, String(name)] };
        names = others;
      }
    }
    return undefined;
  }

  return {
    ...{ root, faultOf, sourceOf, textOf, partAt },
    follow: (from, rest) => walk(from, rest.map(String), false),
    followToEnd: ({ file, path }) => walk({ file, path: [] }, path, true),
  };
}

/** A file of text as data. */
function plain(text: string, file: string): ContractSource {
  const told = ({ message }: { readonly message: string }) => `${file}:1:1: ${message}`;
  return { file, value: text, told, fail: failing(told) };
}
