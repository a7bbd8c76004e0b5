import { describe, expect, it } from 'vitest';
import { documentOf, schemaOf, workingContracts } from '../../tools/contract/contracts.ts';
import { parity } from '../../tools/contract/parity.ts';

const contracts = workingContracts();

function contradictions(key: 'openapi' | 'sdl', from: string | RegExp, to: string): string[] {
  const changed = { ...contracts, [key]: contracts[key].replace(from, to) };
  expect(changed[key]).not.toBe(contracts[key]);
  return parity(documentOf(changed), schemaOf(changed))
    .filter(({ reason }) => !reason)
    .map(({ entity, field, message }) => `${entity}.${field} ${message}`);
}

const createBook = 'type Mutation {\n  createBook(title: String!): Book!';
const otherBounds = 'type Mutation {\n  createBook(title: String! @bounds(maxLength: 200)): Book!';
const pages = '        pages: { $ref: "#/components/schemas/Pages" }\n';

describe('npm run contract -- parity', () => {
  it('finds no difference without a reason in the contracts as they are', () => {
    const found = parity(documentOf(contracts), schemaOf(contracts));
    expect(found.filter(({ reason }) => !reason)).toEqual([]);
  });

  it.each([
    [
      'a renamed field',
      'sdl',
      '  pages: Int!',
      '  pageCount: Int!',
      ['Book.pages is in openapi.yaml only', 'Book.pageCount is in schema.graphql only'],
    ],
    [
      'a property too many',
      'openapi',
      pages,
      `${pages}        isbn: { type: string, maxLength: 13 }\n`,
      ['Book.isbn is in openapi.yaml only'],
    ],
    [
      'a nullable field',
      'sdl',
      '  pages: Int!',
      '  pages: Int',
      ['Book.pages is always there and nullable'],
    ],
    [
      'an optional property',
      'openapi',
      'required: [id, title, pages]',
      'required: [id, title]',
      ['Book.pages may be absent and is non-null'],
    ],
    [
      'a number against text',
      'sdl',
      '  pages: Int!',
      '  pages: String!',
      ['Book.pages is integer and String'],
    ],
    [
      'a missing bound in GraphQL',
      'sdl',
      'type Mutation {',
      createBook,
      ['Book.title takes 1 to 200 characters and any text'],
    ],
    [
      'another bound in GraphQL',
      'sdl',
      'type Mutation {',
      otherBounds,
      ['Book.title takes 1 to 200 characters and @bounds(maxLength: 200)'],
    ],
    [
      'a missing bound in REST',
      'openapi',
      /( {4}Pages:\n[\s\S]*?) {6}maximum: .*\n/,
      '$1',
      ['Book.pages has no upper bound that GraphQL’s Int can carry'],
    ],
    [
      'values against any text',
      'openapi',
      '        title: { $ref: "#/components/schemas/Title" }\n        pages',
      '        title: { type: string, enum: [A, B] }\n        pages',
      ['Book.title is one of A, B and any String'],
    ],
    [
      'other values',
      'sdl',
      '  pages: Int!',
      '  pages: TextFormat!',
      ['Book.pages has other values:  and EMAIL'],
    ],
    [
      'a deprecation on one side',
      'sdl',
      '  pages: Int!',
      '  pages: Int! @deprecated(reason: "Count them.")',
      ['Book.pages is deprecated in schema.graphql only'],
    ],
    [
      'a difference without its reason',
      'openapi',
      / {6}x-parity:\n( {8}.*\n)+/,
      '',
      ['Book.id is integer and ID', 'Book.cursor is in schema.graphql only'],
    ],
    [
      'a reason without its difference',
      'openapi',
      '      x-parity:\n',
      '      x-parity:\n        title: Why not.\n',
      ['Book.title has a reason in x-parity, but no difference'],
    ],
  ] as const)('catches %s', (_, key, from, to, found) => {
    expect(contradictions(key, from, to)).toEqual(found);
  });
});
