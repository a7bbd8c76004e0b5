import { type Markup, markup } from './markup.ts';

/** What JSON Schema and OpenAPI say of a value beside its type. */
export type Terms = {
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly pattern?: string;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly additionalProperties?: unknown;
};

/** The bounds, values and marks of a value, a phrase each. */
export function termsOf(schema: Terms): Markup[] {
  const { minLength, maxLength, minItems, maxItems, minProperties, maxProperties } = schema;
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  const { default: preset, example = schema.examples?.[0], enum: values } = schema;
  const words = [
    schema.readOnly ? 'only in answers' : '',
    schema.writeOnly ? 'only in requests' : '',
    range(minimum, maximum, ''),
    above === undefined ? '' : `above ${figure(above)}`,
    below === undefined ? '' : `below ${figure(below)}`,
    schema.multipleOf === undefined ? '' : `a multiple of ${figure(schema.multipleOf)}`,
    range(minLength, maxLength, 'character'),
    range(minItems, maxItems, 'item'),
    range(minProperties, maxProperties, 'member'),
    schema.uniqueItems ? 'each once' : '',
    schema.additionalProperties === false ? 'no other members' : '',
  ];
  return [
    ...words.filter((each) => each !== '').map((each) => markup`${each}`),
    ...(schema.pattern === undefined ? [] : [markup`matches <code>${schema.pattern}</code>`]),
    ...(values ? [markup`one of ${listed(values)}`] : []),
    ...(preset === undefined ? [] : [markup`default ${coded(preset)}`]),
    ...(example === undefined ? [] : [markup`for example ${coded(example)}`]),
  ];
}

/** `1 to 200 characters`, `at least 1 item`. */
function range(least: number | undefined, most: number | undefined, unit: string): string {
  const units = (count: number) => (unit === '' ? '' : ` ${unit}${count === 1 ? '' : 's'}`);
  const isLeast = least !== undefined && (unit === '' || least > 0);
  if (isLeast && most !== undefined) {
    if (least === most) return `${figure(most)}${units(most)}`;
    return `${figure(least)} to ${figure(most)}${units(most)}`;
  }
  if (isLeast) return `at least ${figure(least)}${units(least)}`;
  return most === undefined ? '' : `at most ${figure(most)}${units(most)}`;
}

const figure = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 100 });

const MOST_VALUES = 30;

function listed(values: readonly unknown[]): Markup {
  const shown = values.slice(0, MOST_VALUES).map(coded);
  const more = values.length - shown.length;
  return markup`${shown.map((each, i) => (i === 0 ? each : markup`, ${each}`))}${more > 0 ? ` and ${more} more` : ''}`;
}

const MOST_TEXT = 200;

export function coded(value: unknown): Markup {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return markup`<code>${text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)} …` : text || '""'}</code>`;
}
