import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { type Resolvers, unresolvedFields } from '../../../src/kit/graphql/resolver-check.ts';

const a = () => 1;
const Query = { a };
const source = { subscribe: async function* () {} };
const roots = `type Query { a: Int b: Int }
type Mutation { c: Int }
type Subscription { d: Int e: Int }`;

describe('The fields that are not resolved', () => {
  it.each<[string, Resolvers, string[]]>([
    ['all', {}, ['Subscription.d', 'Subscription.e', 'Query.a', 'Query.b', 'Mutation.c']],
    [
      'a subscription without a source',
      { Query: { a, b: a }, Mutation: { c: a }, Subscription: { d: a, e: source } },
      ['Subscription.d'],
    ],
    [
      'some of several maps',
      [{ Query }, { Subscription: { d: source, e: source } }],
      ['Query.b', 'Mutation.c'],
    ],
    [
      'none',
      { Query: { a, b: a }, Mutation: { c: a }, Subscription: { d: source, e: source } },
      [],
    ],
  ])('are told, each once: %s', (_, resolvers, names) => {
    expect(unresolvedFields(buildSchema(roots), resolvers)).toEqual(names);
  });

  it('are those of root types alone', () => {
    const schema = buildSchema('type Query { a: A } type A { b: Int }');
    expect(unresolvedFields(schema, {})).toEqual(['Query.a']);
  });
});
