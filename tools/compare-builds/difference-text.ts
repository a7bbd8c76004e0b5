const MOST_CHARACTERS = 1500;
const BEFORE = 200;
const AROUND = 50;

/** Where two texts part, without numbers, so that differences that look alike can be counted. */
export function placeOf(one: string, other: string): string {
  const at = firstDifference(one, other);
  const around = (text: string) => {
    const start = Math.max(text.lastIndexOf('\n', at - 1) + 1, at - AROUND);
    const line = text
      .slice(start, at + AROUND)
      .split('\n', 1)
      .join('');
    return escaped(line.startsWith('HTTP/') ? line : line.replaceAll(/\d+/g, 'N'));
  };
  return `${around(one)} → ${around(other)}`;
}

/** A text, or the part of it around the place where another one parts from it. */
export function shown(text: string, other = text): string {
  const at = firstDifference(text, other);
  const start = at < text.length && at > MOST_CHARACTERS - BEFORE ? at - BEFORE : 0;
  const part = text.slice(start, start + MOST_CHARACTERS);
  const left = text.length - start - part.length;
  return `${start > 0 ? '… ' : ''}${escaped(part)}${left > 0 ? ` … (${left} more)` : ''}`;
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

function escaped(text: string): string {
  return text.replaceAll(
    /[^\n -~]/g,
    (each) => `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
