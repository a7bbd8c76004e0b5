// engines: sqlite
import { describe, expect, it } from 'vitest';
import { parameterText as sdkText } from '../../../src/kit/cli/sdk/typescript/runtime/parameter-text.ts';
import { parameterText } from '../../../src/kit/cli/test/sampled-parameter.ts';
import { createSampledRequests } from '../../../src/kit/cli/test/sampled-requests.ts';
import { knownContract } from '../../support/known-contract.ts';

describe('a parameter of a sampled request is written as an SDK writes it', () => {
  const scalars = ['blue', '', 'x y/é', 7, true];
  const list = ['blue', 'a b'];
  const object = { R: 100, 'G/': 'x&y' };

  it.each([
    ...(['simple', 'label', 'matrix'] as const).map((style) => ['path', style] as const),
    ...(['form', 'spaceDelimited', 'pipeDelimited'] as const).map(
      (style) => ['query', style] as const,
    ),
    ['header', 'simple'] as const,
  ])('in a %s, %s', (place, style) => {
    for (const explode of [true, false]) {
      for (const value of [...scalars, list, object]) {
        const form = { name: 'c d', in: place, style, explode };
        expect(parameterText(form, value)).toBe(sdkText(form, value));
      }
    }
  });

  it('as members of an object, and as a cookie', () => {
    const deep = { name: 'c', in: 'query', style: 'deepObject', explode: true } as const;
    const cookie = { name: 'c', in: 'cookie', style: 'form', explode: false } as const;
    for (const value of [...scalars, object]) {
      expect(parameterText(deep, value)).toBe(sdkText(deep, value));
    }
    for (const value of [...scalars, list, object]) {
      expect(parameterText(cookie, value)).toBe(sdkText(cookie, value));
    }
  });
});

/** The requests of an operation whose other members are these. */
async function requestsOf(members: object, schemas: object = {}) {
  const post = { operationId: 'send', responses: { 204: { description: '' } }, ...members };
  const info = { title: 'T', version: '1' };
  const document = { openapi: '3.1.0', info, paths: { '/a': { post } }, components: { schemas } };
  const contract = await knownContract(document);
  const [operation = expect.fail()] = contract.operations;
  return createSampledRequests(contract)(operation);
}

const body = (type: string, media: object) => ({ requestBody: { content: { [type]: media } } });

describe('a field of a sampled form is written as its encoding says:', () => {
  it.each([
    [{ a: [1, 2] }, { style: 'form' }, 'a=1&a=2'],
    [{ a: [1, 2] }, { explode: true }, 'a=1&a=2'],
    [{ a: [1, 2] }, { explode: false }, 'a=1%2C2'],
    [{ a: [1, 2] }, { style: 'pipeDelimited' }, 'a=1%7C2'],
    [{ a: [1, 2] }, { style: 'spaceDelimited' }, 'a=1%202'],
    // Only an object has members.
    [{ a: [1, 2] }, { style: 'deepObject' }, 'a=1&a=2'],
    [{ a: 'x y' }, { style: 'deepObject' }, 'a=x%20y'],
    [{ a: { b: 1, c: 'x=y' } }, { style: 'deepObject' }, 'a%5Bb%5D=1&a%5Bc%5D=x%3Dy'],
    [{ a: { b: 1 } }, { style: 'form' }, 'b=1'],
    [{ a: { b: 1 } }, { explode: false }, 'a=b%2C1'],
    // No style has a text for these.
    [{ a: { b: [1] } }, { style: 'deepObject' }, 'a=%7B%22b%22%3A%5B1%5D%7D'],
    [{ a: {} }, { style: 'form' }, 'a=%7B%7D'],
    [{ a: [], b: 1 }, { style: 'form' }, 'b=1'],
    [{ a: null, b: 1 }, { style: 'form' }, 'b=1'],
    [{ a: { b: 1 } }, { contentType: 'application/json' }, 'a=%7B%22b%22%3A1%7D'],
  ])('%j, %j', async (value, encoding, text) => {
    const media = { schema: { const: value }, encoding: { a: encoding } };
    const { valid } = await requestsOf(body('application/x-www-form-urlencoded', media));
    expect(valid.map((each) => each.body?.toString())).toEqual([text]);
  });

  it('and as a file where the schema has one, also in a component', async () => {
    const properties = {
      file: { type: 'string', contentMediaType: 'image/png' },
      text: { const: 'a' },
    };
    const Form = { type: 'object', required: ['file', 'text'], properties };
    const media = { schema: { $ref: '#/components/schemas/Form' } };
    const { valid } = await requestsOf(body('multipart/form-data', media), { Form });
    const text = String(valid[0]?.body);
    expect(text).toContain('name="file"; filename="a.bin"\r\n');
    expect(text).toContain('name="text"\r\n');
  });
});

describe('a parameter whose value no style has a text for', () => {
  const values = [null, [], {}, [null], { a: null }, [[1]], { a: {} }].map((value) => ({ value }));
  const parameter = (value: unknown, required: boolean) => ({
    parameters: [{ name: 'q', in: 'query', required, schema: { const: value } }],
  });

  it.each(values)('is left out where it may be: $value', async ({ value }) => {
    const { valid } = await requestsOf(parameter(value, false));
    expect(valid.map(({ target }) => target)).toEqual(['/a']);
  });

  it.each(values)('and no request is made where it may not: $value', async ({ value }) => {
    await expect(requestsOf(parameter(value, true))).rejects.toThrow(
      `no text for send q: ${JSON.stringify(value)}`,
    );
  });
});

it('a value is made where there is no schema', async () => {
  for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
    expect((await requestsOf(body(type, {}))).valid.map(({ what }) => what)).toEqual([
      `send with ${type}`,
    ]);
  }
  const parameters = [{ name: 'q', in: 'query', content: { 'application/json': {} } }];
  const { valid } = await requestsOf({ parameters });
  expect(valid.map(({ target }) => target)).toEqual([expect.stringMatching(/^\/a\?q=./)]);
});

it.each([
  [['null'], '[]'],
  [['array'], '{}'],
  [['array', 'object'], '"x"'],
  [['array', 'object', 'string'], '1'],
  [['array', 'object', 'string', 'number'], 'true'],
  [['array', 'object', 'string', 'number', 'boolean'], 'null'],
])('a body of %j is not %s', async (type, wrong) => {
  const { invalid } = await requestsOf(body('application/json', { schema: { type } }));
  expect(invalid.map(({ what, body: sent }) => [what, String(sent)])).toEqual([
    [`send with ${wrong}`, wrong],
  ]);
});

it('a body that another operation refused is sent without the defaults of that one', async () => {
  const filled = { type: ['object', 'array'], required: ['a'], properties: { b: { default: 1 } } };
  await requestsOf(body('application/json', { schema: filled }));
  const { invalid } = await requestsOf(body('application/json', { schema: { type: 'array' } }));
  expect(invalid.map(({ what }) => what)).toEqual(['send with {}']);
});
