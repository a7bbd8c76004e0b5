// engines: sqlite
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { withCollection } from '../../../src/kit/cli/add/openapi-draft.ts';
import { withExamples } from '../../../src/kit/cli/add/operations-draft.ts';
import { fieldOf, namesOf } from '../../../src/kit/cli/add/resource-fields.ts';
import { withType } from '../../../src/kit/cli/add/sdl-draft.ts';
import { fields, names } from '../../support/drafted-collection.ts';

const info = 'openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\n';
const collection = `${info}tags:
  - name: books
paths:
  /books:
    get:
      security: [{ key: [] }]
      parameters: [{ $ref: '#/components/parameters/Limit' }, { $ref: '#/components/parameters/Title' }, { name: after, in: query }]
      responses:
        200: { description: All., headers: { Total: { $ref: '#/components/headers/Total' }, Own: { schema: {} } } }
        400: { $ref: '#/components/responses/Refused' }
    post: { security: [{ key: [write] }], responses: { 201: { description: Made. }, 409: { description: There. } } }
  /books/{id}:
    parameters: [{ $ref: '#/components/parameters/Id' }]
    get: { responses: { 200: { description: It. } } }
    put: { responses: { 200: { description: It. } } }
    delete: { responses: { 204: { description: Gone. } } }

components:
  parameters:
    Limit: { name: limit, in: query, schema: { type: integer } }
    Title: { name: title, in: query, schema: { type: string } }
    Id: { name: id, in: path, required: true, schema: { $ref: '#/components/schemas/Id' } }
  headers: { Total: { schema: { type: integer } } }
  responses: { Refused: { description: It is refused. } }
  schemas:
    Id: { type: integer }

    Problem: { type: object }
`;

describe('a collection is drafted as written', () => {
  it.each([
    ['new', `${info}paths: {}\n`],
    [
      'secured',
      `${info}security: [{ key: [] }]\npaths:\n  /a: { get: { responses: {} } }\ncomponents: { securitySchemes: { key: { type: http, scheme: bearer } } }\n`,
    ],
    ['beside', collection],
    ['text-ids', collection.replace('Id: { type: integer }', 'Id: { type: string }')],
    ['json', JSON.stringify(parse(`${info}paths: {}\ntags: [{ name: a }]\n`), null, 2)],
  ])('in a contract: %s', async (name, text) => {
    const made = withCollection(text, parse(text), names, fields);
    await expect(made).toMatchFileSnapshot(`expected/add-openapi-${name}.txt`);
  });

  it('with words of its own', () => {
    const text = `${info}paths: {}\n`;
    const made = withCollection(text, parse(text), namesOf('apples', undefined), [
      fieldOf('a:boolean?', []),
    ]);
    expect(made).toContain('"summary":"Create an apple"');
    expect(parse(made).components.schemas.AppleInput).toEqual({
      ...{ type: 'object', additionalProperties: false },
      properties: { a: { $ref: '#/components/schemas/AppleA' } },
    });
  });

  it.each([
    ['paths: { /order-lines: {} }', '/order-lines'],
    ['paths: { "/order-lines/{id}": {} }', '/order-lines/{id}'],
    ['paths: { /a: { get: { operationId: listOrderLines } } }', 'the operation listOrderLines'],
    ['paths: { /a: { get: { operationId: deleteOrderLine } } }', 'the operation deleteOrderLine'],
    [
      'paths: {}\ncomponents: { schemas: { OrderLine: {}, OrderLineList: {} } }',
      'the schema OrderLine, the schema OrderLineList',
    ],
    [
      'paths: {}\ncomponents: { schemas: { OrderLineInput: {}, OrderLineReplacement: {} } }',
      'the schema OrderLineInput, the schema OrderLineReplacement',
    ],
    [
      'paths: { /a: { put: { operationId: replaceOrderLine }, get: { operationId: getOrderLine }, post: { operationId: createOrderLine } } }',
      'the operation createOrderLine, the operation getOrderLine, the operation replaceOrderLine',
    ],
  ])('unless there is one: %s', (text, what) => {
    expect(() => withCollection(text, parse(text), names, fields)).toThrow(
      `the OpenAPI description has ${what} already`,
    );
  });

  it.each([
    ['new', '', false],
    ['fields', 'type Query {\n  a: Int\n}\n\n# The end.\n', true],
    [
      'roots',
      'schema { query: Reads mutation: Writes }\ntype Reads { a: Int }\ntype Writes { b: Int }\n',
      true,
    ],
    ['extended', 'type Query\nextend type Query { a: Int }\n', false],
  ])('in an SDL: %s', async (name, sdl, mutations) => {
    const text = sdl === '' ? 'scalar A' : sdl;
    await expect(withType(text, names, fields, { mutations })).toMatchFileSnapshot(
      `expected/add-sdl-${name}.txt`,
    );
  });

  it.each([
    ['enum OrderLine { A }', 'the SDL has the type OrderLine already'],
    ['type Query { orderLine: Int }', 'the SDL has the field Query.orderLine already'],
    ['type Query { orderLines: Int }', 'the SDL has the field Query.orderLines already'],
    ['schema { query: Q } type Q { orderLine: Int }', 'names no type for mutations'],
  ])('unless it is there: %s', (sdl, message) => {
    expect(() => withType(sdl, names, fields, { mutations: true })).toThrow(message);
  });

  it.each(['strings', 'ints', 'floats', 'booleans', 'queries', 'mutations', 'subscriptions'])(
    'unless GraphQL has it: %s',
    (collection) => {
      const own = namesOf(collection, undefined);
      const sdl = 'schema { query: Reads }\ntype Reads { a: Int }';
      expect(() => withType(sdl, own, fields, { mutations: false })).toThrow(
        `GraphQL has the type ${own.type}: call one of the records otherwise by --singular`,
      );
    },
  );

  it('in a file of operations', async () => {
    await expect(withExamples('query A { a }\n\n\n', names, fields)).toMatchFileSnapshot(
      'expected/add-operations.txt',
    );
  });
});
