import { isObject } from '../../contract/openapi-document.ts';

export type Schema = Readonly<Record<string, unknown>>;

const types: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
};

/** A schema as a person says it: `text, 1 to 200 characters`, `list of Planet`, `one of a, b, or null`. */
export function schemaText(schema: unknown): string {
  if (schema === false) return 'nothing';
  if (!isObject(schema)) return 'anything';
  const name = refName(schema);
  if (name) return name;
  const isNullable = typesOf(schema).includes('null');
  const text = [kindText(schema), ...boundTexts(schema)].filter(Boolean).join(', ');
  return isNullable && text !== 'null' ? `${text}, or null` : text;
}

/** The name of what a reference leads to. */
export function refName(schema: unknown): string | undefined {
  const { $ref } = Object(schema);
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;
}

export function typesOf({ type }: Schema): string[] {
  return [type ?? []].flat().map(String);
}

/** A value as a reader sees it in a sentence. */
export function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

export function listText(values: readonly unknown[], most = 6): string {
  const shown = values.slice(0, most).map((each) => `\`${valueText(each)}\``);
  const rest = values.length - shown.length;
  const all = rest > 0 ? [...shown, `${rest} more`] : shown;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

function kindText(schema: Schema): string {
  const { enum: values, const: only, items, oneOf, anyOf, allOf } = schema;
  if (only !== undefined) return `always ${valueText(only)}`;
  if (Array.isArray(values)) {
    const some = values.filter((each) => each !== null);
    return `one of ${some.slice(0, 8).map(valueText).join(', ')}${some.length > 8 ? ' …' : ''}`;
  }
  const all = typesOf(schema);
  const own = all.filter((each) => each !== 'null');
  if (own.includes('array')) return `list of ${schemaText(items ?? true)}`;
  const alternatives = [oneOf ?? anyOf ?? []].flat();
  if (alternatives.length > 0) return alternatives.slice(0, 6).map(schemaText).join(' or ');
  const together = [allOf ?? []].flat();
  if (together.length > 0) return together.slice(0, 6).map(schemaText).join(' with ');
  if (own.length === 0 && all.length > 0) return 'null';
  if (own.length === 0) return schema.properties ? 'object' : 'anything';
  const names = own.map((each) => types[each] ?? each);
  return schema.format && schema.format !== 'int32' && schema.format !== 'int64'
    ? `${names.join(' or ')} (${schema.format})`
    : names.join(' or ');
}

function boundTexts(schema: Schema): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, pattern, uniqueItems } = schema;
  const { default: preset, deprecated, readOnly, writeOnly, multipleOf } = schema;
  const range = (least: unknown, most: unknown, unit: string) => {
    if (least === undefined && most === undefined) return '';
    if (most === undefined) return `at least ${counted(least)}${unit}`;
    if (least === undefined) return `at most ${counted(most)}${unit}`;
    return least === most
      ? `${counted(least)}${unit}`
      : `${counted(least)} to ${counted(most)}${unit}`;
  };
  const own = typesOf(schema);
  // What a keyword says of values of another type is nothing.
  const isOf = (...types: string[]) => own.length === 0 || types.some((each) => own.includes(each));
  const texts = isOf('string') ? [range(schema.minLength, schema.maxLength, ' characters')] : [];
  const numbers = isOf('integer', 'number')
    ? [
        range(minimum, maximum, ''),
        exclusiveMinimum === undefined ? '' : `more than ${counted(exclusiveMinimum)}`,
        exclusiveMaximum === undefined ? '' : `less than ${counted(exclusiveMaximum)}`,
      ]
    : [];
  return [
    ...texts,
    ...numbers,
    range(schema.minItems, schema.maxItems, ' items'),
    range(schema.minProperties, schema.maxProperties, ' members'),
    multipleOf === undefined ? '' : `a multiple of ${multipleOf}`,
    uniqueItems === true ? 'each item once' : '',
    pattern === undefined ? '' : `form ${valueText(pattern)}`,
    preset === undefined ? '' : `default ${valueText(preset)}`,
    readOnly === true ? 'read only' : '',
    writeOnly === true ? 'write only' : '',
    deprecated === true ? 'deprecated' : '',
  ];
}

function counted(value: unknown): string {
  return typeof value === 'number' ? value.toLocaleString('en-US') : String(value);
}
