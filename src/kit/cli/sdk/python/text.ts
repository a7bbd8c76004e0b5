import { snakeCase } from '../names.ts';
import { wrapped } from '../wrap.ts';

const reserved = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for ' +
    'from global if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** A name as Python writes it; one that means something to Python has an underscore behind it. */
export function fieldName(name: string): string {
  const snake = snakeCase(name) || 'value';
  return reserved.has(snake) ? `${snake}_` : snake;
}

export function docstring(lines: readonly string[], indent: string): string {
  const plain = lines.join('\n').trim().replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');
  const text = wrapped(plain, 96 - indent.length);
  if (text.length === 1) return `${indent}"""${text[0]}"""\n`;
  return `${indent}"""${text[0]}\n${text
    .slice(1)
    .map((line) => (line ? `${indent}${line}\n` : '\n'))
    .join('')}${indent}"""\n`;
}

/** A value from JSON as Python prints it. */
export function pythonRepr(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') {
    const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"');
    return value.includes("'") && !value.includes('"')
      ? `"${escaped}"`
      : `'${escaped.replaceAll("'", "\\'")}'`;
  }
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(
      ([key, each]) => `${pythonRepr(key)}: ${pythonRepr(each)}`,
    );
    return `{${entries.join(', ')}}`;
  }
  return String(value);
}
