import { splitTarget } from '../http/target.ts';

const LONGEST = 200;
const PLAIN = /^[\x20-\x7e]*$/;

/** The path of a target as it may stand in a line: a query may hold what is nobody else's business. */
export function printablePath(target: string): string {
  return printable(splitTarget(target)[0]);
}

/** Text of a client's as it may stand in a line: it cannot end the line, colour a terminal or go on. */
export function printable(text: string): string {
  const short = text.slice(0, LONGEST);
  return PLAIN.test(short) ? short : short.replace(/[^\x20-\x7e]/g, '?');
}
