import { describe, expect, it } from 'vitest';
import {
  documentOf,
  schemaOf,
  workingContracts,
} from '../../src/kit/cli/contract/contract-texts.ts';
import { parity, parityReport } from '../../src/kit/cli/contract/parity.ts';

const contracts = await workingContracts();

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

describe('npx accord parity', () => {
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
      ['Book.pages is in REST only', 'Book.pageCount is in GraphQL only'],
    ],
    [
      'a property too many',
      'openapi',
      pages,
      `${pages}        isbn: { type: string, maxLength: 13 }\n`,
      ['Book.isbn is in REST only'],
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
      ['Book.title takes 1 to 200 characters and 0 to 200 characters'],
    ],
    [
      'a missing bound in REST',
      'openapi',
      /( {4}Pages:\n.*\n.*\n) {6}format: int32\n(.*\n) {6}maximum: .*\n/,
      '$1$2',
      ['Book.pages has no maximum in REST that GraphQL’s Int can hold (2147483647)'],
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
      ['Book.pages is deprecated in GraphQL only'],
    ],
    [
      'a difference without its reason',
      'openapi',
      / {6}x-parity:\n( {8}.*\n)+/,
      '',
      ['Book.id is integer and ID', 'Book.cursor is in GraphQL only'],
    ],
    [
      'a reason without its difference',
      'openapi',
      '      x-parity:\n',
      '      x-parity:\n        title: Why not.\n',
      ['Book.title has a reason in x-parity, but no difference'],
    ],
  ] as const)('catches %s', (_, key, from, to, found) => {
    const ofBook = contradictions(key, from, to).filter((line) => line.startsWith('Book.'));
    expect(ofBook).toEqual(found);
  });
});

/** The differences of a pair of contracts that are not ours. */
function between(schemas: string, sdl: string): string[] {
  const openapi = `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: {}\ncomponents:\n  schemas:\n${schemas}`;
  const pair = { name: 'pair', openapi, sdl: `type Query { it: Int }\n${sdl}` };
  return parity(documentOf(pair), schemaOf(pair)).map(
    ({ entity, field, message }) => `${entity}.${field} ${message}`,
  );
}

/** The differences of one field. */
function field(property: string, type: string, { required = true, more = '' } = {}): string[] {
  const names = required ? '[it]' : '[]';
  const found = between(
    `    Thing: { type: object, required: ${names}, properties: { it: ${property} } }\n    Part: { type: object, required: [size], properties: { size: { type: integer, maximum: 9 } } }`,
    `type Thing { it: ${type} }\n${more}`,
  );
  return found.map((line) => line.replace('Thing.it ', ''));
}

const parts = 'scalar Date scalar DateTime scalar UUID scalar JSON scalar BigInt scalar Money';
const colours = 'enum Colour { RED LIGHT_BLUE }';
const part = 'type Part { size: Int! }';
const small = '{ type: integer, maximum: 9 }';

