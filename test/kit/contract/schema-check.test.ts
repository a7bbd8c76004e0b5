import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import type { Document } from '../../../src/kit/contract/openapi-document.ts';
import { allSchemas } from '../../../src/kit/contract/schema-places.ts';

const head = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} };
const of = (schema: unknown) => ({ ...head, components: { schemas: { A: schema } } });
const read = (document: object, lenient = false) =>
  parseContract(JSON.stringify(document), 'openapi.yaml', { lenient });

/** The place that a fault names, as a path from the schema on. */
function told(schema: object): Promise<string> {
  return read(of(schema)).then(
    ({ warnings }) => warnings.join(),
    ({ message }) => message.replace(/^openapi\.yaml:\d+:\d+: /, ''),
  );
}

const single = [
  ...['items', 'contains', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'not'],
  ...['if', 'then', 'else'],
];
const listed = ['allOf', 'anyOf', 'oneOf'];
const mapped = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];

describe('schemas are found', () => {
  const schema = {
    ...Object.fromEntries([...single, 'unevaluatedItems'].map((key) => [key, { title: key }])),
    ...Object.fromEntries([...listed, 'prefixItems'].map((key) => [key, [true, { title: key }]])),
    ...Object.fromEntries(mapped.map((key) => [key, { a: false, b: { title: key } }])),
    ...{ default: { title: 'data' }, enum: [{ title: 'data' }], 'x-a': { schema: {} } },
  };

  it('in every keyword that holds some, and in no data', () => {
    const found = allSchemas({ ...of(schema), 'x-a': { schema } } as unknown as Document);
    expect(found.map(({ path }) => path.slice(3).join('/')).toSorted()).toEqual(
      [
        '',
        ...[...single, 'unevaluatedItems'],
        ...[...listed, 'prefixItems'].map((key) => `${key}/1`),
        ...mapped.map((key) => `${key}/b`),
      ].toSorted(),
    );
    expect(found.map((each) => each.path.at(0))).not.toContain('x-a');
    for (const { path, schema: each } of found.slice(1)) expect(path).toContain(each.title);
  });

  it('in every part of a document, and not in examples', () => {
    const media = {
      'a/b': {
        schema: {},
        itemSchema: {},
        example: { schema: {} },
        examples: { a: { schema: {} } },
      },
    };
    const found = allSchemas({
      ...head,
      paths: { '/a': { get: { parameters: [{ schema: {} }], requestBody: { content: media } } } },
      components: {
        schemas: { A: {}, example: {}, B: true },
        responses: { R: { content: media, headers: { H: { schema: { not: {} } } } } },
        callbacks: { schemas: { A: {} } },
      },
    } as unknown as Document);
    const at = '/paths//a/get';
    expect(found.map(({ path }) => `/${path.join('/')}`)).toEqual([
      ...[`${at}/parameters/0/schema`],
      ...['schema', 'itemSchema'].map((key) => `${at}/requestBody/content/a/b/${key}`),
      ...['A', 'example'].map((name) => `/components/schemas/${name}`),
      ...['schema', 'itemSchema'].map((key) => `/components/responses/R/content/a/b/${key}`),
      ...['', '/not'].map((key) => `/components/responses/R/headers/H/schema${key}`),
    ]);
  });
});

describe('an unknown keyword is told', () => {
  const misspelt = { minimun: 1 };
  it.each([
    ...single.map((key) => ({ [key]: misspelt })),
    ...listed.map((key) => ({ [key]: [misspelt] })),
    ...mapped.map((key) => ({ [key]: { a: misspelt } })),
  ])('in %j', async (schema) => {
    expect(await told(schema)).toBe(
      'unknown keyword "minimun" in a schema; did you mean "minimum"?',
    );
  });

  it.each(['id', '$async', 'divisibleBy'])('such as %s', async (key) => {
    expect(await told({ [key]: key })).toMatch(`unknown keyword "${key}" in a schema`);
  });

  it.each([
    { discriminator: { propertyName: 'a' } },
    { example: 1 },
    { externalDocs: { url: 'https://a.example' } },
    { xml: { name: 'a' } },
    { contentEncoding: 'base64' },
    { contentMediaType: 'a/b' },
    { contentSchema: {} },
    { definitions: { a: {} } },
    { 'x-own': 1 },
    {
      title: 'a',
      description: 'b',
      deprecated: true,
      readOnly: true,
      writeOnly: true,
      $comment: 'c',
    },
    { default: 1, examples: [1], format: 'date', dependencies: { a: ['b'] } },
  ])('and %j is none', async (schema) => {
    expect(await told(schema)).toBe('');
    expect(await told({ properties: { a: schema } })).toBe('');
  });
});

