// engines: sqlite
import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';

/** Finds paths among those of a contract. */
async function routesOf(paths: readonly string[], servers = '[]') {
  const items = paths.map((path) => {
    const names = [...path.matchAll(/\{(.*?)\}/g)].map((match) => match[1]);
    const parameters = names.map(
      (name) => `{ name: ${name}, in: path, required: true, schema: {} }`,
    );
    return `"${path}": { get: { parameters: [${parameters}], responses: { '200': { description: ok } } } }`;
  });
  const text = `{ openapi: 3.1.0, info: { title: T, version: '1' }, servers: ${servers}, paths: { ${items} } }`;
  const { routes } = await parseContract(text);
  return (path: string) => {
    const match = routes(path);
    return match && [match.route.path, ...match.values];
  };
}

describe('path templates', () => {
  it.each([
    ['/{id}.json', '/a.b.json', ['a.b']],
    ['/{id}.json', '/.json', undefined],
    ['/a{b}c', '/a1c', ['1']],
    ['/a{b}c', '/1', undefined],
    ['/{a}..{b}', '/x..y', ['x', 'y']],
    ['/{a}..{b}', '/x...y', ['x', '.y']],
    ['/{a}..{b}', '/..y', undefined],
    ['/v1/{id}:cancel', '/v1/7:cancel', ['7']],
    ['/v1/x:cancel', '/v1/x:cancel', []],
    ['/v1/x:cancel', '/v1/x%3Acancel', []],
    ['/@me', '/%40me', []],
    ['/a{b}c{d}e', '/a1c2e', ['1', '2']],
    ['/a{b}c{d}e', '/a1c2c3e', ['1', '2c3']],
    ['/{a}-{b}', '/%2d-%2D', ['-', '-']],
    ['/pets/', '/pets/', []],
    ['/pets/', '/pets', undefined],
    ['/é/{x}', '/%C3%A9/1', ['1']],
  ])('%s finds %s', async (template, path, values) => {
    const find = await routesOf([template]);
    expect(find(path)).toEqual(values && [template, ...values]);
  });

  it('prefers what has more text, and goes back where it leads nowhere', async () => {
    const find = await routesOf([
      '/{id}',
      '/{id}.json',
      '/{id}.tar.json',
      '/me',
      '/{a}/x',
      '/a/{b}/b',
      '/{y}/c/d',
    ]);
    expect(find('/me')).toEqual(['/me']);
    expect(find('/a')).toEqual(['/{id}', 'a']);
    expect(find('/a.json')).toEqual(['/{id}.json', 'a']);
    expect(find('/a.tar.json')).toEqual(['/{id}.tar.json', 'a']);
    expect(find('/me/x')).toEqual(['/{a}/x', 'me']);
    expect(find('/a.json/x')).toEqual(['/{a}/x', 'a.json']);
    expect(find('/a/c/d')).toEqual(['/{y}/c/d', 'a']);
    expect(find('/a/c/b')).toEqual(['/a/{b}/b', 'c']);
    expect(find('/a/c/e')).toBeUndefined();
  });

  it('takes the path of a server as a prefix that may be left out', async () => {
    const servers =
      '[{ url: "https://x.example/v1/" }, { url: "/{tier}/v2", variables: { tier: { default: free, enum: [free, paid] } } }, { url: "//x.example" }]';
    const find = await routesOf(['/a/{id}', '/v1/a/{id}/b'], servers);
    for (const prefix of ['', '/v1', '/free/v2', '/paid/v2']) {
      expect(find(`${prefix}/a/1`)).toEqual(['/a/{id}', '1']);
    }
    expect(find('/v1/a/1/b')).toEqual(['/v1/a/{id}/b', '1']);
    expect(find('/v3/a/1')).toBeUndefined();
  });

  it('merges equal templates with other names', async () => {
    const operation = (method: string, name: string) =>
      `{ ${method}: { parameters: [{ name: ${name}, in: path, required: true, schema: {} }], responses: { '200': { description: ok } } } }`;
    const { routes } = await parseContract(
      `{ openapi: 3.1.0, info: { title: T, version: '1' }, paths: { "/a/{x}": ${operation('get', 'x')}, "/a/{y}": ${operation('put', 'y')} } }`,
    );
    const route = routes('/a/1')?.route;
    expect(route?.methods).toEqual(['GET', 'PUT']);
    expect(route?.operations.get('PUT')?.names).toEqual(['y']);
    expect(route?.operations.get('GET')?.names).toEqual(['x']);
  });

  it('are found as they stand before one with the prefix of a server', async () => {
    const find = await routesOf(['/a', '/v1/a', '/b#one'], '[{ url: /v1 }]');
    expect([find('/a'), find('/v1/a'), find('/v1/v1/a')]).toEqual([['/a'], ['/v1/a'], ['/v1/a']]);
    expect([find('/b'), find('/v1/b')]).toEqual([['/b#one'], ['/b#one']]);
  });

  it('are found by whole paths alone', async () => {
    const find = await routesOf(['/{a}', '/x/{b}/y', '/x-{c}', '/{d}/']);
    for (const path of ['', '/', 'a', 'a/b', '/x/1', '/x//y', '/x/1/y/', '/x/1/y/z']) {
      expect(find(path), path).toBeUndefined();
    }
    expect(find('/x-')).toEqual(['/{a}', 'x-']);
    expect(find('/x-%zz')).toEqual(['/x-{c}', '%zz']);
    expect(find('/x/')).toEqual(['/{d}/', 'x']);
  });

  it('share the patterns of a segment', async () => {
    const find = await routesOf(['/{a}.x/1', '/{b}.x/2', '/{c}.y.x', '/{d}']);
    expect(find('/a.x/1')).toEqual(['/{a}.x/1', 'a']);
    expect(find('/a.x/2')).toEqual(['/{b}.x/2', 'a']);
    expect(find('/a.y.x')).toEqual(['/{c}.y.x', 'a']);
    expect(find('/a.y.x/2')).toEqual(['/{b}.x/2', 'a.y']);
    expect(find('/a.x')).toEqual(['/{d}', 'a.x']);
  });

  it.each([
    ['get, put', 'GET, PUT', 'GET, HEAD, PUT'],
    ['put, delete', 'DELETE, PUT', 'DELETE, PUT'],
    ['head, get', 'GET, HEAD', 'GET, HEAD'],
  ])('with %s have the methods %s and allow %s', async (names, methods, allow) => {
    const item = names
      .split(', ')
      .map(
        (name) => `${name}: { operationId: ${name}, responses: { '200': { description: ok } } }`,
      );
    const { routes } = await parseContract(
      `{ openapi: 3.1.0, info: { title: T, version: '1' }, paths: { /a: { ${item} } } }`,
    );
    const { route } = routes('/a') ?? expect.fail();
    expect([route.methods.join(', '), route.allow]).toEqual([methods, allow]);
    const head = route.operations.get('HEAD')?.id;
    expect(head).toBe(names.includes('head') ? 'head' : names.includes('get') ? 'get' : undefined);
  });
});
