import fc from 'fast-check';
import type { Choice } from './choice.ts';
import { object, type Schema } from './compared-contract.ts';

/** A value that a schema admits, often at one of its bounds. */
export function admitted(choice: Choice, schema: Schema): unknown {
  const { type, enum: values, oneOf, properties } = schema;
  if (Array.isArray(values)) return choice.one<unknown>(values);
  if ('const' in schema) return schema.const;
  if (Array.isArray(oneOf)) return admitted(choice, object(choice.one<unknown>(oneOf)));
  if (Array.isArray(type)) {
    return admitted(choice, { ...schema, type: choice.one<unknown>(type) });
  }
  if (type === 'object') return admittedObject(choice, schema, object(properties));
  if (type === 'array') return admittedItems(choice, object(schema.items));
  if (type === 'boolean') return choice.isOnceIn(2);
  if (type === 'integer' || type === 'number') return admittedNumber(choice, schema);
  if (type === 'string') return admittedText(choice, schema);
  return null;
}

function admittedObject(
  choice: Choice,
  { required = [] }: Schema,
  properties: Record<string, unknown>,
): object {
  const given = Object.entries(properties).filter(
    ([name]) => (Array.isArray(required) && required.includes(name)) || choice.isOnceIn(2),
  );
  return Object.fromEntries(given.map(([name, each]) => [name, admitted(choice, object(each))]));
}

function admittedItems(choice: Choice, items: Schema): unknown[] {
  return Array.from({ length: choice.below(3) }, () => admitted(choice, items));
}

/** Small numbers are ids that exist. */
function admittedNumber(choice: Choice, schema: Schema): number {
  const { minimum = 0, maximum = 2_147_483_647 } = schema;
  const [least, most] = [Number(minimum), Number(maximum)];
  return choice.make([
    [8, () => Math.min(most, least + choice.below(8))],
    [2, () => Math.min(most, least + choice.below(200))],
    [1, () => choice.one([least, most, Math.floor((least + most) / 2)])],
  ]);
}

const texts = [
  ...[
    'x',
    'Invisible Cities',
    'e\u0301 é',
    '👩‍👩‍👧‍👦',
    '</script>"\\/',
    '\ufffd\uffff',
    '\u2028\u2029',
  ],
  ...['\u0001\u001f\u007f', ' ', '\n\t', 'null', '__proto__', '{{}}', '%00', "'; DROP TABLE x;--"],
];

function admittedText(choice: Choice, schema: Schema): string {
  const { minLength = 0, maxLength = 100, pattern = '^[a-z]*$' } = schema;
  const [least, most] = [Number(minLength), Number(maxLength)];
  const form = new RegExp(String(pattern), 'u');
  const fits = (text: string) => {
    const length = [...text].length;
    return length >= least && length <= most && form.test(text);
  };
  const text = choice.make([
    [6, () => choice.one(texts)],
    [1, () => 'a'.repeat(choice.one([least, Math.min(most, 10_000)]))],
    [1, () => '👍'.repeat(Math.min(most, 10_000))],
    [2, () => choice.any(anyText)],
  ]);
  return fits(text) ? text : choice.any(() => ofForm(form, least, most));
}

// Made once, because its table of all characters takes a second.
const strings = fc.string({ unit: 'binary', maxLength: 30 });
const anyText = () => strings;

function ofForm(form: RegExp, least: number, most: number): fc.Arbitrary<string> {
  return fc
    .stringMatching(form, { maxLength: Math.max(least, Math.min(most, 20)) })
    .filter((text) => [...text].length >= least && [...text].length <= most);
}
