/** The names of a path's parameters, in order. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => String(match[1]));
}

/**
 * Paths that differ in the names of their parameters alone are one path. What stands behind `#` is for people: a
 * client never sends it.
 */
export function formOf(path: string): string {
  const [sent = ''] = path.split('#');
  return sent.replaceAll(/\{[^{}]*\}/g, '{}');
}

/** The texts around the parameters of a path's segment: `['', '.json']` for `{id}.json`. */
export type SegmentPattern = readonly string[];

export function patternOf(segment: string): SegmentPattern {
  return segment.split(/\{[^{}]*\}/);
}

/** The texts of the parameters in a segment; undefined where it does not have the pattern. Linear in its length. */
export function textsIn(pattern: SegmentPattern, segment: string): string[] | undefined {
  const [start = '', ...others] = pattern;
  const end = others.pop() ?? '';
  if (!segment.startsWith(start) || !segment.endsWith(end)) return undefined;
  const last = segment.length - end.length;
  const texts: string[] = [];
  let from = start.length;
  for (const text of others) {
    // The first place leaves the most for the parameters that follow. No parameter is empty.
    const at = segment.indexOf(text, from + 1);
    if (at < 0) return undefined;
    texts.push(segment.slice(from, at));
    from = at + text.length;
  }
  if (from >= last) return undefined;
  return [...texts, segment.slice(from, last)];
}
