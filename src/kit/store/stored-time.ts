import { invalid } from '../errors.ts';

// RFC 3339, section 5.6.
const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/i;
const MINUTE = 60_000;

/**
 * An instant as it is stored: in UTC, without the `Z` and without zeros at the end of its fraction, so that
 * the order of texts is the order of instants, however many digits they have.
 */
export function storedTime(text: string, path: string): string {
  const parts = text.match(DATE_TIME);
  if (!parts) throw invalid(path, 'must be a date and time of RFC 3339');
  const [, year, month, day, hour, minute, second, fraction = '', sign, hours, minutes] = parts;
  const offset = Number(`${sign ?? ''}1`) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute));
  const utc = new Date(date.getTime() - offset * MINUTE).toISOString();
  // A year before 0000 or after 9999 has six digits and a sign.
  if (/^[+-]/.test(utc)) throw invalid(path, 'must be in the years 0000 to 9999 of UTC');
  // Offsets have whole minutes: seconds stay as they are, a leap second too.
  const rest = withoutZeros(fraction);
  return `${utc.slice(0, 17)}${second}${rest && `.${rest}`}`;
}

function withoutZeros(fraction: string): string {
  let end = fraction.length;
  while (fraction[end - 1] === '0') end -= 1;
  return fraction.slice(0, end);
}
