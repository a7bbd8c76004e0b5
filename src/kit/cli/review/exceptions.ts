import { readSource } from '../../contract/contract-source.ts';
import { isObject } from '../../contract/openapi-document.ts';
import { WrongUse } from '../command.ts';
import { isFile, namedText } from '../project.ts';

/** A change or a finding that people have accepted, until a day. */
export type Exception = {
  /** The place that the review names, or one around it. */
  readonly place: string;
  /** The kind of change; any where it is empty. */
  readonly change: string;
  readonly reason: string;
  readonly owner: string;
  /** Its last day, such as 2027-01-31. */
  readonly expires: string;
};

export const exceptionsFile = 'review-exceptions.yaml';

/** Reads the exceptions of a project; none where it has no such file. */
export function readExceptions(file: string | undefined): Exception[] {
  const path = file ?? exceptionsFile;
  if (!file && !isFile(path)) return [];
  const entries: unknown = readSource(namedText(path), path).value ?? [];
  if (!Array.isArray(entries)) throw new WrongUse(`${path} is no list of exceptions`);
  return entries.map((entry, i) => checked(entry, `${path}, exception ${i + 1}`));
}

const keys = ['place', 'change', 'reason', 'owner', 'expires'];

function checked(entry: unknown, where: string): Exception {
  const given = Object(entry);
  const unknown = Object.keys(given).find((key) => !keys.includes(key));
  if (!isObject(entry) || unknown) {
    throw new WrongUse(
      `${where}: ${unknown ? `there is no ${unknown}` : 'has no members'}; it has ${keys.join(', ')}`,
    );
  }
  const { place, change = '', reason, owner } = given;
  const missing = Object.entries({ place, reason, owner }).find(
    ([, value]) => typeof value !== 'string' || value.trim() === '',
  );
  if (missing) throw new WrongUse(`${where}: ${missing[0]} is missing`);
  const expires =
    given.expires instanceof Date
      ? given.expires.toISOString().slice(0, 10)
      : String(given.expires);
  if (!isDay(expires)) {
    throw new WrongUse(`${where}: expires is a day such as 2027-01-31`);
  }
  return { place, change: String(change), reason, owner, expires };
}

function isDay(text: string): boolean {
  const time = Date.parse(text);
  // The 31st of February would be a day in March.
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
}

/** Finds the exception for a kind of change at a place; one that is over is none. */
export function createAcceptance(exceptions: readonly Exception[], today: string) {
  return (place: string, rule: string): Exception | undefined =>
    exceptions.find(
      (each) =>
        each.expires >= today &&
        (each.change === '' || each.change === rule) &&
        (place === each.place ||
          (/^[/.]/.test(place.slice(each.place.length)) && place.startsWith(each.place))),
    );
}
