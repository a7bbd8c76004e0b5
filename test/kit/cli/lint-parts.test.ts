// engines: sqlite
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { boundsOf } from '../../../src/kit/cli/contract/argument-bounds.ts';
import { documentOf } from '../../../src/kit/cli/contract/contract-texts.ts';
import { createPatternCheck } from '../../../src/kit/cli/contract/linear-pattern.ts';

it('an argument takes what its @bounds says', () => {
  const schema =
    buildSchema(`directive @bounds(minLength: Int, maxLength: Int, format: String) on ARGUMENT_DEFINITION
directive @other(minLength: Int) on ARGUMENT_DEFINITION
type Query { it(a: String @other(minLength: 9), b: String @other(minLength: 9) @bounds(minLength: 1, maxLength: 3, format: "x"), c: String @bounds): Int }`);
  const { args = [] } = Object(schema.getQueryType()?.getFields().it);
  const none = { minLength: 0, maxLength: Infinity, format: undefined };
  expect(args.map(boundsOf)).toEqual([
    { ...none, text: '' },
    {
      ...{ minLength: 1, maxLength: 3, format: 'x' },
      text: '@bounds(minLength: 1, maxLength: 3, format: "x")',
    },
    { ...none, text: '@bounds' },
  ]);
});

describe('a pattern', () => {
  const check = createPatternCheck();

  it.each([
    ['^a+$', undefined, undefined],
    // Without the flag it is a text of those characters.
    ['^\\p{L}*\\p{L}*$', 'u', / may take .* time; an attack text is /],
    ['^\\p{L}*\\p{L}*$', '', undefined],
    ['^(?=a)a*$', undefined, /^the pattern \^\(\?=a\)a\*\$ is not shown .* \(unsupported: \S.*\)$/],
  ])('%s with the flags %s is judged by what it can cost', (source, flags, message) => {
    const judged = [check(source, flags), check(source, flags)];
    expect(judged[1]).toBe(judged[0]);
    if (message) expect(judged[0]).toMatch(message);
    else expect(judged[0]).toBe(undefined);
  });
});

it.each([
  ['openapi: 3.1.0\npaths: 7\n', 'openapi.yaml:2:'],
  [
    "openapi: 3.1.0\npaths: {}\ncomponents: { schemas: { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } } }\n",
    'openapi.yaml:3:',
  ],
])('a description that cannot be compared is refused: %j', (openapi, place) => {
  expect(() => documentOf({ name: 'it', openapi, sdl: '' })).toThrow(place);
});

it('a description may be changed without another one that is read of the same text', () => {
  const contracts = { name: 'it', openapi: 'openapi: 3.1.0\n', sdl: '' };
  const document = documentOf(contracts);
  expect(document?.paths).toEqual({});
  Object.assign(Object(document).paths, { '/a': {} });
  expect(documentOf(contracts)?.paths).toEqual({});
});
