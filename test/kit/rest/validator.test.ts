import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { useServer } from '../../support/api-server.ts';
import { serveContract } from '../../support/contract-server.ts';

/**
 * What express-openapi-validator gets wrong, each mended: these fail when the mend is taken out. What it
 * keeps and costs is measured in slow/validator-cost.test.ts.
 */
describe('the validator', () => {
  // The fast lane would answer most of these before the validator sees them.
  const { api } = useServer({ FAST_LANE: 'off' });

  it('3. answers HEAD as GET', async () => {
    const { status, text } = await api({ method: 'HEAD', path: '/books' });
    expect([status, text]).toEqual([200, '']);
  });

  it('4. sends Allow with a 405', async () => {
    const { headers } = await api({ method: 'PATCH', path: '/books' });
    expect(headers.allow).toBe('GET, HEAD, POST');
  });

  it('5. answers 400 to a wrong content type and to an absent body', async () => {
    const headers = { 'content-type': 'text/plain' };
    const body = '{"title":"Ubik","pages":202}';
    const wrong = await api({ method: 'POST', path: '/books', body, headers });
    const absent = await api({ method: 'POST', path: '/books' });
    expect([wrong.status, absent.status]).toEqual([400, 400]);
    expect(wrong.json.errors[0].path).toBe('/headers/content-type');
    expect(absent.json.errors).toEqual([{ path: '/body', message: 'is required' }]);
    expect((await api({ path: '/books' })).text).toBe('[]');
  });

  it('6. takes no number that is not written in decimal digits', async () => {
    for (const id of ['1e3', '%201', '0x10']) {
      expect((await api({ path: `/books/${id}` })).status).toBe(400);
      expect((await api({ path: `/books?limit=${id}` })).status).toBe(400);
    }
  });

  it.each([
    ['%5Ba%5D=1', '[a]'],
    ['[a]=1', '[a]'],
    ['[]', '[]'],
    ['limit[]=1', 'limit[]'],
    ['limit[x]=1', 'limit[x]'],
    ['limit%5Bx%5D=1&limit=1', 'limit[x]'],
    ['limit%26%5B=2', 'limit&['],
    ['__proto__[x]=1', '__proto__[x]'],
    ['constructor[prototype][x]=1', 'constructor[prototype][x]'],
    ['=1', ''],
    ['?limit=1', '?limit'],
    ['?', '?'],
    ['limit%00=1', 'limit\0'],
    ['limit%ff=1', 'limit\ufffd'],
  ])('14. refuses the unknown query name in ?%s', refusesName);

  it.each([
    ['after very many others', `${'x[]=1&'.repeat(1100)}limit=1`, 'x[]'],
    ['that is very long', `[${'x'.repeat(5000)}]=1`, `[${'x'.repeat(192)}`],
  ])('14. refuses an unknown query name %s', (_, query, name) => refusesName(query, name));

  async function refusesName(query: string, name: string) {
    const errors = [{ path: `/query/${name}`, message: 'is not a parameter of this operation' }];
    for (const path of ['/books', '/books/1', '/healthz']) {
      const { status, json } = await api({ path: `${path}?${query}` });
      expect([status, json.errors]).toEqual([400, errors]);
    }
  }

  it.each(['', '&', '&&', 'limit=1&', '&limit=1'])('admits no parameter in ?%s', async (query) => {
    expect((await api({ path: `/books?${query}` })).status).toBe(200);
  });

  it.each([
    ['twice', 'limit=1&limit=1'],
    ['twice, once encoded', 'limit=1&%6cimit=2'],
    ['very often', `${'limit=1&'.repeat(1500)}limit=2`],
  ])('refuses a query name that is given %s', async (_, query) => {
    const { status, json } = await api({ path: `/books?${query}` });
    const errors = [{ path: '/query/limit', message: 'is given more than once' }];
    expect([status, json.errors]).toEqual([400, errors]);
  });

  it('names the place of an unknown property without a name', async () => {
    const json = { title: 'Ubik', pages: 202, '': 1 };
    const { status, json: problem } = await api({ method: 'POST', path: '/books', json });
    expect(status).toBe(400);
    expect(problem.errors).toEqual([{ path: '/body/', message: 'is not a known property' }]);
  });

  it('13. matches a path in its own case and without a trailing slash', async () => {
    for (const path of ['/BOOKS', '/books/', '/Books/1']) {
      expect((await api({ path })).status).toBe(404);
    }
  });
});

