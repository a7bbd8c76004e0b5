import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';

const done = { responses: { 200: { description: '' } } };
const info = { title: 'T', version: '1' };

/** What is told of a document: the text at the place of each warning, or of the fault, and the message. */
async function told(members: object, lenient = true): Promise<string[]> {
  const document = { openapi: '3.2.0', info, paths: {}, ...members };
  const text = JSON.stringify(document, null, 1);
  const lines = await parseContract(text, 'a.json', { lenient }).then(
    ({ warnings }) => warnings,
    ({ message }) => [String(message)],
  );
  return lines.map((each) => {
    const [, line, column, message] = /^a\.json:(\d+):(\d+): (.*)$/.exec(each) ?? [];
    const at = text.split('\n')[Number(line) - 1]?.slice(Number(column) - 1);
    return `${at?.replace(/[\s,:{[]+$/, '')} ${message}`;
  });
}
const path = (item: object, more: object = {}) => ({ paths: { '/a': item }, ...more });
const ref = (kind: string, name = 'A') => ({ $ref: `#/components/${kind}/${name}` });
const query = (name: string, more: object) => ({ name, in: 'query', ...more });
const body = (content: object) => path({ post: { ...done, requestBody: { content } } });

it('a name that is no media type is told where it stands, once', async () => {
  const content = (name: string) => ({ content: { [name]: {} } });
  const found = await told(
    path(
      {
        parameters: [query('a', content('one'))],
        get: {
          parameters: [query('b', content('two'))],
          responses: {
            200: { description: '', ...content('four'), headers: { A: content('five') } },
            400: ref('responses'),
            404: ref('responses'),
          },
        },
        put: { ...done, requestBody: content('three') },
        post: { ...done, requestBody: ref('requestBodies') },
      },
      {
        components: {
          requestBodies: { A: content('six') },
          responses: {
            A: { description: '', ...content('seven') },
            B: { description: '', ...content('never') },
          },
        },
      },
    ),
  );
  const types = found.filter((line) => line.includes('media type'));
  expect(types.toSorted()).toEqual(
    ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
      .map(
        (name) => `"${name}": {} found "${name}", expected a media type such as application/json`,
      )
      .toSorted(),
  );
});

describe('a parameter', () => {
  const unread = (type: string) =>
    `"${type}" a parameter of ${type} that is no text is not supported`;
  const of = (type: string, schema?: object) =>
    query('a', { content: { [type]: schema ? { schema } : {} } });
  const components = {
    parameters: { A: of('a/xml', { type: 'object' }) },
    schemas: { A: { type: 'string' }, B: { type: 'integer' } },
  };

  it.each([
    [of('a/xml', { type: 'object' }), [unread('a/xml')]],
    [of('a/xml', ref('schemas', 'B')), [unread('a/xml')]],
    [of('a/xml', { type: ['integer', 'null'] }), [unread('a/xml')]],
    [of('a/xml', { type: ['string', 'null'] }), []],
    [of('a/xml', ref('schemas')), []],
    [of('a/xml', {}), []],
    [of('a/xml'), []],
    [of('application/json', { type: 'object' }), []],
    [of('a/b+json', { type: 'object' }), []],
    [query('a', { schema: { type: 'object' } }), []],
    [ref('parameters'), [unread('a/xml')]],
    [
      { name: 'a', in: 'querystring', content: { 'a/b': {} } },
      ['"querystring" "in: querystring" of a parameter is not supported'],
    ],
  ])('%j: %j', async (parameter, lines) => {
    const both = [
      { parameters: [parameter], get: done },
      { get: { ...done, parameters: [parameter] } },
    ];
    for (const item of both) expect(await told(path(item, { components }))).toEqual(lines);
  });

  it('stands once in a list; the same twice is told, and another is refused', async () => {
    const a = query('a', { schema: {} });
    const message = 'found another parameter "a" in query, expected one';
    for (const item of [
      { parameters: [a, a], get: done },
      { get: { ...done, parameters: [a, a] } },
    ]) {
      expect(await told(path(item))).toEqual([` ${message}`]);
      await expect(
        parseContract(JSON.stringify({ openapi: '3.1.0', info, ...path(item) })),
      ).rejects.toThrow(message);
    }
    const other = { ...a, required: true };
    expect(
      await told(path({ get: { ...done, parameters: [a, query('b', { schema: {} }), other] } })),
    ).toEqual([` ${message}`]);
    expect(await told(path({ parameters: [a], get: { ...done, parameters: [other] } }))).toEqual(
      [],
    );
    const places = [a, { ...a, in: 'header' }, { ...a, in: 'cookie' }];
    expect(await told(path({ parameters: places, get: done }))).toEqual([]);
  });
});

