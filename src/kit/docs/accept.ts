/** A media range of an Accept header, in lower case. */
type MediaRange = { readonly name: string; readonly quality: number };

/** The media type that a request prefers (RFC 9110, 12.5.1): the first of those that are equally welcome. */
export function preferred(
  accept: string | undefined,
  types: readonly string[],
): string | undefined {
  if (!accept) return types[0];
  const ranges = accept.split(',').map(mediaRange);
  const [best] = types
    .flatMap((type) => decisive(type, ranges) ?? [])
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality || b.rank - a.rank || a.place - b.place);
  return best?.type;
}

/** The most specific range that a type is in, of equals the one with the higher quality. */
function decisive(type: string, ranges: readonly MediaRange[]) {
  const [main, sub] = type.split('/');
  const names = ['*/*', `*/${sub}`, `${main}/*`, type];
  const [best] = ranges
    .map(({ name, quality }, place) => ({ type, quality, rank: names.indexOf(name), place }))
    .filter(({ rank }) => rank >= 0)
    .toSorted((a, b) => b.rank - a.rank || b.quality - a.quality || b.place - a.place);
  return best;
}

/** A range with a parameter matches none of our types, which have no parameters. */
function mediaRange(text: string): MediaRange {
  const [name = '', ...rest] = text
    .toLowerCase()
    .split(';')
    .map((each) => each.trim());
  const parameters = rest.map((each) =>
    each.split('=').map((part) => part.trim().replaceAll('"', '')),
  );
  const [, quality] = parameters.find(([key]) => key === 'q') ?? [];
  const isNarrower = parameters.some(([key, value]) => key !== 'q' && value !== undefined);
  return { name: isNarrower ? '' : name, quality: Number.parseFloat(quality || '1') };
}
