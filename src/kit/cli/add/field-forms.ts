import type { Field, FieldKind } from './resource-fields.ts';

/** The most items of a list. */
const MOST_ITEMS = 100;
// PostgreSQL stores no U+0000.
const NO_NUL = '^[^\\u0000]*$';

/** The schema of a field in an OpenAPI description. */
export function fieldSchema(field: Field): Record<string, unknown> {
  const { name, references, isList } = field;
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const description = references
    ? `The ${words.replace(/ id$/, '')} that it belongs to, by id.`
    : sentence(words);
  const schema = scalarSchema(field);
  return isList
    ? { description, type: 'array', maxItems: MOST_ITEMS, items: schema }
    : { description, ...schema };
}

function scalarSchema(field: Field): Record<string, unknown> {
  const { kind, least, most, values } = field;
  switch (kind) {
    case 'string':
    case 'text':
      return { type: 'string', format: 'text', minLength: least, maxLength: most, pattern: NO_NUL };
    case 'integer':
      return {
        type: 'integer',
        format: isInt32(field) ? 'int32' : 'int64',
        minimum: least,
        maximum: most,
      };
    case 'number':
      return { type: 'number', format: 'double', minimum: least, maximum: most };
    case 'boolean':
      return { type: 'boolean' };
    case 'enum':
      return { type: 'string', enum: values };
    default:
      return { type: 'string', format: kind, maxLength: most };
  }
}

function isInt32({ least, most }: Field): boolean {
  return least >= -(2 ** 31) && most < 2 ** 31;
}

const scalars: Readonly<Record<FieldKind, string>> = {
  ...{ string: 'String', text: 'String', integer: 'Int', number: 'Float', boolean: 'Boolean' },
  ...{ date: 'String', 'date-time': 'String', uuid: 'String', enum: '' },
};

/** The type of a field in an SDL, without its `!`. */
export function sdlType(field: Field, enumName: string): string {
  const { kind, references, isList } = field;
  // Int has 32 bits.
  const isLarge = kind === 'integer' && !isInt32(field);
  const scalar = references ? 'ID' : kind === 'enum' ? enumName : isLarge ? 'Float' : scalars[kind];
  return isList ? `[${scalar}!]` : scalar;
}

/** The type of a column, as tables declare it. */
export function columnType({ kind, isList, isOptional, most }: Field): string {
  const isLong = kind === 'text' || (kind === 'string' && most > 1000);
  const type = isList ? 'json' : isLong ? 'long text' : kind === 'string' ? 'text' : kind;
  return isOptional ? `${type}?` : type;
}

/** The value of a field in the i-th example, from 1. */
export function exampleOf(field: Field, i: number): unknown {
  return field.isList ? [scalarExample(field, i)] : scalarExample(field, i);
}

function scalarExample({ kind, name, least, most, values, references }: Field, i: number): unknown {
  switch (kind) {
    case 'string':
    case 'text':
      return `${sentence(name).slice(0, -1)} ${i}`.padEnd(least, '.').slice(0, most);
    case 'integer':
      return references ? 1 : Math.min(most, Math.max(least, i));
    case 'number':
      return Math.min(most, Math.max(least, i + 0.5));
    case 'boolean':
      return i % 2 === 0;
    case 'date':
      return `2026-01-0${i}`;
    case 'date-time':
      return `2026-01-0${i}T12:00:00Z`;
    case 'uuid':
      return `00000000-0000-4000-8000-00000000000${i}`;
    case 'enum':
      return values[(i - 1) % values.length];
  }
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}
