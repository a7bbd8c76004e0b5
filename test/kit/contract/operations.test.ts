import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { knownContract } from '../../support/known-contract.ts';

const info = { title: 'T', version: '1' };
const done = { responses: { 200: { description: '' } } };
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: {} });

function read(paths: object, more: object = {}, lenient = false) {
  const document = { openapi: '3.2.0', info, paths, ...more };
  if (!lenient) return knownContract(document);
  return parseContract(JSON.stringify(document, null, 1), 'openapi.json', { lenient });
}
async function operationOf(item: object, more: object = {}, path = '/a') {
  const { operations } = await read({ [path]: item }, more);
  return operations[0] ?? expect.fail();
}

describe('a parameter', () => {
  type Given = { in: string; required?: boolean; style?: string; explode?: boolean };
  it.each<[given: Given, style: string, explode: boolean]>([
    [{ in: 'query' }, 'form', true],
    [{ in: 'cookie' }, 'form', true],
    [{ in: 'header' }, 'simple', false],
    [{ in: 'path', required: true }, 'simple', false],
    [{ in: 'query', style: 'form', explode: false }, 'form', false],
    [{ in: 'query', style: 'spaceDelimited' }, 'spaceDelimited', false],
    [{ in: 'query', style: 'pipeDelimited' }, 'pipeDelimited', false],
    [{ in: 'query', style: 'deepObject' }, 'deepObject', false],
    [{ in: 'path', required: true, style: 'label', explode: true }, 'label', true],
    [{ in: 'cookie', style: 'cookie' }, 'cookie', true],
  ])('%j is of the style %s, exploded: %s', async (given, style, explode) => {
    const parameters = [{ name: 'x', schema: {}, ...given }];
    const path = given.in === 'path' ? '/a/{x}' : '/a';
    const { parameters: found } = await operationOf({ parameters, get: done }, {}, path);
    expect(found).toMatchObject([{ style, explode, required: given.required ?? false }]);
  });

  it('has what the contract says, and what it means where it says nothing', async () => {
    const schema = { $ref: '#/components/schemas/A' };
    const parameters = [
      { ...inPath('id'), 'x-malformed-status': 404 },
      { name: 'q', in: 'query', allowEmptyValue: true, schema },
      { name: 'j', in: 'query', content: { 'a/b': {} } },
    ];
    const components = { schemas: { A: { type: 'integer' } } };
    const { parameters: found } = await operationOf(
      { get: { ...done, parameters } },
      { components },
      '/{id}',
    );
    const shown = found.map((each) => [
      each.malformedStatus,
      each.allowEmpty,
      each.mediaType,
      each.schema,
    ]);
    expect(shown).toEqual([
      [404, false, undefined, {}],
      [400, true, undefined, { type: 'integer' }],
      [400, false, 'a/b', undefined],
    ]);
  });

  it('of an operation overrides that of its path, and some are ignored', async () => {
    const header = (name: string, required = false) => ({
      name,
      in: 'header',
      required,
      schema: {},
    });
    const shared = [header('X-A'), { ...header('x-a'), in: 'query' }, header('x-b')];
    const parameters = [
      ...['Accept', 'content-type', 'AUTHORIZATION'].map((name) => header(name)),
      ...[header('x-A', true), { ...header('Accept'), in: 'query' }, header('accept-language')],
      { ...header('X-A'), in: 'query' },
    ];
    const { parameters: found } = await operationOf({
      parameters: shared,
      get: { ...done, parameters },
    });
    expect(found.map((each) => `${each.in} ${each.name} ${each.required}`)).toEqual([
      ...['header x-A true', 'query x-a false', 'header x-b false', 'query Accept false'],
      ...['header accept-language false', 'query X-A false'],
    ]);
  });
});

describe('an operation', () => {
  it('has its own servers, security and marks before those of the document', async () => {
    const security = [{ s: [] }];
    const components = { securitySchemes: { s: { type: 'http', scheme: 'basic' } } };
    const [top, middle, own] = ['/top', '/middle', '/own'].map((url) => [{ url }]);
    const paths = {
      '/a': {
        get: done,
        put: { ...done, security: [], servers: own, deprecated: true, 'x-sunset': '2030-01-01' },
      },
      '/b': { servers: middle, get: { ...done, security: [{}] }, put: { ...done, servers: own } },
    };
    const { operations } = await read(paths, { security, components, servers: top });
    const shown = operations.map((each) => [
      each.id,
      each.security,
      each.basePaths,
      each.deprecated,
      each.sunset,
    ]);
    expect(shown).toEqual([
      ['getA', [{ s: [] }], ['/top'], false, undefined],
      ['putA', [], ['/own'], true, '2030-01-01'],
      ['getB', [{}], ['/middle'], false, undefined],
      ['putB', [{ s: [] }], ['/own'], false, undefined],
    ]);
    expect((await operationOf({ get: done })).security).toEqual([]);
  });

  it.each([
    [['https://a.example/v1/', 'http://a.example/v1', '/v1//'], ['/v1']],
    [['https://a.example', 'v3', '/', 'ws+unix://a/v4'], ['/v4']],
    [['HTTPS://a.example/V5'], ['/V5']],
  ])('at %j has the prefixes %j', async (urls, basePaths) => {
    const servers = urls.map((url) => ({ url }));
    expect((await operationOf({ get: done }, { servers })).basePaths).toEqual(basePaths);
  });

  it('has a prefix for each value of the variables of its server', async () => {
    const variables = { a: { default: 'x', enum: ['x', 'y'] }, b: { default: 'z' } };
    const servers = [{ url: '/{a}/{b}/{a}', variables }];
    const { basePaths } = await operationOf({ get: done }, { servers });
    expect(basePaths).toEqual(['/x/z/x', '/y/z/y']);
  });

  it('has a body that may be left out unless it is required', async () => {
    const content = { 'a/b': { schema: {} }, 'application/json': { schema: { type: 'string' } } };
    const { body, bodySchema } = await operationOf({ post: { ...done, requestBody: { content } } });
    expect([body?.required, [...(body?.content.keys() ?? [])]]).toEqual([
      false,
      ['a/b', 'application/json'],
    ]);
    expect(bodySchema).toEqual({ type: 'string' });
    const required = { requestBody: { content: { 'a/b': {} }, required: true }, ...done };
    const other = await operationOf({ post: required });
    expect([other.body?.required, other.bodySchema]).toEqual([true, undefined]);
    expect((await operationOf({ post: done })).body).toBeUndefined();
  });
});