describe('what is not served is told, however deep:', () => {
  it.each<[schema: object, line: string]>([
    ...['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor'].map(
      (key): [object, string] => [
        { [key]: valueFor(key) },
        `"${key}" in a schema is not supported`,
      ],
    ),
    [{ prefixItems: [{}] }, '"prefixItems" of more than one length in a schema is not supported'],
    [{ prefixItems: [{}], items: false }, '"prefixItems" of more than one length'],
    [{ prefixItems: [{}], items: false, minItems: 2 }, '"prefixItems" of more than one length'],
    [{ prefixItems: [{}], items: true, minItems: 1 }, '"prefixItems" of more than one length'],
    [{ prefixItems: [{}], items: false, minItems: 1 }, ''],
    [
      { unevaluatedItems: false, allOf: [{ contains: {} }] },
      '"unevaluatedItems" with "contains" in a schema is not supported',
    ],
    [{ unevaluatedItems: false, allOf: [{ items: {} }] }, ''],
    [{ pattern: '(' }, 'found "(", expected a regular expression (Invalid regular expression'],
    [{ pattern: '^a$' }, ''],
  ])('%j: %s', async (schema, line) => {
    for (const each of [schema, { not: { properties: { a: schema } } }]) {
      const said = await told(each);
      expect(line === '' ? said : said.slice(0, line.length)).toBe(line);
    }
  });

  it('with the place where it stands', async () => {
    const text = JSON.stringify(of({ not: { items: { $recursiveRef: '#' } } }), null, 1);
    const line = text.slice(0, text.indexOf('"$recursiveRef"')).split('\n').length;
    await expect(parseContract(text)).rejects.toThrow(`openapi.yaml:${line}:7: "$recursiveRef" in`);
  });
});

describe('a broken schema', () => {
  it.each([
    [{ minLength: 'x' }, 'found "x", expected an integer'],
    [
      { type: 'strin' },
      'found "strin", expected one of array, boolean, integer, null, number, object, string',
    ],
    [{ properties: { examples: { minLength: 'x' } } }, 'found "x", expected an integer'],
    [{ examples: 1, minLength: 'x' }, 'found "x", expected an integer'],
    [{ minLength: 'x', not: { examples: 1 } }, 'found "x", expected an integer'],
  ])('%j is refused', async (schema, line) => {
    await expect(read(of(schema))).rejects.toThrow(line);
    await expect(read(of(schema), true)).rejects.toThrow(line);
  });

  it.each([{ examples: 1 }, { properties: { a: { examples: 1 } } }])(
    'with %j, which says nothing of validity, is told',
    async (schema) => {
      const { warnings } = await read(of(schema));
      expect(warnings).toEqual([expect.stringMatching(/: found 1, expected a list$/)]);
    },
  );

  it('nullable of 3.0 is told once, with how often it stands there', async () => {
    const nullable = { nullable: true };
    const schema = { not: nullable, items: { nullable: false }, contains: nullable };
    const { warnings } = await read(of(schema));
    expect(warnings).toEqual([
      expect.stringMatching(
        /: found "nullable" of OpenAPI 3\.0 2 times, which says nothing here; expected "null" among the types$/,
      ),
    ]);
    expect((await read(of({}))).warnings).toEqual([]);
  });

  it.each([
    ['of-nobody', ''],
    ['dat', 'found "dat", expected one that is known; did you mean "date"?'],
  ])('a format %s is looked at as a name', async (format, line) => {
    expect(await told({ not: { format } })).toBe(line);
  });
});

function valueFor(key: string): unknown {
  if (key === '$recursiveAnchor') return true;
  return key === '$id' ? 'https://a.example' : key.endsWith('Ref') ? '#' : 'a';
}
