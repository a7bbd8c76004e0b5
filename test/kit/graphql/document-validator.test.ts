import { describe, expect, it } from 'vitest';
import { refusals, repeated } from '../../support/graphql-refusals.ts';

describe('A document within the limits', () => {
  it.each([
    ['{ users { id }', 'GRAPHQL_PARSE_FAILED: Syntax Error: Expected Name, found <EOF>.'],
    ['{ users { } }', 'GRAPHQL_PARSE_FAILED: Syntax Error: Expected Name, found "}".'],
    [
      '"Document contains more than 1 tokens." { users { id } }',
      'GRAPHQL_PARSE_FAILED: Syntax Error: Unexpected description, descriptions are not supported on shorthand queries.',
    ],
    [
      '{ users { salary } }',
      'GRAPHQL_VALIDATION_FAILED: Cannot query field "salary" on type "User".',
    ],
    [
      '{ createUser(name: "a", email: "a@b.c") { id } }',
      'GRAPHQL_VALIDATION_FAILED: Cannot query field "createUser" on type "Query".',
    ],
    [
      '{ users { id } } fragment A on User { id }',
      'GRAPHQL_VALIDATION_FAILED: Fragment "A" is never used.',
    ],
    [
      '{ users { id } } type A { b: Int }',
      'GRAPHQL_VALIDATION_FAILED: The "A" definition is not executable.',
    ],
    [
      '{ __type(name: "User") { fields { type { fields { type { fields { name } } } } } } }',
      'GRAPHQL_VALIDATION_FAILED: Maximum introspection depth exceeded',
    ],
  ])('is refused for what is wrong with it: %s', (text, wanted) => {
    expect(refusals(text)).toEqual([wanted]);
  });

  it.each([
    [1, 1],
    [4, 4],
    [5, 5],
    [6, 5],
    [9, 5],
  ])('with %i errors is told the first %i, and nothing beside them', (faults, told) => {
    const text = `{ ${repeated(faults, (i) => `f${i}`)} }`;
    const wanted = Array.from(
      { length: told },
      (_, i) => `GRAPHQL_VALIDATION_FAILED: Cannot query field "f${i}" on type "Query".`,
    );
    expect(refusals(text)).toEqual(wanted);
    expect(refusals(text, { errors: 2 })).toEqual(wanted.slice(0, 2));
  });

  it('is told when it repeats fields so often that they cannot be compared', () => {
    expect(refusals(`{ users { ${'id '.repeat(990)} } }`)).toEqual([
      'QUERY_TOO_COMPLEX: The document repeats the same fields too often.',
    ]);
  });
});

describe('Introspection switched off', () => {
  it.each(['{ __schema { description } }', '{ __type(name: "User") { name } }'])(
    'refuses %s',
    (text) => {
      expect(refusals(text, {}, false)).toEqual([
        expect.stringMatching(
          /^GRAPHQL_VALIDATION_FAILED: GraphQL introspection has been disabled/,
        ),
      ]);
    },
  );

  it('still admits __typename', () => {
    expect(refusals('{ __typename users { __typename } }', {}, false)).toEqual([]);
  });

  it('suggests no names', () => {
    expect(refusals('{ userz { id } }')[0]).toContain('Did you mean');
    expect(refusals('{ userz { id } }', {}, false)[0]).not.toContain('Did you mean');
  });
});
