/** The Damerau-Levenshtein distance, in its form without edits inside swapped letters. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(before, j - 2) + 1 : replaced;
      row[j] = Math.min(replaced, swapped, at(last, j) + 1, at(row, j - 1) + 1);
    }
    [before, last] = [last, row];
  }
  return at(last, b.length);
}

/** The known name that was probably meant: few edits away, for its length. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const most = Math.floor(name.length / 3) + 1;
  const [best] = known
    .map((each) => ({ each, distance: editDistance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((a, b) => a.distance - b.distance);
  return best?.each;
}

function at(row: readonly number[], i: number): number {
  return row[i] ?? Number.POSITIVE_INFINITY;
}
