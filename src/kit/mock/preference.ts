/** Which answer a client wants of a mock: `Prefer: code=404, example=none`, or `dynamic=true`. */
export type Preference = {
  readonly code?: string;
  readonly example?: string;
  /** `true`: values made from the schema, others for each request. */
  readonly dynamic?: string;
};

const KNOWN = new Set(['code', 'example', 'dynamic']);

/** Reads the header `Prefer` (RFC 7240); preferences that mocks do not know are passed over. */
export function preferenceOf(header: string | readonly string[] | undefined): Preference {
  const parts = [header ?? []].flat().flatMap((each) => each.split(/[,;]/));
  const pairs = parts.flatMap((part) => {
    const mark = part.indexOf('=');
    const known = part.slice(0, Math.max(mark, 0)).trim().toLowerCase();
    const value = part
      .slice(mark + 1)
      .trim()
      .replaceAll('"', '');
    return KNOWN.has(known) ? [[known, value] as const] : [];
  });
  // RFC 7240, section 2: of several with one name the first counts.
  return Object.fromEntries(pairs.toReversed());
}
