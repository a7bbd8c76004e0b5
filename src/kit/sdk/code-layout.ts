const WIDTH = 72;

/** The members of a value or a call in one line, or a line each where that is too long. */
export function laidOut(
  open: string,
  members: readonly string[],
  close: string,
  indent: string,
): string {
  const line = `${open}${members.join(', ')}${close}`;
  if (members.length === 0 || (line.length <= WIDTH && !line.includes('\n'))) return line;
  const lines = members.map((each) => `${indent}${each.replaceAll('\n', `\n${indent}`)},\n`);
  return `${open.trimEnd()}\n${lines.join('')}${close.trimStart()}`;
}
