import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createPrepare } from '../../../src/kit/graphql/documents.ts';
import { defaultLimits } from '../../../src/kit/graphql/limits/limits.ts';

const schema = buildSchema('type Query { a: Int old: Int @deprecated }');

/** Says of a document whether it was known, and prepares it. */
function lookups() {
  const known: boolean[] = [];
  const onLookup = (isKnown: boolean) => known.push(isKnown);
  const prepare = createPrepare(schema, { limits: defaultLimits, introspection: true, onLookup });
  return (text: string) => {
    prepare(text);
    return known.at(-1);
  };
}

const numbered = (i: number) => `{ a${i}: a }`;

describe('A prepared document', () => {
  it('is kept as one of the thousand that were used last', () => {
    const isKnown = lookups();
    for (let i = 0; i < 1000; i++) expect(isKnown(numbered(i))).toBe(false);
    for (let i = 0; i < 1000; i++) expect(isKnown(numbered(i))).toBe(true);
    expect(isKnown(numbered(0))).toBe(true);
    // The second one is now the oldest.
    expect(isKnown(numbered(1000))).toBe(false);
    expect(isKnown(numbered(0))).toBe(true);
    expect(isKnown(numbered(2))).toBe(true);
    expect(isKnown(numbered(1))).toBe(false);
  });

  it('is kept as long as all of them take no more than 16 MB, with 500 bytes for each token', () => {
    // Seven tokens with the marks of start and end, and two bytes for each character: 400,000.
    const large = (i: number, length = 198_250) => `{ a${10 + i}: a }`.padEnd(length);
    const isKnown = lookups();
    for (let i = 0; i < 40; i++) isKnown(large(i));
    for (let i = 0; i < 40; i++) expect(isKnown(large(i))).toBe(true);
    const isKnownToo = lookups();
    for (let i = 0; i < 39; i++) isKnownToo(large(i));
    isKnownToo(large(39, 198_251));
    expect(isKnownToo(large(1))).toBe(true);
    expect(isKnownToo(large(39, 198_251))).toBe(true);
    expect(isKnownToo(large(0))).toBe(false);
    // What was pushed out counts no more.
    for (let i = 2; i < 39; i++) isKnownToo(large(i));
    for (let i = 2; i < 39; i++) expect(isKnownToo(large(i))).toBe(true);
  });

  it('has its operations, and what of it is deprecated', () => {
    const options = { limits: defaultLimits, introspection: true, onLookup: () => {} };
    const valid = createPrepare(
      schema,
      options,
    )('query A { a ...F } query B { old } fragment F on Query { a }');
    if ('faults' in valid) throw new Error(String(valid.faults));
    expect(valid.operations.map(({ name, uses, compiled }) => [name, uses, compiled])).toEqual([
      ['A', 0, undefined],
      ['B', 0, undefined],
    ]);
    expect([...valid.deprecated]).toEqual(['Query.old']);
  });

  it('with faults is prepared anew each time', () => {
    const isKnown = lookups();
    for (let i = 0; i < 3; i++) expect(isKnown('{ nope }')).toBe(false);
  });
});
