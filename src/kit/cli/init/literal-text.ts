/** A JSON value as TypeScript. */
export function literalText(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((each) => literalText(each, inner))
    : Object.entries(value).map(([name, each]) => `${nameText(name)}: ${literalText(each, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (lines.length === 0) return `${open}${close}`;
  const gap = Array.isArray(value) ? '' : ' ';
  const short = `${open}${gap}${lines.join(', ')}${gap}${close}`;
  if (!short.includes('\n') && short.length + indent.length < 90) return short;
  return `${open}\n${lines.map((line) => `${inner}${line},\n`).join('')}${indent}${close}`;
}

/** The name of a member. */
export function nameText(name: string): string {
  // `__proto__: value` would set a prototype.
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

function quoted(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inside}'`;
}
