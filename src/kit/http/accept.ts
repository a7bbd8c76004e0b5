import { type MediaType, mediaTypeOf, splitUnquoted } from '../contract/media-type.ts';

type MediaRange = MediaType & { readonly quality: number };

/** The media type that a request prefers (RFC 9110, 12.5.1): the first of those that are equally welcome. */
export function preferred(
  accept: string | undefined,
  types: readonly string[],
): string | undefined {
  if (!accept) return types[0];
  const ranges = splitUnquoted(accept, ',').map(mediaRange);
  const [best] = types
    .flatMap((type) => decisive(type, ranges) ?? [])
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality || b.rank - a.rank || a.place - b.place);
  return best?.type;
}

/** The same of types that are sent in UTF-8 and without a parameter, which a client may name. */
export function preferredInUtf8(
  accept: string | undefined,
  types: readonly string[],
): string | undefined {
  // Some clients name it without the hyphen.
  const ranges = accept?.toLowerCase().replaceAll('charset=utf8', 'charset=utf-8');
  const named = new Map(types.map((type) => [`${type};charset=utf-8`, type]));
  const chosen = preferred(ranges, [...named.keys()]);
  return chosen && named.get(chosen);
}

/** The most specific range that a type is in, of equals the one with the higher quality. */
function decisive(type: string, ranges: readonly MediaRange[]) {
  const { name, parameters } = mediaTypeOf(type);
  const [main, sub] = name.split('/');
  const names = ['*/*', `*/${sub}`, `${main}/*`, name];
  const isNarrowed = ({ parameters: own }: MediaRange) =>
    [...own].every(([key, value]) => parameters.get(key) === value);
  const [best] = ranges
    .map((range, place) => {
      const rank = isNarrowed(range) ? names.indexOf(range.name) : -1;
      return { type, quality: range.quality, rank, narrowed: range.parameters.size, place };
    })
    .filter(({ rank }) => rank >= 0)
    .toSorted((a, b) => b.rank - a.rank || b.narrowed - a.narrowed || b.quality - a.quality);
  return best;
}

function mediaRange(text: string): MediaRange {
  const { name, parameters } = mediaTypeOf(text);
  const own = [...parameters].filter(([key, value]) => key !== 'q' && value !== '');
  return { name, parameters: new Map(own), quality: Number.parseFloat(parameters.get('q') || '1') };
}