describe('a path is refused', () => {
  it.each([
    ['/a?b', [], 'GET /a?b has a query in its path'],
    ['/{a}{b}', ['a', 'b'], 'GET /{a}{b} has two parameters with nothing between them'],
    ['/{a', [], 'GET /{a has a brace that is no parameter'],
    ['/a}', [], 'GET /a} has a brace that is no parameter'],
    ['/{}', [], 'GET /{} has a brace that is no parameter'],
    ['/{{a}}', ['a'], 'GET /{{a}} has a brace that is no parameter'],
  ])('%s', async (path, names, line) => {
    const item = { get: { ...done, parameters: names.map(inPath) } };
    for (const lenient of [false, true]) {
      await expect(read({ [path]: item }, {}, lenient)).rejects.toThrow(line);
    }
  });

  it.each([
    ['/{a}/{a}', ['a'], 'GET /{a}/{a} names a parameter twice', ['a']],
    ['/{a}', [], 'GET /{a} names other path parameters than it declares', ['a']],
    ['/{a}', ['b'], 'GET /{a} names other path parameters than it declares', ['a']],
    ['/a', ['b'], 'GET /a names other path parameters than it declares', []],
    ['/{b}/{a}', ['a', 'b'], undefined, ['a', 'b']],
  ])('%s with %j, or told where it is read leniently', async (path, names, line, parameters) => {
    const query = { name: 'a', in: 'query', schema: {} };
    const item = { get: { ...done, parameters: [query, ...names.map(inPath)] } };
    const { operations, warnings } = await read({ [path]: item }, {}, true);
    const found = operations[0]?.parameters.filter((each) => each.in === 'path') ?? [];
    expect(found.map(({ name }) => name)).toEqual(parameters);
    expect(operations[0]?.parameters[0]?.in).toBe('query');
    expect(warnings.map((text) => text.replace(/^\S+ /, ''))).toEqual(
      line === undefined ? [] : [line],
    );
    if (line !== undefined) await expect(read({ [path]: item })).rejects.toThrow(line);
    for (const each of found.filter(({ name }) => !names.includes(name))) {
      expect(each).toMatchObject({
        required: true,
        style: 'simple',
        explode: false,
        malformedStatus: 400,
        schema: { type: 'string' },
      });
    }
  });

  it('that is another one, and an operationId that is another’s, likewise', async () => {
    const get = (operationId: string) => ({ get: { operationId, ...done } });
    const paths = {
      '/a/{x}': { get: { ...done, operationId: 'one', parameters: [inPath('x')] } },
      '/a/{y}': { get: { ...done, operationId: 'two', parameters: [inPath('y')] } },
      '/b#1': get('one'),
      '/b#2': get('three'),
      '/c': get('one_2'),
      '/d': get('one'),
    };
    const { operations, warnings } = await read(paths, {}, true);
    expect(operations.map(({ id, path }) => [id, path])).toEqual([
      ['one', '/a/{x}'],
      ['one_2', '/b#1'],
      ['one_2_2', '/c'],
      ['one_3', '/d'],
    ]);
    expect(warnings.map((text) => text.replace(/^\S+ /, ''))).toEqual([
      '/a/{x} and /a/{y} are the same path; expected one of them',
      'found the operationId "one" of GET /a/{x}, expected one of its own',
      '/b#1 and /b#2 are the same path; expected one of them',
      'found the operationId "one_2" of GET /b#1, expected one of its own',
      'found the operationId "one" of GET /a/{x}, expected one of its own',
    ]);
  });
});

it('a security scheme that is not declared is told where it is required, and left out', async () => {
  const components = { securitySchemes: { s: { type: 'http', scheme: 'basic' } } };
  const security = [{ s: [], t: [] }, { u: [] }];
  const line = 'found the security scheme "t", which is not declared in components';
  const own = await read({ '/a': { get: { ...done, security } } }, { components }, true);
  const all = await read({ '/a': { get: done } }, { components, security }, true);
  for (const { operations, warnings } of [own, all]) {
    expect(operations[0]?.security).toEqual([{ s: [] }, {}]);
    expect(warnings.map((text) => text.replace(/^\S+ /, ''))).toEqual([line]);
  }
  const place = ({ warnings }: typeof own) => Number(warnings[0]?.split(':')[1]);
  // At the operation, or at the end of the document.
  expect([place(own) < 24, place(all) > 24]).toEqual([true, true]);
  await expect(read({ '/a': { get: { ...done, security } } })).rejects.toThrow(
    '"s", which is not declared',
  );
});
