import type { ContractParts } from './contract-parts.ts';
import type { Path } from './contract-source.ts';
import { fragmentOf, isAddress, type Place, targetOf } from './file-references.ts';
import { isObject } from './openapi-document.ts';
import { eachReference, notThere } from './references.ts';

/**
 * Refuses references that lead nowhere, to what is no file, or back to themselves, in all parts of files that a
 * contract is made of. The bundler refuses most of them too, and does not tell the file or the line. Gives the parts of
 * further files.
 */
export function checkFiles(parts: ContractParts): readonly Place[] {
  const places = new Map<string, Place>();
  const add = (place: Place) => places.set(`${place.file}#${place.path.join('/')}`, place);
  add({ file: parts.root, path: [] });
  // The map grows while it is walked.
  for (const place of places.values()) {
    const { fail } = parts.sourceOf(place.file);
    const check = (path: Path, ref: string) => {
      const fault = referenceFault(place.file, ref, parts);
      if (fault) {
        const message = `found ${JSON.stringify(ref)}, ${fault}`;
        fail({ path: [...path, '$ref'], at: 'value', message });
      }
      const { file, path: names } = targetOf(place.file, ref);
      const target = parts.follow({ file, path: [] }, names);
      // The first file is walked as a whole.
      if (target && target.file !== parts.root) add(target);
    };
    // An example may be what looks like a reference to another place.
    const checkExample = (path: Path, ref: string) => isAddress(ref) || check(path, ref);
    eachReference(parts.partAt(place), [...place.path], check, checkExample);
  }
  return [...places.values()];
}

/** Why a reference in a file leads to no part of a contract. */
export function referenceFault(
  from: string,
  $ref: string,
  parts: ContractParts,
): string | undefined {
  if (isAddress($ref)) {
    return 'expected a file: addresses are not fetched, copy what is there beside the contract';
  }
  const fragment = fragmentOf($ref);
  if (fragment !== '' && !fragment.startsWith('/')) {
    return `expected the path of a part, such as #/${fragment}`;
  }
  const target = targetOf(from, $ref);
  const fault = parts.faultOf(target.file);
  if (fault) return fault;
  const end = parts.followToEnd(target);
  if (!end) return 'expected one that does not lead back to itself';
  if (parts.partAt(end) !== undefined) return undefined;
  const { value, file } = parts.sourceOf(end.file);
  return notThere(isObject(value) ? value : {}, end.path, end.file === from ? undefined : file);
}
