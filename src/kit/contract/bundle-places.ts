import { existsSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { ContractSource, Fault, Path } from './contract-source.ts';
import { createContractParts, type Place, refIn, targetOf } from './file-references.ts';
import { isObject } from './openapi-document.ts';

// References may lead to each other.
const MOST_HOPS = 100;

/** Tells a fault of a bundle where its part stands in the files that the bundle was made of. */
export function createBundlePlaces(root: string): (fault: Fault) => string {
  const { sourceOf, partAt } = createContractParts(root);

  /** The place that a part has, through all references on the way. */
  function follow(from: Place, rest: Path, hops = 0): Place {
    const [name, ...others] = rest;
    if (name === undefined || hops > MOST_HOPS) return from;
    const $ref = refIn(partAt(from));
    if ($ref !== undefined) return follow(targetOf(from.file, $ref), rest, hops + 1);
    return follow({ ...from, path: [...from.path, `${name}`] }, others);
  }

  return (fault) => {
    const [first, kind, name, ...rest] = fault.path;
    const start = { file: root, path: [] };
    const own = [first, kind, name].map(String);
    const isMade = first === 'components' && partAt({ file: root, path: own }) === undefined;
    const [made, ...others] = isMade ? componentsNamed(String(name), root, sourceOf) : [];
    // Two files may have parts of one name: then the description itself is named.
    const place = made && others.length === 0 ? follow(made, rest) : follow(start, fault.path);
    return sourceOf(place.file).told({ ...fault, path: place.path });
  };
}

/** The parts of other files that a bundle has as components of a name. */
function componentsNamed(
  name: string,
  root: string,
  sourceOf: (file: string) => ContractSource,
): Place[] {
  const found = new Map<string, Place>();
  const files = new Set([root]);
  // The set grows while it is walked.
  for (const file of files) {
    for (const $ref of refsIn(sourceOf(file).value)) {
      const target = targetOf(file, $ref);
      // An example may have what looks like a reference.
      if (!existsSync(target.file)) continue;
      files.add(target.file);
      const last = target.path.at(-1) ?? basename(target.file, extname(target.file));
      if (last === name && target.file !== root) found.set(`${target.file}#${target.path}`, target);
    }
  }
  return [...found.values()];
}

function refsIn(value: unknown): string[] {
  if (!isObject(value)) return [];
  return [refIn(value) ?? [], Object.values(value).flatMap(refsIn)].flat();
}