describe('a contract of its own', () => {
  const contract = `
    openapi: 3.1.0
    info: { title: Own, version: 1.0.0 }
    paths:
      /echo/{number}:
        get:
          operationId: echo
          parameters:
            - { name: number, in: path, required: true, schema: { type: integer, minimum: 0 } }
            - { name: text, in: query, required: false, schema: { type: string } }
          responses:
            '200': { description: Echo, content: { application/json: { schema: { type: object } } } }
  `;
  let server: Awaited<ReturnType<typeof serveContract>>;
  beforeAll(async () => {
    server = await serveContract(contract, {
      echo: (input) => ({ status: 200, headers: {}, body: JSON.stringify(input) }),
    });
  });
  afterAll(() => server.stop());
  const get = async (path: string) => Object(await (await fetch(server.url + path)).json());

  it('6. refuses an integer that JavaScript does not know exactly, and a value given twice', async () => {
    expect((await get('/echo/9007199254740993')).errors[0].path).toBe('/path/number');
    expect((await get('/echo/1?text=a&text=b')).errors).toEqual([
      { path: '/query/text', message: 'is given more than once' },
    ]);
  });

  it('refuses an empty query value', async () => {
    expect((await get('/echo/1?text=')).errors).toEqual([
      { path: '/query/text', message: 'must not be empty' },
    ]);
  });

  it('7. gives a handler the path value 0 as a number', async () => {
    expect((await get('/echo/0')).path).toEqual({ number: 0 });
    expect((await get('/echo/12')).path).toEqual({ number: 12 });
  });

  it.each([
    ['a+b', 'a b'],
    ['a%2Bb', 'a+b'],
    ['a:b/c?d@e!f$g(h)*i,j;k', 'a:b/c?d@e!f$g(h)*i,j;k'],
    ["'[x]'", "'[x]'"],
    ['%E2%82%AC', '€'],
    ['a=b', 'a=b'],
  ])('8. admits the reserved characters of the query value %s', async (sent, text) => {
    expect((await get(`/echo/1?text=${sent}`)).query).toEqual({ text });
  });
});

describe('a contract that is broken or inconsistent stops the start with a line that says why', () => {
  const operation = (more: string) => `
    openapi: 3.1.0
    info: { title: X, version: 1.0.0 }
    paths:
      /x:
        post: { operationId: x, ${more} responses: { '200': { description: x } } }`;

  it.each([
    ['11. not YAML', 'a: [', /^openapi.yaml:1:5: not YAML: .* end with a ]; found "a: \["$/],
    ['11. not an object', '1', /^openapi.yaml:1:1: found 1, expected an object$/],
    [
      '11. not OpenAPI',
      'a: 1',
      /^openapi.yaml:1:1: found no "openapi", expected text with a version/,
    ],
    ['11. without info', 'openapi: 3.1.0\npaths: {}', /:1:1: found no "info" in the document/],
    [
      'two parameters with nothing between them',
      operation('').replace('/x:', '/{a}{b}:'),
      /POST \/\{a\}\{b\} has two parameters with nothing between them/,
    ],
    [
      'a query in a path',
      operation('').replace('/x:', '/x?a=b:'),
      /POST \/x\?a=b has a query in its path/,
    ],
    [
      'a name used twice',
      `${operation('')}
        get: { operationId: x, responses: { '200': { description: x } } }`,
      /:6:30: found the operationId "x" of GET \/x, expected one of its own/,
    ],
    [
      'a path parameter that is not declared',
      operation('').replace('/x:', '/x/{id}:'),
      /POST \/x\/\{id\} names other path parameters than it declares/,
    ],
    [
      'two paths that are the same',
      `
    openapi: 3.1.0
    info: { title: X, version: 1.0.0 }
    paths:
      /x/{a}:
        get: { operationId: a, parameters: [{ name: a, in: path, required: true, schema: {} }], responses: { '200': { description: x } } }
      /x/{b}:
        get: { operationId: b, parameters: [{ name: b, in: path, required: true, schema: {} }], responses: { '200': { description: x } } }`,
      /\/x\/\{a\} and \/x\/\{b\} are the same path/,
    ],
    [
      'a reference to nothing',
      operation("requestBody: { $ref: '#/components/requestBodies/X' },"),
      /#\/components\/requestBodies\/X/,
    ],
    [
      'a schema with a type that does not exist',
      operation(
        'requestBody: { required: true, content: { application/json: { schema: { type: strng } } } },',
      ),
      /:6:.*: found "strng", expected one of array, boolean/,
    ],
    [
      'a schema with a misspelt keyword',
      operation(
        'requestBody: { required: true, content: { application/json: { schema: { type: string, maxLenght: 3 } } } },',
      ),
      /unknown keyword "maxLenght" in a schema; did you mean "maxLength"\?/,
    ],
    [
      'a pattern that is no regular expression',
      operation(
        "requestBody: { required: true, content: { application/json: { schema: { type: string, pattern: '(' } } } },",
      ),
      /found "\(", expected a regular expression/,
    ],
  ])('%s', async (_, text, reason) => {
    await expect(parseContract(text)).rejects.toThrow(reason);
    await expect(parseContract(text)).rejects.toThrow(/^openapi.yaml:[0-9]+:[0-9]+: [^\n]+$/);
  });

  it('12. an operation without a handler, a handler without an operation', async () => {
    const reply = () => ({ status: 200, headers: {}, body: undefined });
    await expect(serveContract(operation(''), {})).rejects.toThrow(
      'no handler for the operation x',
    );
    await expect(serveContract(operation(''), { x: reply, y: reply })).rejects.toThrow(
      'no operation for the handler y',
    );
  });
});
