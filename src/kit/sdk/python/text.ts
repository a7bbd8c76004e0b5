import { createNames, legal, snakeCase } from '../names.ts';
import { wrapped } from '../wrap.ts';

const reserved = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for ' +
    'from global if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** What the annotations of a class mean by these must not be one of its members. */
const builtins = new Set('str int float bool bytes dict object tuple field'.split(' '));

/** A name as Python writes it; one that means something to Python has an underscore behind it. */
export function fieldName(name: string): string {
  const snake = legal(snakeCase(name), 'value');
  return reserved.has(snake) ? `${snake}_` : snake;
}

/** The name of a method. */
export function methodText(name: string): string {
  const text = fieldName(name);
  return builtins.has(text) ? `${text}_` : text;
}

/** Names for the fields of a class, each once. */
export function createFieldNames(): (name: string) => string {
  const names = createNames([...builtins, 'list']);
  return (name) => names(fieldName(name), '_');
}

export function docstring(lines: readonly string[], indent: string): string {
  const whole = lines.join('\n').replaceAll(/\r\n?/g, '\n').replaceAll('\0', '').trim();
  if (whole === '') return '';
  const plain = whole.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');
  const text = wrapped(plain, 96 - indent.length);
  // A quote at the end would be taken for the first of the closing ones.
  const last = text.length - 1;
  text[last] = text[last]?.replace(/"$/, '\\"') ?? '';
  if (text.length === 1) return `${indent}"""${text[0]}"""\n`;
  return `${indent}"""${text[0]}\n${text
    .slice(1)
    .map((line) => (line ? `${indent}${line}\n` : '\n'))
    .join('')}${indent}"""\n`;
}

/** A text as Python writes it. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

/** A value from JSON as Python prints it. */
export function pythonRepr(value: unknown): string {
  if (value === null || value === undefined) return 'None';
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
