import { describe, expect, it } from 'vitest';
import { createExampleCalls } from '../../../src/kit/sdk/example-call.ts';
import { modelOf } from '../../../src/kit/sdk/model.ts';
import { createTypes } from '../../../src/kit/sdk/python/python-models.ts';
import { callText } from '../../../src/kit/sdk/python/python-sample.ts';
import { argumentsText } from '../../../src/kit/sdk/typescript/example-text.ts';
import { bodyType } from '../../../src/kit/sdk/typescript/types.ts';
import { knownContract } from '../../support/known-contract.ts';
import { whole } from '../../support/schemas.ts';

const examples = { one: { value: 1 }, other: { $ref: '#/components/examples/two' } };

/** The arguments of a call of an operation in TypeScript and in Python, and the type of its body. */
async function argumentsOf(operation: object, path = '/a') {
  const post = { operationId: 'send', responses: { 204: { description: '' } }, ...operation };
  const document = {
    ...{ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: { [path]: { post } } },
    components: {
      examples: { one: { value: 1 }, two: { value: 2 } },
      schemas: { 'a.b': whole, Some: { type: 'array', items: whole } },
    },
  };
  const contract = await knownContract(document);
  const model = modelOf({ document: contract.document, schema: undefined, digest: '' });
  const group = model.groups[0] ?? expect.fail();
  const call = group.calls[0] ?? expect.fail();
  const example = createExampleCalls(contract)(call);
  const python = callText(model, group, call, example, createTypes(model)).text;
  const given = python.slice(python.indexOf('(') + 1, -1);
  return { typescript: argumentsText(call, example), python: given, body: bodyType(call) };
}
const parameter = (name: string, place: string, more: object) => ({
  ...{ name, in: place, required: true, schema: whole, ...more },
});
const body = (content: object, required = true) => ({ requestBody: { required, content } });
const json = (media: object) => body({ 'application/json': media });

describe('an operation is called with', () => {
  it.each([
    ['the first of several examples', [parameter('q', 'query', { examples })], '{ q: 1 }', 'q=1'],
    [
      'one that is referred to',
      [parameter('q', 'query', { examples: { a: examples.other } })],
      '{ q: 2 }',
      'q=2',
    ],
    [
      'a value of the schema where there is none',
      [parameter('q', 'query', { schema: { const: 3 } })],
      '{ q: 3 }',
      'q=3',
    ],
    [
      'a value of its content',
      [{ name: 'q', in: 'query', required: true, content: { 'a/b': { schema: { const: 4 } } } }],
      '{ q: 4 }',
      'q=4',
    ],
    [
      'the example of content without a schema',
      [{ name: 'q', in: 'query', required: true, example: 5, content: { 'a/b': {} } }],
      '{ q: 5 }',
      'q=5',
    ],
    [
      'none that is not admitted',
      [parameter('q', 'query', { example: 'x', schema: { const: 3 } })],
      '{ q: 3 }',
      'q=3',
    ],
    [
      'nothing that may be left out',
      [parameter('q', 'query', { required: false, example: 1 })],
      '',
      '',
    ],
    [
      'all that may not',
      ['X-Class', 'class'].map((name) => parameter(name, 'header', { example: 1 })),
      '{ xClass: 1, classHeader: 1 }',
      'x_class=1, class_header=1',
    ],
    [
      'objects and lists',
      [parameter('q', 'query', { schema: {}, example: [{ a: null }] })],
      '{ q: [{ a: null }] }',
      "q=[{'a': None}]",
    ],
  ])('%s', async (_, parameters, typescript, python) => {
    expect(await argumentsOf({ parameters })).toMatchObject({ typescript, python });
  });

  it('texts of its path that are not empty, in the order of the path', async () => {
    const [first, second] = [{ schema: { const: '' } }, { schema: { const: 'b' } }];
    const parameters = [parameter('y', 'path', second), parameter('x', 'path', first)];
    expect(await argumentsOf({ parameters }, '/{x}/{y}')).toMatchObject({
      ...{ typescript: "'a', 'b'", python: "'a', 'b'" },
    });
  });

  it('a body where there is one that can be made', async () => {
    const never = json({ schema: false });
    expect(await argumentsOf(never)).toMatchObject({ typescript: '', python: '' });
    const parameters = [parameter('q', 'query', { example: 1 })];
    expect(await argumentsOf({ ...never, parameters })).toMatchObject({
      ...{ typescript: 'undefined, { q: 1 }', python: 'q=1' },
    });
    expect(await argumentsOf({ ...json({ example: 5 }), parameters })).toMatchObject({
      ...{ typescript: '5, { q: 1 }', python: '5, q=1' },
    });
  });

  it.each([
    ['text/plain', {}, "'text'", "'text'"],
    ['text/plain', { example: 1 }, "'1'", "'1'"],
    ['application/xml', {}, "'<root/>'", "'<root/>'"],
    ['image/svg+xml', { example: '<svg/>' }, "'<svg/>'", "'<svg/>'"],
    ['image/png', {}, "new Blob(['text'])", "b'text'"],
    ['image/png', { example: 'a' }, "new Blob(['a'])", "b'a'"],
    [
      'application/*',
      {},
      "new MediaBody('application/plain', new Blob(['text']))",
      `MediaBody("application/plain", b'text')`,
    ],
    [
      'image/*',
      {},
      "new MediaBody('image/plain', new Blob(['text']))",
      `MediaBody("image/plain", b'text')`,
    ],
    ['application/x-www-form-urlencoded', { schema: { const: { a: 1 } } }, '{ a: 1 }', "{'a': 1}"],
  ])('a body of %s and %j', async (type, media, typescript, python) => {
    expect(await argumentsOf(body({ [type]: media }))).toMatchObject({ typescript, python });
  });
});

