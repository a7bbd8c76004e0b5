import { isJsonType, mediaTypeOf } from '../contract/media-type.ts';

/** How a body of a media type is written and read; `any` by what the other side says. */
export type MediaKind = 'json' | 'form' | 'multipart' | 'text' | 'binary' | 'any';

export function kindOf(mediaType: string): MediaKind {
  const { name } = mediaTypeOf(mediaType);
  if (isJsonType(mediaType)) return 'json';
  if (name === 'application/x-www-form-urlencoded') return 'form';
  if (name === 'multipart/form-data') return 'multipart';
  if (/^text\/|[/+](xml|yaml|x-yaml|jsonl|x-ndjson|json-seq|javascript|graphql)$/.test(name))
    return 'text';
  return name === '*/*' || name === 'application/*' ? 'any' : 'binary';
}

const order: readonly MediaKind[] = ['json', 'multipart', 'form', 'text', 'any', 'binary'];

/** Media types in the order in which the SDK would use them. */
export function byPreference(mediaTypes: readonly string[]): string[] {
  return mediaTypes.toSorted((a, b) => order.indexOf(kindOf(a)) - order.indexOf(kindOf(b)));
}
