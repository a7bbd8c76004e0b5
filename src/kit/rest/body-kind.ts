import { isJsonType } from '../contract/media-type.ts';

/** How a body is read: to a value, to text, or not at all. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'binary';

/** The kind of a media type, given by its name alone. */
export function kindOf(name: string): BodyKind {
  if (isJsonType(name)) return 'json';
  if (name === 'application/x-www-form-urlencoded') return 'form';
  if (name.startsWith('multipart/')) return 'multipart';
  const isText = name.startsWith('text/') || name.endsWith('/xml') || name.endsWith('+xml');
  return isText ? 'text' : 'binary';
}

/** The kinds of all media types in a range; of a media type its own. */
export function kindsOf(range: string): readonly BodyKind[] {
  if (range === '*/*') return ['json', 'form', 'multipart', 'text', 'binary'];
  if (!range.endsWith('/*')) return [kindOf(range)];
  if (range === 'application/*') return ['json', 'form', 'text', 'binary'];
  if (range === 'multipart/*') return ['multipart'];
  return range === 'text/*' ? ['json', 'text'] : ['json', 'text', 'binary'];
}
