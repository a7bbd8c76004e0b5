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

/** Values that a schema of the contract admits: flat records, as the inputs of collections are. */
export function valuesOf(
  contract: Contract,
  schema: Referable<SchemaObject>,
): fc.Arbitrary<Record<string, unknown>> {
  const { properties, required } = Object(resolve(contract.document, schema));
  const fields = Object.entries<Referable<SchemaObject>>(properties).map(
    ([name, field]) => [name, fieldOf(Object(resolve(contract.document, field)))] as const,
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
  readonly type: 'string' | 'integer' | 'boolean';
  readonly minLength: number;
  readonly maxLength: number;
  readonly minimum: number;
  readonly maximum: number;
};

function fieldOf({ type, minLength, maxLength, minimum, maximum }: Field): fc.Arbitrary<unknown> {
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum });
  // Long text is rare but there; text at the very bound is there too.
  return fc.oneof(
    { weight: 9, arbitrary: text(minLength, Math.min(maxLength, 20)) },
    { weight: 1, arbitrary: fc.constant('é'.repeat(maxLength)) },
  );
}
