// engines: sqlite
import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { withCollection } from '../../../src/kit/cli/add/openapi-draft.ts';
import { fieldOf, namesOf } from '../../../src/kit/cli/add/resource-fields.ts';
import { withType } from '../../../src/kit/cli/add/sdl-draft.ts';
import { createSourceEdits } from '../../../src/kit/cli/add/source-edits.ts';
import { insertItem, insertMembers } from '../../../src/kit/cli/add/yaml-insert.ts';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { serveContract } from '../../support/contract-server.ts';

const root = new URL('../../../node_modules/', import.meta.url);
const given = [
  ...[
    'title:string(80)',
    'text:text?',
    'count:integer(1..5)',
    'share:number(0..1)',
    'done:boolean',
  ],
  ...['day:date', 'at:date-time?', 'key:uuid', 'kind:enum(NEW|OLD)', 'tags:string(20)[]'],
];
const fields = given.map((each) => fieldOf(each, []));
const names = namesOf('order-lines', undefined);

describe('a field is read', () => {
  it.each([
    ['stars:integer(1..5)', { kind: 'integer', least: 1, most: 5, isOptional: false }],
    ['text:string(2000)?', { kind: 'string', least: 1, most: 2000, isOptional: true }],
    ['kinds:enum(a|b)[]', { kind: 'enum', values: ['a', 'b'], isList: true }],
    ['bookId:integer', { references: 'books', least: 1 }],
    ['userId:integer', { references: undefined }],
  ])('%s', (text, expected) => {
    expect(fieldOf(text, ['books'])).toMatchObject(expected);
  });

  it.each([
    'stars',
    'stars:int',
    'stars:integer(5..1)',
    'stars:integer(a)',
    'done:boolean(3)',
    'id:integer',
    'kind:enum',
    'Name:string',
    'name:string(-1)',
    'name:string(1..2..3)',
  ])('not %s', (text) => {
    expect(() => fieldOf(text, [])).toThrow();
  });
});

describe('what is added to YAML and JSON leaves the rest as it is', () => {
  it.each([
    [
      'a: # one\n  b: 1 # two\n\n# three\nc: 2\n',
      'a: # one\n  b: 1 # two\n  x: 7\n\n# three\nc: 2\n',
    ],
    ['a:\n    b: |\n        text\n\nc: 2', 'a:\n    b: |\n        text\n    x: 7\n\nc: 2'],
    ['a: { b: 1 }\n', 'a: { b: 1, "x": 7 }\n'],
    ['{\n  "a": {\n    "b": 1\n  }\n}\n', '{\n  "a": {\n    "b": 1,\n    "x": 7\n  }\n}\n'],
    ['{ "a": {} }', '{ "a": { "x": 7} }'],
    ['c: 1\n', 'c: 1\na: { x: 7 }\n'],
  ])('%j', (text, expected) => {
    expect(insertMembers(text, ['a'], { x: 7 })).toBe(expected);
  });

  it.each([
    ['a:\n  - b: 1\n  # end\nc: 2\n', 'a:\n  - b: 1\n  - x\n  # end\nc: 2\n'],
    ['a: [b]\n', 'a: [b, "x"]\n'],
  ])('%j, a list', (text, expected) => {
    expect(insertItem(text, ['a'], 'x')).toBe(expected);
  });
});

describe('a collection is drafted', () => {
  const contracts = [
    '@scalar/galaxy/dist/latest.yaml',
    '@scalar/galaxy/dist/latest.json',
    '@readme/oas-examples/3.0/yaml/petstore.yaml',
    '@readme/oas-examples/3.0/json/petstore.json',
    '@readme/oas-examples/3.1/yaml/train-travel.yaml',
  ];

  it.each(contracts)('in %s', async (file) => {
    const text = readFileSync(new URL(file, root), 'utf8');
    const options = { lenient: true };
    const { document } = await parseContract(text, 'openapi.yaml', options);
    const made = withCollection(text, document, names, fields);
    expect(isKept(text, made)).toBe(true);
    const contract = await parseContract(made, 'openapi.yaml', options);
    const ids = contract.operations.map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining([
        'listOrderLines',
        'createOrderLine',
        'getOrderLine',
        'replaceOrderLine',
        'deleteOrderLine',
      ]),
    );
    expect(ids.length).toBe(Object(await parseContract(text, 'x', options)).operations.length + 5);
    expect(() => withCollection(made, contract.document, names, fields)).toThrow('already');
    const { components } = parse(made);
    const validate = contract.schemas({ $ref: '#/components/schemas/OrderLine' });
    expect(validate(components.examples.OrderLine.value)).toBe(true);
    const mock = await serveContract(made, {}, { mocks: true, lenient: true });
    const send = (body: unknown) =>
      fetch(`${mock.url}/order-lines`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer abc' },
        body: JSON.stringify(body),
      });
    expect((await send(components.examples.OrderLineInput.value)).status).toBe(201);
    expect((await send({ ...components.examples.OrderLineInput.value, count: 6 })).status).toBe(
      400,
    );
    await mock.stop();
  });

  it('in an SDL, with its mutations where it is mocked', () => {
    const sdl = '# first\ntype Query {\n  a: Int # last\n}\n';
    const made = withType(sdl, names, fields, { mutations: true });
    const schema = buildSchema(made);
    expect(made.startsWith('# first\ntype Query {\n  a: Int')).toBe(true);
    expect(String(schema.getQueryType()?.getFields().orderLine?.type)).toBe('OrderLine');
    expect(Object.keys(schema.getMutationType()?.getFields() ?? {})).toEqual([
      'createOrderLine',
      'replaceOrderLine',
      'deleteOrderLine',
    ]);
    expect(String(schema.getType('OrderLineKind'))).toBe('OrderLineKind');
    expect(() => withType(made, names, fields, { mutations: true })).toThrow('already');
  });

  it('in sources, which say what is missing', () => {
    const edits = createSourceEdits(ts, names, fields);
    const tables = 'export const tables = {\n  a: collection<A>({ b: "text" }),\n};\n';
    const made = edits.tables('tables.ts', tables);
    expect(made).toContain("    tags: 'json',\n  }),\n};\n");
    expect(made).toContain(
      "  orderLines: collection<OrderLine>({\n    title: 'text',\n    text: 'long text?',",
    );
    expect(() => edits.tables('tables.ts', made)).toThrow('tables.ts has orderLines already');
    expect(() => edits.handlers('handlers.ts', 'export const x = 1;')).toThrow(
      'handlers.ts has no call of `collectionHandlers` to follow',
    );
  });
});

/** Whether every line of a text is in another, in the same order; of JSON a comma may be new. */
function isKept(text: string, made: string): boolean {
  const lines = made.split('\n');
  let at = 0;
  return text.split('\n').every((line) => {
    at = lines.findIndex((each, i) => i >= at && (each === line || each === `${line},`)) + 1;
    return at > 0;
  });
}
