import fc from 'fast-check';
import type { Contract } from '../../src/kit/contract/contract.ts';
import {
  type Referable,
  resolve,
  type SchemaObject,
} from '../../src/kit/contract/openapi-document.ts';

/** Text that the API takes: any Unicode but U+0000 and lone surrogates, counted in code points. */
export function text(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const character = fc.oneof(
    { weight: 6, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }) },
    { weight: 3, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('\u2028', '\u007f', '\ufffd', '\ufeff', '😀', '\u0001'),
    },
  );
  const admitted = character.filter((each) => each !== '\0' && each.isWellFormed());
  return fc.array(admitted, { minLength, maxLength }).map((characters) => characters.join(''));
}

/** Values that a schema of the contract admits: records, as the inputs of collections are. */
export function valuesOf(
  contract: Contract,
  schema: Referable<SchemaObject>,
  /** The values of some fields. */
  given: Readonly<Record<string, fc.Arbitrary<unknown>>> = {},
): fc.Arbitrary<Record<string, unknown>> {
  const { properties, required = [] } = Object(resolve(contract.document, schema));
  const fields = Object.entries<Referable<SchemaObject>>(properties).map(
    ([name, field]) => [name, given[name] ?? fieldOf(contract, field)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: required });
}

/** What the fields take that an input leaves out. */
export function defaultsOf(
  { document }: Contract,
  schema: Referable<SchemaObject>,
): Record<string, unknown> {
  const { properties } = Object(resolve(document, schema));
  const fields = Object.entries<Referable<SchemaObject>>(properties).map(
    ([name, field]) => [name, Object(resolve(document, field)).default] as const,
  );
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

type Field = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: Referable<SchemaObject>;
};

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  date: fc.constantFrom('0001-01-01', '2024-02-29', '9999-12-31'),
  'date-time': fc.constantFrom('0001-01-01T00:00:00Z', '2024-02-29T23:59:59.999Z'),
  uuid: fc.uuid(),
};

function fieldOf(contract: Contract, schema: Referable<SchemaObject>): fc.Arbitrary<unknown> {
  const field: Field = Object(resolve(contract.document, schema));
  const types = [field.type ?? []].flat();
  const type = types.find((each) => each !== 'null');
  const value = typedValue(contract, schema, field, type);
  return types.includes('null') ? fc.option(value) : value;
}

function typedValue(
  contract: Contract,
  schema: Referable<SchemaObject>,
  field: Field,
  type: string | undefined,
): fc.Arbitrary<unknown> {
  const { minLength = 0, maxLength = 20, minimum = 0, maximum = 100, maxItems = 5 } = field;
  if (field.enum) return fc.constantFrom(...field.enum);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum });
  if (type === 'number') {
    // A comparison tells -0 from 0, which is what is added here.
    return fc.double({ min: minimum, max: maximum, noNaN: true }).map((value) => value + 0);
  }
  if (type === 'array' && field.items) {
    return fc.array(fieldOf(contract, field.items), { maxLength: maxItems });
  }
  if (type === 'object') return valuesOf(contract, schema);
  const formatted = formats[field.format ?? ''];
  if (formatted) return formatted;
  // Long text is rare but there; text at the very bound is there too.
  return fc.oneof(
    { weight: 9, arbitrary: text(minLength, Math.min(maxLength, 20)) },
    { weight: 1, arbitrary: fc.constant('é'.repeat(maxLength)) },
  );
}
