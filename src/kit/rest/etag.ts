import type { Condition } from '../store/store.ts';

/** The conditional headers of a request on one record. */
export type Preconditions = {
  readonly 'if-match'?: string;
  readonly 'if-none-match'?: string;
};

/** The ETag of a version of a record. */
export function entityTag(version: number): string {
  return `"${version}"`;
}

/** What a write asks of the record's version; undefined when it asks for nothing. */
export function conditionOf(headers: Preconditions): Condition | undefined {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  return {
    // `*` matches any version. A missing record is a 404 either way.
    among: ifMatch === undefined || ifMatch === '*' ? undefined : strongVersions(ifMatch),
    notAmong:
      ifNoneMatch === undefined ? [] : ifNoneMatch === '*' ? 'any' : weakVersions(ifNoneMatch),
  };
}

/** RFC 9110, section 13.2.2: If-Match is evaluated before If-None-Match. */
export function evaluated(
  headers: Preconditions,
  version: number,
): 'given' | 'not modified' | 'failed' {
  const { among, notAmong = [] } = conditionOf(headers) ?? {};
  if (among && !among.includes(version)) return 'failed';
  return notAmong === 'any' || notAmong.includes(version) ? 'not modified' : 'given';
}

/** If-Match compares strongly: a weak tag matches nothing. */
function strongVersions(ifMatch: string): number[] {
  return tags(ifMatch).flatMap(versionOf);
}

/** If-None-Match compares weakly. */
function weakVersions(ifNoneMatch: string): number[] {
  return tags(ifNoneMatch).flatMap((tag) => versionOf(tag.replace(/^W\//, '')));
}

function tags(header: string): string[] {
  return Array.from(header.matchAll(/(W\/)?"[^"]*"/g), ([tag]) => tag);
}

function versionOf(tag: string): number[] {
  return /^"[1-9][0-9]{0,15}"$/.test(tag) ? [Number(tag.slice(1, -1))] : [];
}
