import { describe, expect, it } from 'vitest';
import { toDialect } from '../../../src/kit/contract/dialect.ts';

const old = { type: 'string', nullable: true };
const now = { type: ['string', 'null'] };
const info = { title: 'T', version: '1' };

/** One part under each of the names that mean something elsewhere in OpenAPI. */
const named = (part: unknown) => ({
  ...{ a: part, schema: part, schemas: part, example: part, examples: part, 'x-a': part },
});

/** A document with a schema in every place that has one; what looks like one in data stays as it is. */
function everywhere(schema: object): object {
  const data = { schema: old, schemas: { a: old } };
  const header = { schema, example: data };
  const headers = named(header);
  const media = { schema, itemSchema: schema, example: data, examples: data, 'x-a': data };
  const content = named({ ...media, encoding: named({ headers }) });
  const links = named({ $ref: '#/components/links/b', parameters: named(1) });
  const response = { headers, content, links };
  const parameter = { name: 'a', in: 'query', ...header, content };
  const operation = {
    parameters: [parameter],
    requestBody: { content },
    responses: named(response),
  };
  const callbacks = named({ '{$url}': { post: operation } });
  const item = { parameters: [parameter], get: { ...operation, callbacks } };
  return {
    info,
    'x-a': data,
    paths: { '/a': item, 'x-a': data },
    webhooks: named(item),
    components: {
      schemas: { ...named(schema), 'x-a': schema },
      parameters: named(parameter),
      headers,
      responses: named(response),
      requestBodies: named({ content }),
      securitySchemes: named({ $ref: '#/components/securitySchemes/b' }),
      examples: named({ value: data }),
      pathItems: named(item),
      callbacks,
      links,
      'x-a': data,
    },
  };
}

it('every schema of OpenAPI 3.0 is brought to 3.1, whatever the parts around it are called', () => {
  const found = toDialect({ openapi: '3.0.3', ...everywhere(old) });
  expect(found).toEqual({ openapi: '3.1.0', ...everywhere(now) });
});

it.each([
  ['3.0.4', '3.1.0'],
  ['3.1.0', '3.1.0'],
  ['3.1.2', '3.1.2'],
  ['3.2.0', '3.1.0'],
])('a document of %s is one of %s', (openapi, version) => {
  expect(toDialect({ openapi, info, paths: {} }).openapi).toBe(version);
});

it('what needs no change is shared with the document as it is written', () => {
  const kept = { properties: { a: { items: [now, { allOf: [now] }] } }, prefixItems: [now] };
  const paths = { '/a': { get: { parameters: [{ schema: kept }] } } };
  const written = {
    openapi: '3.1.0',
    info,
    paths,
    components: { schemas: { kept, other: { $id: 1 } } },
  };
  const found = toDialect(written);
  for (const key of ['info', 'paths', 'components'] as const) expect(found[key]).toBe(written[key]);
  const changed = { allOf: [now], pattern: '\\-' };
  const schemas = { kept, changed };
  const { components } = toDialect({ ...written, components: { schemas } });
  expect(Object(components).schemas.kept).toBe(kept);
  expect(Object(components).schemas.changed).toEqual({ allOf: [now], pattern: '-' });
  expect(Object(components).schemas.changed.allOf).toBe(changed.allOf);
  expect(changed.pattern).toBe('\\-');
});

/** A schema of a version, as a component, in the dialect. */
function schemaOf(schema: unknown, openapi = '3.1.0', more: object = {}): unknown {
  const document = toDialect({
    openapi,
    info,
    paths: {},
    components: { schemas: { A: schema } },
    ...more,
  });
  return Object(document.components).schemas.A;
}

describe('a schema is changed within', () => {
  it.each([
    ...['items', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
    ...['propertyNames', 'not', 'if', 'then', 'else', 'additionalItems'],
  ])('%s', (key) => {
    expect(schemaOf({ [key]: old }, '3.0.3')).toEqual({ [key]: now });
    expect(schemaOf({ [key]: false }, '3.0.3')).toEqual({ [key]: false });
  });

  it.each(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'])('each of %s', (key) => {
    expect(schemaOf({ [key]: [true, old] }, '3.0.3')).toEqual({ [key]: [true, now] });
  });

  it.each(['properties', 'patternProperties', 'dependentSchemas', '$defs'])('each of %s', (key) => {
    const all = (schema: unknown) => ({ [key]: { a: true, b: schema, properties: schema } });
    expect(schemaOf(all(old), '3.0.3')).toEqual(all(now));
    // Nothing at all stands for no members.
    expect(schemaOf({ [key]: null })).toEqual({ [key]: {} });
    expect(schemaOf({ [key]: 1 })).toEqual({ [key]: 1 });
  });

  it.each(['example', 'examples', 'default', 'const', 'enum', 'x-a', 'contentSchema'])(
    '%s not at all',
    (key) => {
      expect(schemaOf({ [key]: old }, '3.0.3')).toEqual({ [key]: old });
    },
  );
});

