import type { ContractParts } from './contract-parts.ts';
import type { Fault } from './contract-source.ts';
import type { Place } from './file-references.ts';
import { componentName } from './file-resolver.ts';

/**
 * Tells a fault of a bundle where its part stands in the files that the bundle was made of. The places are those that
 * references lead to.
 */
export function createBundlePlaces(
  parts: ContractParts,
  places: readonly Place[],
): (fault: Fault) => string {
  const { root, sourceOf, partAt, follow } = parts;
  // What the bundler calls a part.
  const nameOf = ({ file, path }: Place) => path.at(-1) ?? componentName(file);

  return (fault) => {
    const [first, kind, name, ...rest] = fault.path;
    const start = { file: root, path: [] };
    const own = [first, kind, name].map(String);
    const isMade = first === 'components' && partAt({ file: root, path: own }) === undefined;
    const named = places.filter((place) => place.file !== root && nameOf(place) === String(name));
    const [made, ...others] = isMade ? named : [];
    // Two files may have parts of one name: then the description itself is named.
    const place = made && others.length === 0 ? follow(made, rest) : follow(start, fault.path);
    const { file, path } = place ?? start;
    return sourceOf(file).told({ ...fault, path });
  };
}
