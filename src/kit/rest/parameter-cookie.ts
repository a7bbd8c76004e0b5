import { invalid } from '../errors.ts';
import { isList, type Source, textValue } from './parameter-source.ts';
import { asMap } from './parameter-style.ts';
import { valueFrom } from './parameter-value.ts';

type Pair = readonly [name: string, text: string];

/** The value of a cookie parameter in the header `Cookie`; undefined where it is not there. */
export function cookieValue(source: Source, header: string): unknown {
  const { name, shape, at, explode, mediaType, style } = source;
  // Its values are as they stand in the header.
  const isRaw = style === 'cookie';
  if (explode && isList(shape) && mediaType === undefined) {
    // The form style has ampersands between the parts; clients send cookies of their own as well.
    const pairs = pairsIn(isRaw ? header : header.replaceAll('&', ';'), isRaw);
    const texts = pairs.filter(([each]) => each === name).map(([, text]) => text);
    if (shape.types.has('array') && (texts.length > 1 || !shape.isScalar)) {
      return texts.length > 0 ? valueFrom(texts, shape, at) : undefined;
    }
    const members = shape.types.has('object')
      ? pairs.filter(([each]) => shape.names.includes(each))
      : [];
    if (members.length > 0) return valueFrom(asMap(members, at), shape, at);
    const text = single(texts, at);
    return text === undefined ? undefined : valueFrom(text, shape, at);
  }
  const found = pairsIn(header, isRaw).filter(([each]) => each === name);
  const text = single(
    found.map(([, each]) => each),
    at,
  );
  return text === undefined ? undefined : textValue(source, text);
}

function single(texts: readonly string[], at: string): string | undefined {
  if (texts.length > 1) throw invalid(at, 'is given more than once');
  return texts[0];
}

function pairsIn(header: string, isRaw: boolean): Pair[] {
  return header.split(';').flatMap((pair): Pair[] => {
    const mark = pair.indexOf('=');
    if (mark < 0) return [];
    const text = pair.slice(mark + 1).trim();
    return [[pair.slice(0, mark).trim(), isRaw ? text : decoded(text)]];
  });
}

/** A value without its quotes and its encoding, of which RFC 6265 knows nothing; malformed it stays as it is. */
function decoded(value: string): string {
  const text = /^".*"$/.test(value) ? value.slice(1, -1) : value;
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
