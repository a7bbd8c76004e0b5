// engines: sqlite
import { describe, expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../../src/kit/cli/contract/contract-texts.ts';
import { parity, parityReport } from '../../../src/kit/cli/contract/parity.ts';

const part =
  '{ type: object, required: [size], properties: { size: { type: integer, maximum: 9 } } }';

function pairOf(schemas: string, sdl: string) {
  const openapi = `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: {}\ncomponents:\n  schemas:\n${schemas}`;
  const pair = { name: 'pair', openapi, sdl: `type Query { it: Int }\n${sdl}` };
  return [documentOf(pair), schemaOf(pair)] as const;
}

/** Each property against each type, as fields of one record. */
function matrix(properties: readonly string[], types: readonly string[], more: string): string {
  const cells = properties.flatMap((property, i) =>
    types.map((type, j) => ({ name: `p${i}t${j}`, property, type })),
  );
  const members = cells.map(({ name, property }) => `        ${name}: ${property}\n`);
  const names = cells.map(({ name }) => name).join(', ');
  const fields = cells.map(({ name, type }) => `${name}: ${type}`).join('\n');
  const found = parity(
    ...pairOf(
      `    Part: ${part}\n    Thing:\n      type: object\n      required: [${names}]\n      properties:\n${members.join('')}`,
      `type Thing { ${fields} }\ntype Part { size: Int! }\n${more}`,
    ),
  );
  const said = Map.groupBy(found, ({ field }) => field);
  return properties
    .map((property, i) => {
      const rows = types.map((type, j) => {
        const all = said.get(`p${i}t${j}`) ?? [];
        return [type, all.map(({ message }) => message).join('; ')] as const;
      });
      const same = rows.filter(([, text]) => text === '').map(([type]) => type);
      const others = rows.filter(([, text]) => text !== '');
      return `${property}\n  same: ${same.join(', ')}\n${others.map(([type, text]) => `  ${type}: ${text}\n`).join('')}`;
    })
    .join('\n');
}

const formats = ['date', 'date-time', 'time', 'duration', 'uuid', 'email', 'uri', 'int64', 'other'];
const scalars = [
  ...['Date', 'LocalDate', 'DateOnly', 'DateTime', 'Date_Time', 'LocalDateTime', 'Timestamp'],
  ...['ZonedDateTime', 'OffsetDateTime', 'Instant', 'ISO8601DateTime', 'Time', 'LocalTime'],
  ...['Duration', 'ISO8601Duration', 'UUID', 'GUID', 'Email', 'EmailAddress', 'URI', 'URL', 'Link'],
  ...['BigInt', 'Big_Int', 'Long', 'Int64', 'SafeInt', 'Any'],
];

describe('accord parity says of each schema and each type', () => {
  it('whether they are the same', async () => {
    const properties = [
      ...['{ type: string }', "{ type: [string, 'null'] }", '{ type: string, nullable: true }'],
      ...[
        '{ type: integer }',
        '{ type: integer, format: int32 }',
        '{ type: integer, format: int64 }',
      ],
      ...['{ type: integer, maximum: 2147483647 }', '{ type: integer, maximum: 2147483648 }'],
      ...['{ type: integer, format: int32, maximum: 2147483648 }', '{ type: number }'],
      ...['{ type: boolean }', '{ type: object }', '{}', '{ type: [string, integer] }'],
      ...['{ properties: { size: { type: integer, maximum: 9 } } }', '{ items: { type: string } }'],
      ...['{ type: object, properties: { size: { type: string } } }'],
      ...['{ type: object, properties: { size: { type: integer, maximum: 9 }, more: {} } }'],
      ...['{ type: object, properties: { other: {} } }'],
      ...[
        '{ type: array, items: { type: string } }',
        "{ type: array, items: { type: [string, 'null'] } }",
      ],
      ...['{ type: array }', '{ type: array, items: { enum: [a] } }'],
      ...['{ enum: [a, light-blue] }', '{ type: string, enum: [light blue, A] }', '{ enum: [a] }'],
      ...['{ enum: [a, light-blue, null] }', '{ const: a }', '{ const: null }', '{ enum: [1, 2] }'],
      ...[
        "{ $ref: '#/components/schemas/Part' }",
        "{ allOf: [{ $ref: '#/components/schemas/Part' }] }",
      ],
      ...["{ anyOf: [{ $ref: '#/components/schemas/Part' }, { type: 'null' }] }"],
      ...['{ oneOf: [{ type: string }, { type: integer }] }', '{ oneOf: [{ type: string }] }'],
      ...[
        '{ allOf: [{ type: string }, { maxLength: 3 }] }',
        "{ $ref: '#/components/schemas/None' }",
      ],
      ...['{ type: string, deprecated: true }'],
    ];
    const types = [
      ...['String!', 'String', 'ID!', 'Int!', 'Float!', 'Boolean!', '[String!]!', '[String]!'],
      ...[
        '[Kind!]!',
        'Kind!',
        'Kind',
        'One!',
        'Part!',
        'Part',
        'Size!',
        'Either!',
        'Named!',
        'Any!',
      ],
      'String! @deprecated',
    ];
    const more =
      'enum Kind { A LIGHT_BLUE } enum One { A } type Size { size: Int! } type Other implements Named { name: String! } union Either = Part | Other interface Named { name: String! } scalar Any';
    await expect(matrix(properties, types, more)).toMatchFileSnapshot('expected/parity-types.txt');
  });

  it('whether the scalars of an SDL are those of a format', async () => {
    const properties = [
      ...formats.map((format) => `{ type: string, format: ${format} }`),
      ...['{ type: string }', '{ type: integer }', '{ type: number, format: double }'],
      ...['{ type: boolean }', '{ type: object }', '{}'],
    ];
    const more = scalars.map((name) => `scalar ${name}`).join('\n');
    await expect(
      matrix(
        properties,
        scalars.map((name) => `${name}!`),
        more,
      ),
    ).toMatchFileSnapshot('expected/parity-scalars.txt');
  });

  it('whether they take the same', async () => {
    const rest = [
      ...[
        '{ type: string }',
        '{ type: string, minLength: 0 }',
        '{ type: string, minLength: 1, maxLength: 9 }',
      ],
      ...[
        '{ type: string, maxLength: 9 }',
        '{ type: string, format: email }',
        '{ type: string, format: uri }',
      ],
      ...[
        '{ type: integer, maximum: 9 }',
        '{ type: integer, minimum: 0, maximum: 9 }',
        '{ type: number }',
      ],
      ...[
        '{ type: number, minimum: 0 }',
        '{ type: integer, exclusiveMinimum: 0, exclusiveMaximum: 10 }',
      ],
      ...['{ type: number, exclusiveMinimum: 0 }', '{ type: number, exclusiveMaximum: 9 }'],
      ...['{ type: array, items: {} }', '{ type: array, maxItems: 9, items: {} }'],
      ...['{ type: array, minItems: 1, items: {} }'],
    ];
    const bounds = [
      ...[
        '',
        '@bounds(minLength: 1, maxLength: 9)',
        '@bounds(maxLength: 9)',
        '@bounds(format: EMAIL)',
      ],
      ...[
        '@bounds(minimum: 0)',
        '@bounds(maximum: 9)',
        '@bounds(minimum: 1, maximum: 9)',
        '@bounds(minimum: 0, maximum: 9)',
      ],
      ...['@bounds(maxItems: 9)', '@bounds(minItems: 1)'],
    ];
    const typeOf = (schema: string) =>
      schema.includes('array')
        ? '[Any]!'
        : schema.includes('string')
          ? 'String!'
          : schema.includes('integer')
            ? 'Int!'
            : 'Float!';
    const fits = (schema: string, text: string) =>
      text === '' ||
      (schema.includes('array')
        ? /Items/
        : schema.includes('string')
          ? /Length|format/
          : /imum/
      ).test(text);
    const rows = rest.flatMap((schema, i) =>
      bounds
        .filter((text) => fits(schema, text))
        .map((text, j) => ({ name: `f${i}x${j}`, schema, text })),
    );
    const inputs = rows.map(({ name, schema, text }) => `${name}: ${typeOf(schema)} ${text}`);
    const found = parity(
      ...pairOf(
        `    Thing:\n      type: object\n      required: [${rows.map(({ name }) => name)}]\n      properties:\n${rows.map(({ name, schema }) => `        ${name}: ${schema}\n`).join('')}`,
        `directive @bounds(minLength: Int, maxLength: Int, minimum: Float, maximum: Float, minItems: Int, maxItems: Int, format: Format) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
enum Format { EMAIL } scalar Any
type Thing { ${rows.map(({ name, schema }) => `${name}: ${typeOf(schema)}`).join('\n')} }
input In { ${inputs.join('\n')} }
type Mutation { make(in: In!): Thing! }`,
      ),
    );
    const said = Map.groupBy(found, ({ field }) => field);
    const lines = rows.map(({ name, schema, text }) => {
      const all = (said.get(name) ?? []).map(({ message }) => message);
      return `${schema} | ${text} | ${all.join('; ') || 'same'}\n`;
    });
    await expect(lines.join('')).toMatchFileSnapshot('expected/parity-bounds.txt');
  });

  it('which mutations give a record, and what they take', () => {
    const thing =
      'Thing: { type: object, required: [name], properties: { name: { type: string, maxLength: 9 } } }';
    const of = (sdl: string) =>
      parity(
        ...pairOf(
          `    ${thing}\n`,
          `directive @bounds(minLength: Int, maxLength: Int) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION\ntype Thing { name: String! }\n${sdl}`,
        ),
      ).map(({ message }) => message);
    const wrong = ['takes 0 to 9 characters and any text'];
    expect(of('type Mutation { make(name: String!): Thing! }')).toEqual(wrong);
    expect(of('type Mutation { make(other: String!): Thing! }')).toEqual([]);
    expect(of('type Mutation { make(name: String!): [Thing!] }')).toEqual(wrong);
    expect(of('type Made { thing: Thing } type Mutation { make(name: String!): Made! }')).toEqual(
      wrong,
    );
    expect(of('type Mutation { make(name: String!): Int }')).toEqual([]);
    expect(of('type Made { id: ID } type Mutation { make(name: String!): Made! }')).toEqual([]);
    expect(of('input In { name: String! } type Mutation { make(in: [In!]): Thing }')).toEqual(
      wrong,
    );
    expect(of('input In { other: Int } type Mutation { make(in: In): Thing }')).toEqual([]);
    expect(of('input In { other: Int } type Mutation { make(name: In): Thing }')).toEqual([]);
  });

  it.each([
    ['minLength: Int, maxLength: Int', ['takes 0 to 9 characters and any text']],
    ['maxLength: Int', []],
    ['minLength: Int', []],
    ['format: Format', ['takes e-mail addresses and any text']],
    ['minimum: Float, maximum: Float', []],
  ])('that they take the same where @bounds(%s) cannot tell', (args, found) => {
    const name = 'name: { type: string, maxLength: 9, format: email }';
    const all = parity(
      ...pairOf(
        `    Thing: { type: object, required: [name], properties: { ${name} } }\n`,
        `enum Format { EMAIL } directive @bounds(${args}) on ARGUMENT_DEFINITION
type Thing { name: String! } type Mutation { make(name: String!): Thing! }`,
      ),
    );
    expect(all.map(({ message }) => message)).toEqual(found);
  });

  it.each([
    ['ship: Ship!', 'shipId: {}', ['Thing.shipId may be absent and ship is non-null']],
    ['ship: Ship', 'shipId: {}', []],
    ['ship: Ship', 'ship_id: {}', []],
    ['theShip: Ship', 'the_ship_id: {}', []],
    ['ships: [Ship]', 'shipIds: {}', []],
    ['boxes: [Ship]', 'boxIds: {}', []],
    ['cities: [Ship]', 'cityIds: {}', []],
    ['sheep: [Ship]', 'sheepIds: {}', []],
    ['ships: [Ship]', 'shipId: {}', ['Thing.shipId is in REST only']],
    ['ship: Int', 'shipId: {}', ['Thing.shipId is in REST only', 'Thing.ship is in GraphQL only']],
    ['ship: Ship, shipId: Int', 'shipId: { type: integer, maximum: 9 }', []],
    ['id: Int', 'id: {}', []],
    ['crew: Crew', 'a: {}', ['Thing.a is in REST only']],
    ['crew: Nodes', 'a: {}', ['Thing.a is in REST only']],
    ['crew: Edges', 'a: {}', ['Thing.a is in REST only']],
    ['crew: Plain', 'a: {}', ['Thing.a is in REST only', 'Thing.crew is in GraphQL only']],
    ['crew: Half', 'a: {}', ['Thing.a is in REST only', 'Thing.crew is in GraphQL only']],
  ])('whether a field leads to another record: %s and %s', (field, property, found) => {
    const more =
      'type Ship { id: ID! } type Crew { id: ID } type Nodes { nodes: [Int] } type Edges { edges: [Int!]! } type Plain { size: Int } type Half { nodes: Int }';
    const all = parity(
      ...pairOf(
        `    Thing: { type: object, properties: { ${property} } }\n`,
        `type Thing { ${field} }\n${more}`,
      ),
    );
    expect(all.map(({ entity, field, message }) => `${entity}.${field} ${message}`)).toEqual(found);
  });
});

it('accord parity tells what is meant from what is not', () => {
  const schemas = `    Base: { type: object, x-parity: { a: It is old. }, properties: { a: { type: string } } }
    Thing: { allOf: [{ $ref: '#/components/schemas/Base' }], x-parity: { stale: No. }, properties: { b: {}, stale: {} } }
`;
  const sdl = 'type Thing { a: Int, stale: Int }';
  const [document, schema] = pairOf(schemas, sdl);
  expect(parityReport(document, schema)).toEqual({
    isGood: false,
    text: `Thing.b is in REST only
  CONTRADICTION
Thing.a is string and Int
  meant: It is old.
Thing.stale has a reason in x-parity, but no difference
  CONTRADICTION
3 differences, 2 without a reason
`,
  });
  const meant = parityReport(
    ...pairOf(schemas.replace('b: {}, ', '').replace('stale: No. ', ''), sdl),
  );
  expect(meant.isGood).toBe(true);
});
