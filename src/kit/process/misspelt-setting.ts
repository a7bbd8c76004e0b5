import { editDistance } from '../contract/edit-distance.ts';

const SHORT = 4;
const MOST_EDITS = 2;

// Kubernetes sets `<SERVICE>_PORT` and the like for every service; `DATABASE_PORT` is not `DATABASE_POOL`.
const OF_A_SERVICE = /_(HOST|PORT)$/;

/**
 * The known name that `name` was probably meant to be: the same in another case, or up to two edits away,
 * where an edit is a letter added, left out, replaced or swapped with its neighbour. Of names as short as
 * `PORT` and `HOST` only another case and swapped neighbours count: `POST` and `HOSTS` are words of others.
 */
export function meantBy(name: string, known: Iterable<string>): string | undefined {
  const upper = name.toUpperCase();
  if (OF_A_SERVICE.test(upper)) return undefined;
  return [...known].find((each) => isNear(upper, each));
}

function isNear(name: string, known: string): boolean {
  if (name === known) return true;
  if (known.length <= SHORT) return isSwapped(name, known);
  return (
    Math.abs(name.length - known.length) <= MOST_EDITS && editDistance(name, known) <= MOST_EDITS
  );
}

function isSwapped(name: string, known: string): boolean {
  return [...known].some(
    (_, i) =>
      known.slice(0, i) + known.charAt(i + 1) + known.charAt(i) + known.slice(i + 2) === name,
  );
}