describe('OpenAPI 3.0:', () => {
  it.each<[written: object, expected: object]>([
    [{ nullable: true }, {}],
    [{ type: 'string', nullable: false }, { type: 'string' }],
    [
      { type: 'string', nullable: true, enum: ['a'] },
      { ...now, enum: ['a', null] },
    ],
    [{ nullable: true, enum: ['a', null] }, { enum: ['a', null] }],
    ...['allOf', 'anyOf', 'oneOf', 'not'].map((key): [object, object] => {
      const composed = { type: 'object', [key]: [{ type: 'object' }] };
      return [{ ...composed, nullable: true }, { anyOf: [composed, { type: 'null' }] }];
    }),
    [{ minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
    [{ maximum: 1, exclusiveMaximum: true }, { exclusiveMaximum: 1 }],
    [
      { minimum: 0, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: false },
      { exclusiveMinimum: 0, maximum: 2 },
    ],
    [{ exclusiveMinimum: true }, {}],
    [{ exclusiveMaximum: 5 }, { exclusiveMaximum: 5 }],
    [{ $ref: '#/components/schemas/A', maxLength: 1 }, { $ref: '#/components/schemas/A' }],
    [{ $ref: '#/components/schemas/A', nullable: true }, { $ref: '#/components/schemas/A' }],
    [
      { items: [{}], additionalItems: false },
      { items: [{}], additionalItems: false },
    ],
  ])('%j is %j', (written, expected) => {
    expect(schemaOf(written, '3.0.3')).toEqual(expected);
  });
});

describe('a draft of JSON Schema, named by the document or a schema:', () => {
  const bound = { minimum: 1, exclusiveMinimum: true };
  const tuple = { items: [{ type: 'string' }], additionalItems: false };
  const pair = { prefixItems: [{ type: 'string' }], items: false };
  const beside = { $ref: '#/components/schemas/A', maxLength: 1 };
  const { $ref } = beside;

  it.each([
    ['draft-04', { exclusiveMinimum: 1 }, pair, { $ref }],
    ['draft-05', { exclusiveMinimum: 1 }, pair, { $ref }],
    ['draft-06', bound, pair, beside],
    ['draft-07', bound, pair, beside],
    ['draft/2019-09', bound, tuple, beside],
    ['draft/2020-12', bound, tuple, beside],
  ])('%s', (draft, ...expected) => {
    const $schema = `http://json-schema.org/${draft}/schema#`;
    for (const [i, schema] of [bound, tuple, beside].entries()) {
      const { [i]: want } = expected;
      expect(schemaOf(schema, '3.1.0', { jsonSchemaDialect: $schema })).toEqual(want);
      expect(schemaOf({ $schema, ...schema })).toEqual(want);
      // It holds within the schema, and its version is not that of the others.
      expect(schemaOf({ properties: { a: { $schema, not: schema } }, not: schema })).toEqual({
        properties: { a: { not: want } },
        not: schema,
      });
    }
  });

  it('a tuple without more is of any length', () => {
    const jsonSchemaDialect = 'http://json-schema.org/draft-07/schema#';
    expect(schemaOf({ items: [{}] }, '3.1.0', { jsonSchemaDialect })).toEqual({
      prefixItems: [{}],
    });
    expect(schemaOf({ items: {} }, '3.1.0', { jsonSchemaDialect })).toEqual({ items: {} });
  });

  it.each([
    [{ dependencies: { a: ['b'] } }, { dependentRequired: { a: ['b'] } }],
    [{ dependencies: { a: {} } }, { dependentSchemas: { a: {} } }],
    [
      {
        dependencies: { a: ['b'], c: { $ref } },
        dependentRequired: { d: [] },
        dependentSchemas: { e: {} },
      },
      { dependentRequired: { a: ['b'], d: [] }, dependentSchemas: { c: { $ref }, e: {} } },
    ],
    [{ dependencies: 1 }, { dependencies: 1 }],
  ])('%j is %j', (written, expected) => {
    expect(schemaOf(written)).toEqual(expected);
  });

  it('dependencies are in the dialect too', () => {
    expect(schemaOf({ dependencies: { a: old } }, '3.0.3')).toEqual({
      dependentSchemas: { a: now },
    });
  });
});
