import { buildSchema, getIntrospectionQuery, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { checkWithin } from '../../../../src/kit/graphql/limits/check.ts';
import { repeated } from '../../../support/graphql-refusals.ts';

const schema = buildSchema('type Query { a(x: Int): Query }');
const most = Number.POSITIVE_INFINITY;
const limits = { depth: 8, cost: most, aliases: 15, tokens: most, directives: most, fields: most };

function refusal(text: string): string | undefined {
  const found = checkWithin({ ...limits, errors: 5 }, schema)(parse(text));
  return 'excess' in found ? found.excess.message : undefined;
}

const lists = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
const objects = (levels: number) => `${'{ m: '.repeat(levels)}1${' }'.repeat(levels)}`;
const fragments = (count: number) =>
  repeated(count, (i) => `fragment F${i} on Query { ${i + 1 < count ? `...F${i + 1}` : 'a'} }`);

describe('A document nests at most 100 levels deep', () => {
  // How often a part may stand inside itself, beside all others that are levels too.
  it.each<[string, number, (levels: number) => string]>([
    ['fragments', 98, (levels) => `{ ${'... { '.repeat(levels)}a${' }'.repeat(levels)} }`],
    ['lists in an argument', 97, (levels) => `{ a(x: ${lists(levels)}) }`],
    ['objects in an argument', 97, (levels) => `{ a(x: ${objects(levels)}) }`],
    ['lists in objects', 96, (levels) => `{ a(x: { m: ${lists(levels)} }) }`],
    ['lists in the second argument', 97, (levels) => `{ a(x: 1, y: ${lists(levels)}) }`],
    ['lists in a directive', 97, (levels) => `{ a @b(x: ${lists(levels)}) }`],
    [
      'lists in the directive of an operation',
      98,
      (levels) => `query @b(x: ${lists(levels)}) { a }`,
    ],
    ['lists in a default', 98, (levels) => `query ($v: [Int] = ${lists(levels)}) { a }`],
    [
      'lists in the directive of a variable',
      98,
      (levels) => `query ($v: Int @b(x: ${lists(levels)})) { a }`,
    ],
    ['lists of a type', 99, (levels) => `query ($v: ${lists(levels).replace('1', 'Int')}) { a }`],
    [
      'lists of the second type',
      99,
      (levels) => `query ($u: Int, $v: ${lists(levels).replace('1', 'Int')}) { a }`,
    ],
    ['fragments in fragments', 49, (count) => `{ ...F0 } ${fragments(count)}`],
    ['fragments that come first', 49, (count) => `${fragments(count)} query { ...F0 }`],
  ])('by %s', (_, levels, text) => {
    expect(refusal(text(levels))).toBeUndefined();
    expect(refusal(text(levels + 1))).toBe(
      'Nesting limit exceeded: fragments and literals nest at most 100 levels deep.',
    );
  });

  it('however they are mixed', () => {
    expect(refusal(`{ ... { ...F0 } } ${fragments(48)}`)).toBeUndefined();
    expect(refusal(`{ ... { ...F0 } } ${fragments(49)}`)).toContain('Nesting limit');
    expect(refusal('query ($v: [[Int!]!]!) { a }')).toBeUndefined();
  });
});

describe('A document has at most 10,000 parts', () => {
  const values = (count: number) => `[${'1 '.repeat(count)}]`;
  const members = (count: number) => `{ ${repeated(count, (i) => `m${i}: 1`)} }`;

  it.each<[string, number, (count: number) => string]>([
    ['fields', 9_999, (count) => `{ ${'a '.repeat(count)} }`],
    ['fields of fields', 9_998, (count) => `{ a { ${'a '.repeat(count)} } }`],
    ['fields of an inline fragment', 9_998, (count) => `{ ... { ${'a '.repeat(count)} } }`],
    [
      'fields of two operations',
      9_997,
      (count) => `query A { a } query B { ${'a '.repeat(count)} }`,
    ],
    // Where they are defined, and not where they are spread.
    [
      'fields of a fragment',
      9_996,
      (count) => `{ ...F ...F } fragment F on Query { ${'a '.repeat(count)} }`,
    ],
    ['values', 9_997, (count) => `{ a(x: ${values(count)}) }`],
    ['values of the second argument', 9_996, (count) => `{ a(x: 1, y: ${values(count)}) }`],
    ['members', 9_997, (count) => `{ a(x: ${members(count)}) }`],
    ['arguments', 9_998, (count) => `{ a(${repeated(count, (i) => `x${i}: 1`)}) }`],
    ['directives', 9_998, (count) => `{ a ${'@b '.repeat(count)} }`],
    ['values of a directive', 9_996, (count) => `{ a @b(x: ${values(count)}) }`],
    ['variables', 9_998, (count) => `query (${repeated(count, (i) => `$v${i}: Int`)}) { a }`],
    ['values of a default', 9_996, (count) => `query ($v: Int = ${values(count)}) { a }`],
    ['directives of a variable', 9_997, (count) => `query ($v: Int ${'@b '.repeat(count)}) { a }`],
    [
      'values of a variable’s directive',
      9_995,
      (count) => `query ($v: Int @b(x: ${values(count)})) { a }`,
    ],
    ['directives of an operation', 9_998, (count) => `query ${'@b '.repeat(count)} { a }`],
  ])('such as %s', (_, count, text) => {
    expect(refusal(text(count))).toBeUndefined();
    expect(refusal(text(count + 1))).toBe(
      'Size limit exceeded: a document has at most 10000 fields, arguments and values.',
    );
  });
});

describe('Introspection', () => {
  const all = {
    ...{ specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true },
    ...{ inputValueDeprecation: true, experimentalDirectiveDeprecation: true, oneOf: true },
  };
  /** The standard query, its selection as often as told. */
  const times = (count: number) => {
    const standard = getIntrospectionQuery(all);
    const spread = `query { ${'...S '.repeat(count)} }`;
    return standard.replace(/query IntrospectionQuery/, `${spread} fragment S on Query`);
  };

  it('may be as deep as the standard query, and no deeper', () => {
    expect(refusal(getIntrospectionQuery({ ...all, typeDepth: 9 }))).toBeUndefined();
    expect(refusal(getIntrospectionQuery({ ...all, typeDepth: 10 }))).toBe(
      'Depth limit exceeded: introspection nests at most 15 levels deep.',
    );
  });

  it('may cost twice as much as the standard query, and no more', () => {
    expect(refusal(times(2))).toBeUndefined();
    expect(refusal(times(3))).toMatch(/^Cost limit exceeded: introspection costs at most \d+\.$/);
    expect(refusal(times(2).replace('{ ...S', '{ __type(name: "A") { name } ...S'))).toMatch(
      /^Cost limit exceeded: introspection/,
    );
  });
});
