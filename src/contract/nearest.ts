/** The known name that was probably meant: few letters away, for its length. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const most = Math.floor(name.length / 3) + 1;
  const [best] = known
    .map((each) => ({ each, distance: distance(name.toLowerCase(), each.toLowerCase()) }))
    .filter((found) => found.distance <= most)
    .toSorted((a, b) => a.distance - b.distance);
  return best?.each;
}

/** The Levenshtein distance. */
function distance(a: string, b: string): number {
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = Number(last[j - 1]) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(replaced, Number(last[j]) + 1, Number(row[j - 1]) + 1);
    }
    last = row;
  }
  return Number(last[b.length]);
}