describe('parity of contracts that are not ours', () => {
  it.each<[string, string, string, string?]>([
    ['a list', `{ type: array, items: ${small} }`, '[Int!]!'],
    ['a list of lists', `{ type: array, items: { type: array, items: ${small} } }`, '[[Int!]!]!'],
    ['a list with null in it', "{ type: array, items: { type: [string, 'null'] } }", '[String]!'],
    ['a nullable value of 3.1', "{ type: [string, 'null'] }", 'String'],
    ['a nullable value of 3.0', '{ type: string, nullable: true }', 'String'],
    [
      'a nullable object',
      "{ anyOf: [{ $ref: '#/components/schemas/Part' }, { type: 'null' }] }",
      'Part',
      part,
    ],
    ['an object', "{ $ref: '#/components/schemas/Part' }", 'Part!', part],
    [
      'an object of another name',
      `{ type: object, properties: { size: ${small} } }`,
      'Size!',
      'type Size { size: Int! }',
    ],
    ['an enum in another order', '{ enum: [light-blue, red] }', 'Colour!', colours],
    [
      'a nullable enum',
      "{ type: [string, 'null'], enum: [red, light-blue, null] }",
      'Colour',
      colours,
    ],
    [
      'a list of an enum',
      '{ type: array, items: { enum: [red, light-blue] } }',
      '[Colour!]!',
      colours,
    ],
    ['a text id', '{ type: string }', 'ID!'],
    ['a date', '{ type: string, format: date }', 'Date!', parts],
    ['a date-time', '{ type: string, format: date-time }', 'DateTime!', parts],
    ['a time as text', '{ type: string, format: date-time }', 'String!'],
    ['a uuid', '{ type: string, format: uuid }', 'UUID!', parts],
    ['a long', '{ type: integer, format: int64 }', 'BigInt!', parts],
    ['a long as Float', '{ type: integer, format: int64 }', 'Float!'],
    ['an int', '{ type: integer, format: int32 }', 'Int!'],
    ['any JSON', '{ type: object }', 'JSON!', parts],
    ['a list as JSON', '{ type: array }', 'JSON!', parts],
    ['a scalar that nobody knows', '{ type: string, format: money }', 'Money!', parts],
    ['a value of any type', '{}', 'String!'],
    [
      'alternatives',
      "{ oneOf: [{ $ref: '#/components/schemas/Part' }, { type: string }] }",
      'Either!',
      `${part} type Other { id: ID! } union Either = Part | Other`,
    ],
  ])('takes %s for the same', (_, property, type, more) => {
    const required = true;
    expect(field(property, type, more === undefined ? { required } : { required, more })).toEqual(
      [],
    );
  });

  it.each<[string, string, string, string[], string?]>([
    ['a list against one', '{ type: array, items: {} }', 'String!', ['is a list and String']],
    ['one against a list', '{ type: string }', '[String!]!', ['is string and a list']],
    [
      'items of other types',
      '{ type: array, items: { type: string } }',
      '[Boolean!]!',
      ['has items: each is string and Boolean'],
    ],
    [
      'items that may be null',
      "{ type: array, items: { type: [string, 'null'] } }",
      '[String!]!',
      ['has items that may be null and are non-null'],
    ],
    [
      'items that are never null',
      '{ type: array, items: { type: string } }',
      '[String]!',
      ['has items that are never null and nullable'],
    ],
    ['null', "{ type: [string, 'null'] }", 'String!', ['may be absent and is non-null']],
    [
      'null of 3.0',
      '{ type: string, nullable: true }',
      'String!',
      ['may be absent and is non-null'],
    ],
    [
      'other values in a list',
      '{ type: array, items: { enum: [red] } }',
      '[Colour!]!',
      ['has items: each has other values: red and RED, LIGHT_BLUE'],
      colours,
    ],
    [
      'another format',
      '{ type: string, format: date }',
      'DateTime!',
      ['is date and DateTime'],
      parts,
    ],
    ['a number for a uuid', `{ type: integer }`, 'UUID!', ['is integer and UUID'], parts],
    ['two types', '{ type: [string, integer] }', 'String!', ['is string or integer and String']],
    [
      'members of a part',
      '{ type: object, properties: { size: { type: string } } }',
      'Size!',
      ['has size, which is string and Int'],
      'type Size { size: Int! }',
    ],
    ['an object against text', '{ type: string }', 'Part!', ['is string and Part'], part],
  ])('catches %s', (_, property, type, found, more = '') => {
    expect(field(property, type, { more })).toEqual(found);
  });

  const relation = (rest: string, graphql: string) =>
    between(
      `    Book: { type: object, required: [id], properties: { id: { type: string } } }
    Review:
      type: object
      required: [id, bookId, tagIds]
      properties: { id: { type: string }, ${rest} }`,
      `type Book { id: ID!, reviews: [Review!]!, tags(first: Int): TagPage! }
       type Tag { id: ID!, name: String! } type TagPage { nodes: [Tag!]! }
       type Review { id: ID!, ${graphql} }`,
    );

  it('takes a field for the same as the id of what it leads to', () => {
    const ids = 'tagIds: { type: array, items: { type: integer } }';
    expect(relation(`bookId: { type: integer }, ${ids}`, 'book: Book!, tags: [Tag!]!')).toEqual([]);
    expect(relation(`bookId: { type: integer }, ${ids}`, 'book: Book, tags: [Tag!]!')).toEqual([]);
    expect(relation('book_id: { type: integer }', 'book: Book')).toEqual([]);
    expect(relation("bookId: { type: [integer, 'null'] }", 'book: Book')).toEqual([]);
    expect(relation("bookId: { type: [integer, 'null'] }", 'book: Book!')).toEqual([
      'Review.bookId may be absent and book is non-null',
    ]);
    expect(relation('bookId: { type: integer }', 'author: String')).toEqual([
      'Review.bookId is in REST only',
      'Review.author is in GraphQL only',
    ]);
  });

  it('leaves out what only requests have, and puts together what allOf says', () => {
    const schemas = `    Base: { type: object, required: [id], properties: { id: { type: string } } }
    Thing:
      allOf:
        - { $ref: '#/components/schemas/Base' }
        - { required: [name], properties: { name: { type: string }, password: { type: string, writeOnly: true } } }`;
    expect(between(schemas, 'type Thing { id: ID!, name: String! }')).toEqual([]);
    expect(between(schemas, 'type Thing { id: ID!, name: String }')).toEqual([
      'Thing.name is always there and nullable',
    ]);
  });

  it('compares bounds on arguments and input fields of every type, where the SDL has them', () => {
    const properties = `{ size: { type: integer, minimum: 1, maximum: 9 }, weight: { type: number, maximum: 5 }, tags: { type: array, maxItems: 3, items: { type: string } }, mail: { type: string, format: email, maxLength: 50 }, rank: { type: integer, exclusiveMinimum: 0, maximum: 9 } }`;
    const schemas = `    Thing: { type: object, required: [size, weight, tags, mail, rank], properties: ${properties} }`;
    const thing =
      'type Thing { size: Int!, weight: Float!, tags: [String!]!, mail: String!, rank: Int! }';
    const directive = `directive @bounds(minLength: Int, maxLength: Int, minimum: Float, maximum: Float, minItems: Int, maxItems: Int, format: Format) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
      enum Format { EMAIL }`;
    const input = (bounds: string[]) => {
      const [size, weight, tags, mail, rank] = bounds;
      return `${thing} ${directive}
        input NewThing { size: Int! ${size}, weight: Float! ${weight}, tags: [String!]! ${tags}, mail: String! ${mail}, rank: Int! ${rank} }
        type Made { thing: Thing! } type Mutation { make(input: NewThing!): Made! }`;
    };
    const same = [
      '@bounds(minimum: 1, maximum: 9)',
      '@bounds(maximum: 5)',
      '@bounds(maxItems: 3)',
      '@bounds(maxLength: 50, format: EMAIL)',
      '@bounds(minimum: 1, maximum: 9)',
    ];
    expect(between(schemas, input(same))).toEqual([]);
    expect(
      between(schemas, input(['', '@bounds(maximum: 6)', '', '@bounds(maxLength: 50)', ''])),
    ).toEqual([
      'Thing.size takes 1 to 9 and any number',
      'Thing.weight takes any to 5 and any to 6',
      'Thing.tags takes 0 to 3 items and any list',
      'Thing.mail takes e-mail addresses and any text',
      'Thing.rank takes 1 to 9 and any number',
    ]);
    const without = `${thing} type Mutation { make(size: Int!, tags: [String!]!): Thing! }`;
    expect(between(schemas, without)).toEqual([]);
  });

  it('says where there is one contract alone', () => {
    const [document, schema] = [documentOf(contracts), schemaOf(contracts)];
    expect(parity(document, undefined)).toEqual([]);
    expect(parityReport(document, undefined)).toEqual({
      text: 'There is an OpenAPI description alone: nothing to compare.\n',
      isGood: true,
    });
    expect(parityReport(undefined, schema).text).toContain('an SDL alone');
    expect(parityReport(document, schema)).toMatchObject({ isGood: true });
  });
});
