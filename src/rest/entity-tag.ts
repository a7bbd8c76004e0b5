import type { Versions } from '../store/store.ts';

/** The ETag of a version of a record. */
export function entityTag(version: number): string {
  return `"${version}"`;
}

/** The versions that an If-Match names; undefined when it asks for none in particular. */
export function matchingVersions(ifMatch: string | undefined): Versions | undefined {
  if (ifMatch === undefined || ifMatch === '*') return undefined;
  // If-Match compares strongly: a weak tag matches nothing.
  return tags(ifMatch)
    .filter((tag) => /^"[1-9][0-9]{0,15}"$/.test(tag))
    .map((tag) => Number(tag.slice(1, -1)));
}

/** Whether an If-None-Match names this version. */
export function isNamed(ifNoneMatch: string | undefined, version: number): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === '*') return true;
  return tags(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === entityTag(version));
}

function tags(header: string): string[] {
  return Array.from(header.matchAll(/(W\/)?"[^"]*"/g), ([tag]) => tag);
}
