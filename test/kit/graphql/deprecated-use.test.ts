import { buildSchema, Kind, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import {
  createDeprecatedInVariables,
  deprecatedIn,
} from '../../../src/kit/graphql/deprecated-use.ts';

const schema = buildSchema(`
  directive @own(a: Int, old: Int @deprecated) on FIELD
  enum E { A B @deprecated }
  input I { a: Int old: Int @deprecated e: E es: [E!] i: I is: [I] }
  interface N { old: Int @deprecated }
  type T implements N { a: Int old: Int @deprecated }
  type Query {
    f(a: Int, old: Int @deprecated, e: E, es: [[E]], i: I, is: [I!]): Int
    old: Int @deprecated
    t: T
    n: N
  }`);

describe('The deprecated parts in a document', () => {
  it.each<[string, string[]]>([
    ['{ f t { a @own(a: 1) } }', []],
    ['{ old again: old }', ['Query.old']],
    ['{ t { old } n { old } }', ['T.old', 'N.old']],
    ['{ ...F } fragment F on Query { t { ... on N { old } } }', ['N.old']],
    ['{ f(a: 1) }', []],
    ['{ f(old: 1, a: 1) }', ['Query.f(old:)']],
    ['{ f @own(old: 1) }', ['@own(old:)']],
    ['{ f(e: A, es: [[A]]) }', []],
    ['{ f(e: B) }', ['E.B']],
    ['{ f(es: [[A, B]]) }', ['E.B']],
    ['{ f(i: { a: 1, e: A }) }', []],
    ['{ f(i: { old: 1 }) }', ['I.old']],
    ['{ f(i: { i: { is: [{ old: 1, e: B }] } }) }', ['I.old', 'E.B']],
    ['{ f(is: { es: [B] }) }', ['E.B']],
    // A single value stands for a list.
    ['{ f(es: B) }', ['E.B']],
    ['{ f(is: { old: 1, es: B }) }', ['I.old', 'E.B']],
    ['query ($e: E = B, $i: I = { old: 1 }) { f(e: $e, i: $i) }', ['E.B', 'I.old']],
  ])('%s', (text, expected) => {
    expect([...deprecatedIn(schema, parse(text))]).toEqual(expected);
  });
});

describe('The deprecated parts in variables', () => {
  const found = (types: string, variables: object | null | undefined, on = schema) => {
    const [operation] = parse(`query (${types}) { f }`).definitions;
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
    return [...createDeprecatedInVariables(on)(operation, { ...variables })];
  };

  it.each<[string, object | null, string[]]>([
    ['$v: E', { v: 'A' }, []],
    ['$v: E', { v: 'B' }, ['E.B']],
    ['$v: E!', { v: 'B' }, ['E.B']],
    ['$v: E', { v: null }, []],
    ['$v: E', {}, []],
    ['$v: E', { w: 'B' }, []],
    ['$v: [E!]!', { v: ['A', 'B', 'B'] }, ['E.B']],
    ['$v: [E!]', { v: 'B' }, ['E.B']],
    ['$v: [[E]]', { v: [['A'], null, ['B', null]] }, ['E.B']],
    ['$v: I', { v: { a: 1, e: 'A' } }, []],
    ['$v: I', { v: { old: 1 } }, ['I.old']],
    ['$v: I', { v: { old: null } }, ['I.old']],
    ['$v: I', { v: { i: { i: { old: 1 } }, e: 'B' } }, ['I.old', 'E.B']],
    ['$v: I', { v: { is: [null, { es: ['B'] }, { old: 1 }] } }, ['E.B', 'I.old']],
    ['$v: [I]', { v: { old: 1 } }, ['I.old']],
    ['$v: I', { v: { toString: { old: 1 }, x: { old: 1 } } }, []],
    ['$v: Int, $w: E', { v: 1, w: 'B' }, ['E.B']],
    ['$v: T, $w: Nope', { v: { old: 1 }, w: { old: 1 } }, []],
  ])('%s of %j', (types, variables, expected) => {
    expect(found(types, variables)).toEqual(expected);
  });

  it('are looked for where the schema has any, be it one', () => {
    const value = buildSchema(
      'enum E { A B @deprecated } input I { e: E } type Query { f(i: I): Int }',
    );
    const field = buildSchema('input I { a: Int b: Int @deprecated } type Query { f(i: I): Int }');
    const none = buildSchema(
      'enum E { A B } input I { e: E } type Query { f(i: I): Int @deprecated }',
    );
    expect(found('$v: I', { v: { e: 'B' } }, value)).toEqual(['E.B']);
    expect(found('$v: I', { v: { b: 1 } }, field)).toEqual(['I.b']);
    expect(found('$v: I', { v: { e: 'B' } }, none)).toEqual([]);
  });

  it('are none where there are no variables', () => {
    const [operation] = parse('query ($v: E) { f }').definitions;
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
    const deprecated = createDeprecatedInVariables(schema);
    for (const variables of [null, undefined, {}])
      expect(deprecated(operation, variables).size).toBe(0);
  });
});
