import { buildSchema, Kind, parse } from 'graphql';
import { expect, it } from 'vitest';
import { variableWithUnknown } from '../../../src/kit/graphql/unknown-members.ts';

const schema = buildSchema(`
  scalar Any
  input I { a: Int any: Any i: I is: [I!] }
  type Query { f(i: I, is: [[I]], any: Any): Int }`);

type Variables = Parameters<typeof variableWithUnknown>[2];

const x = { x: 1 };
const xy = { x: 1, y: 1 };
const xyz = { x: 1, y: 1, z: 1 };

// More than two members that no type has are too many.
it.each<[string, object | null | undefined, string | undefined]>([
  ['$v: I', { v: xy }, undefined],
  ['$v: I', { v: xyz }, 'v'],
  ['$v: I', { v: { a: 1, ...xy } }, undefined],
  ['$v: I', { v: { ...xyz, a: 1 } }, 'v'],
  ['$v: I!', { v: xyz }, 'v'],
  ['$v: I', { v: { i: xyz } }, 'v'],
  ['$v: I', { v: { ...x, i: { ...x, i: xy } } }, 'v'],
  ['$v: I', { v: { ...x, i: { i: x } } }, undefined],
  ['$v: I', { v: { is: [x, null, x] } }, undefined],
  ['$v: I', { v: { is: [x, x, x] } }, 'v'],
  ['$v: I', { v: { is: xyz } }, 'v'],
  ['$v: [[I]]', { v: [[x], [x]] }, undefined],
  ['$v: [[I]]', { v: [[x], [x, x]] }, 'v'],
  ['$v: [[I]]', { v: xyz }, 'v'],
  // What a scalar takes is for it to say.
  ['$v: Any', { v: xyz }, undefined],
  ['$v: I', { v: { any: xyz } }, undefined],
  ['$v: I', { v: { a: xyz } }, undefined],
  ['$v: I', { v: { toString: 1, constructor: 1, valueOf: 1 } }, 'v'],
  ['$v: I', { v: 'xyz' }, undefined],
  ['$v: I', { v: null }, undefined],
  ['$v: I', {}, undefined],
  ['$v: I', null, undefined],
  ['$v: I', undefined, undefined],
  ['$v: I', { w: xyz }, undefined],
  ['$toString: I', {}, undefined],
  ['$v: I, $w: I', { v: xy, w: xyz }, 'w'],
  ['$v: I, $w: I', { v: xyz, w: xyz }, 'v'],
  ['$v: I, $w: I', { v: xy, w: xy }, undefined],
  ['$v: Query, $w: Nope', { v: xyz, w: xyz }, undefined],
])('%s of %j: %s', (types, variables, expected) => {
  const [operation] = parse(`query (${types}) { f }`).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
  expect(variableWithUnknown(schema, operation, variables as Variables, 2)).toBe(expected);
});