describe('a field of a form is a file where it is bytes:', () => {
  it.each<[schema: object | boolean, type: string]>([
    [{ type: 'string', format: 'binary' }, 'Binary'],
    [{ format: 'binary' }, 'Binary'],
    [{ type: ['string', 'null'], format: 'binary' }, 'Binary'],
    [{ type: 'integer', format: 'binary' }, 'number'],
    [{ contentMediaType: 'image/png' }, 'Binary'],
    [{ contentMediaType: 'application/octet-stream' }, 'Binary'],
    [{ type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' }, 'string'],
    ...[
      'text/plain',
      'application/json',
      'a/b+json',
      'application/xml',
      'a/b+xml',
      'a/json; c=d',
    ].map((contentMediaType): [object, string] => [{ type: 'string', contentMediaType }, 'string']),
    [{ type: 'string', contentMediaType: 'application/jsonb' }, 'Binary'],
    [{ type: 'array', items: { format: 'binary' } }, 'Binary[]'],
    [{ type: 'array', items: { type: 'integer' } }, 'number[]'],
    [{ type: 'array', items: true }, 'unknown[]'],
    [{ type: 'string' }, 'string'],
    [true, 'unknown'],
    [{ $ref: '#/components/schemas/a.b' }, 'AB'],
    [{ $ref: '#/components/schemas/Some', items: { format: 'binary' } }, 'Binary[]'],
  ])('%j is %s', async (schema, type) => {
    const form = { schema: { type: 'object', properties: { a: schema } } };
    for (const mediaType of ['multipart/form-data', 'application/x-www-form-urlencoded']) {
      const { body: found } = await argumentsOf(body({ [mediaType]: form }));
      expect(found).toBe(`{\n  a?: ${type};\n}`);
    }
  });

  it('and is text in JSON', async () => {
    const schema = { properties: { a: { type: 'string', format: 'binary' } } };
    expect((await argumentsOf(json({ schema }))).body).toBe('{\n  a?: string;\n}');
  });
});
