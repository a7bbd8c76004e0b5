import { Kind, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { present } from '../../../src/kit/errors.ts';
import { createIsCompilable } from '../../../src/kit/graphql/compilable.ts';
import { createSchema } from '../../../src/kit/graphql/executable-schema.ts';
import { repeated } from '../../support/graphql-refusals.ts';

const nothing = () => null;
// graphql-jit gives `info` another content.
const informed = (_: unknown, __: unknown, ___: unknown, info: unknown) => info && null;
const schema = createSchema(
  `
  directive @own on QUERY | FIELD | FRAGMENT_DEFINITION | FRAGMENT_SPREAD | INLINE_FRAGMENT | VARIABLE_DEFINITION
  scalar Odd
  enum Plain { A B }
  enum Inner { C D }
  input Box { n: Int }
  interface Named { name: String }
  union Any = Thing | Known
  type Thing implements Named { name: String plain: Plain inner: Inner odd: Odd held: Thing thing: Thing }
  type Known { name: String }
  type A { bc: Int b: Int }
  type Ab { c: Int bd: Int }
  type Query {
    a: Int
    list: [Int!]!
    n(a: Int, b: Int, f: Float, yes: Boolean, id: ID, text: String, plain: Plain, inner: Inner, odd: Odd, list: [Int], box: Box): Int
    must(n: Int!, of: Plain!): Int
    first(first: Int = 1): Int
    strange(toString: Int): Int
    informed: Int
    with_line: Int
    thing: Thing
    things: [Thing!]
    known: Known
    named: Named
    any: Any
    aOf: A
    abOf: Ab
  }
  type Mutation { add(n: Int): Int }`,
  {
    Inner: { C: 1, D: 'd' },
    Named: { __resolveType: () => 'Thing' },
    Any: { __resolveType: () => 'Thing' },
    Known: { __isTypeOf: () => true },
    Thing: { thing: nothing, inner: nothing },
    Query: {
      ...{ a: nothing, list: nothing, n: nothing, must: nothing, first: nothing },
      ...{ strange: nothing, informed, with_line: nothing, thing: nothing, things: nothing },
      ...{ known: nothing, named: nothing, any: nothing, aOf: nothing, abOf: nothing },
    },
    Mutation: { add: nothing },
  },
  { onWarning: () => {} },
);
const isCompilable = createIsCompilable(schema);

/** Whether the first operation of a document is compiled. */
function isCompiled(text: string): boolean {
  const document = parse(text);
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  return isCompilable(present(operations[0]), document);
}

describe('An operation is compiled', () => {
  it.each([
    '{ a }',
    '{ list }',
    'mutation { add(n: 1) }',
    '{ one: a two: a }',
    '{ __typename other: __typename thing { __typename } }',
    '{ thing { name plain thing { name } } things { name } }',
    '{ aOf { b } abOf { bd } }',
    // Fragments on the type that they are spread on.
    '{ ... { a } ... on Query { list } }',
    '{ ...F } fragment F on Query { a thing { ...T } } fragment T on Thing { name }',
    'query One { ...F } query Two { a @own } fragment F on Query { a }',
    // Arguments.
    ...['0', '7', '-7', 'null'].map((value) => `{ n(a: ${value}) }`),
    '{ n(yes: true) }',
    '{ n(plain: A) }',
    '{ must(n: 1, of: B) }',
    '{ n(f: 2) }',
    '{ n(id: 3) }',
    // Variables, after all literals.
    'query ($v: Int) { n(a: 1, b: $v) }',
    'query ($v: Int) { n(b: $v, a: 1) }',
    'query ($v: Int, $w: Int) { n(a: $v, b: $w) }',
    ...['Int', 'Float', 'Boolean', 'ID', 'String', 'Plain', 'Int!', 'Plain!'].map(
      (type) => `query ($v: ${type}) { a }`,
    ),
    ...['Int = 1', 'Boolean = false', 'Plain = A', 'Int = null'].map(
      (type) => `query ($v: ${type}) { a }`,
    ),
    `{ ${repeated(200, (i) => `a${i}: a`)} }`,
    `{ ${repeated(198, (i) => `a${i}: a`)} ...F } fragment F on Query { x: a y: a }`,
  ])('%s', (text) => {
    expect(isCompiled(text)).toBe(true);
  });
});

describe('An operation is left to graphql', () => {
  it.each([
    // Directives, wherever they are.
    'query @own { a }',
    '{ a @own }',
    '{ a @own @own }',
    '{ thing @own { name } }',
    '{ ... @own { a } }',
    '{ ... on Query @own { a } }',
    '{ ...F @own } fragment F on Query { a }',
    '{ ...F } fragment F on Query @own { a }',
    'query ($v: Int @own) { a }',
    // Names.
    '{ a_b: a }',
    '{ __proto__: a }',
    '{ _: __typename }',
    '{ with_line }',
    '{ __schema { description } }',
    '{ __type(name: "A") { name } }',
    '{ aOf { bc } }',
    '{ abOf { c } }',
    '{ nope }',
    'subscription { __typename }',
    // Types.
    '{ named { name } }',
    '{ named { __typename } }',
    '{ any { __typename } }',
    '{ known { name } }',
    '{ thing { held { name } } }',
    '{ thing { inner } }',
    '{ thing { odd } }',
    '{ informed }',
    // Parts of it.
    '{ a b_c: a }',
    '{ b_c: a a }',
    '{ thing { name b_c: name } }',
    '{ ... { b_c: a } }',
    '{ ...F a } fragment F on Query { b_c: a }',
    '{ ...Nope }',
    '{ thing { ... on Named { name } } }',
    '{ thing { ...N } } fragment N on Named { name }',
    // Arguments.
    '{ first }',
    '{ first(first: 2) }',
    '{ strange(toString: 1) }',
    ...['-0', '1.5', '"1"', '[1]', '{ n: 1 }'].map((value) => `{ n(a: ${value}) }`),
    '{ n(text: "a") }',
    '{ n(text: """a""") }',
    '{ n(inner: C) }',
    '{ n(odd: 1) }',
    '{ n(list: 1) }',
    '{ n(list: [1]) }',
    '{ n(box: { n: 1 }) }',
    '{ n(a: 1, text: "a") }',
    'query ($v: Int) { n(a: $v, b: 1) }',
    'query ($v: Int) { n(b: 1, a: $v) }',
    'query ($v: Int) { n(list: $v) }',
    // Variables.
    ...['[Int]', '[Int]!', '[Int!]', 'Odd', 'Odd!', 'Inner', 'Box', 'Nope', 'Thing'].map(
      (type) => `query ($v: ${type}) { a }`,
    ),
    ...['Int! = 1', 'String = "a"', 'Float = 1.5', 'Int = -0'].map(
      (type) => `query ($v: ${type}) { a }`,
    ),
    'query ($toString: Int) { a }',
    'query ($v: Int, $w: [Int]) { a }',
    // Too large for its code.
    `{ ${repeated(201, (i) => `a${i}: a`)} }`,
    `{ ${repeated(199, (i) => `a${i}: a`)} ...F } fragment F on Query { x: a y: a }`,
  ])('%s', (text) => {
    expect(isCompiled(text)).toBe(false);
  });
});