describe('a body', () => {
  it.each(['itemSchema', 'prefixEncoding', 'itemEncoding'])('with %s is told', async (key) => {
    const value = { itemSchema: {}, prefixEncoding: [{}], itemEncoding: {} }[key];
    expect(await told(body({ 'multipart/mixed': { [key]: value } }))).toEqual([
      `"${key}"${key === 'prefixEncoding' ? '' : ': {}'} "${key}" of a request body is not supported`,
    ]);
  });

  it.each([
    ['multipart/mixed', { type: 'array' }, true],
    ['Multipart/Form-Data', { type: 'string' }, true],
    ['multipart/mixed', ref('schemas'), true],
    ['multipart/mixed', { type: 'object' }, false],
    ['multipart/mixed', { type: ['null', 'object'] }, false],
    ['multipart/mixed', {}, false],
    ['a/b', { type: 'array' }, false],
  ])('of %s and %j is refused: %s', async (type, schema, isRefused) => {
    const components = {
      schemas: { A: { type: 'array' } },
      requestBodies: { A: { content: { [type]: { schema } } } },
    };
    const line = `${type} that is no object is not supported`;
    const direct = { ...body({ [type]: { schema } }), components };
    const referred = path({ post: { ...done, requestBody: ref('requestBodies') } }, { components });
    for (const each of [direct, referred]) {
      expect(await told(each)).toEqual(isRefused ? [`"schema" ${line}`] : []);
    }
  });

  it('with headers of a part is told', async () => {
    const schema = { type: 'object' };
    const encoding = { a: { headers: { 'X-A': { schema: {} } } }, b: { contentType: 'a/b' } };
    expect(await told(body({ 'multipart/form-data': { schema, encoding } }))).toEqual([
      '"headers" "headers" of an encoding is not supported',
    ]);
  });
});

it('other methods are told, and everything beside them is served', async () => {
  const lines = await told(path({ query: done, additionalOperations: { COPY: done }, get: done }));
  expect(lines).toEqual([
    '"query" the method QUERY is not supported',
    '"additionalOperations" "additionalOperations" is not supported',
  ]);
});

describe('a dialect', () => {
  const unknown = 'https://a.example/d';
  const line = `found the dialect "${unknown}", expected one that is known, such as https://json-schema.org/draft/2020-12/schema`;
  it.each([
    ...['draft-04', 'draft-05', 'draft-06', 'draft-07', 'draft/2019-09', 'draft/2020-12'].map(
      (draft) => `http://json-schema.org/${draft}/schema#`,
    ),
    'https://json-schema.org/draft/2020-12/schema',
    'https://spec.openapis.org/oas/3.1/dialect/base',
    'https://spec.openapis.org/oas/3.2/schema/2025-09-17',
  ])('%s is known', async (jsonSchemaDialect) => {
    expect(await told({ jsonSchemaDialect }, false)).toEqual([]);
  });

  it.each([
    ...['http://json-schema.org/draft-03/schema#', 'http://json-schema.org/draft-04/schema#a'],
    ...['https://spec.openapis.org/oas/3.0/dialect/base', unknown],
  ])('%s is told', async (jsonSchemaDialect) => {
    expect(await told({ jsonSchemaDialect })).toEqual([
      `"${jsonSchemaDialect}" ${line.replace(unknown, jsonSchemaDialect)}`,
    ]);
  });

  it('of a schema is told wherever it stands, and in no data', async () => {
    const $schema = unknown;
    const content = { 'application/json': { schema: { not: { $schema } }, example: { $schema } } };
    const schemas = {
      A: { properties: { a: { $schema } } },
      B: { default: { $schema }, const: { $schema }, enum: [{ $schema }], examples: [{ $schema }] },
      C: { 'x-a': { $schema }, example: { $schema } },
    };
    const lines = await told({ ...body(content), components: { schemas } });
    expect(lines).toEqual([`"${unknown}" ${line}`, `"${unknown}" ${line}`]);
  });
});
