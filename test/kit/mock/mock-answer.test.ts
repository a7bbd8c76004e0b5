// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../../../src/kit/contract/response-check.ts';
import { ApiError, present } from '../../../src/kit/errors.ts';
import { createMockRefusal } from '../../../src/kit/mock/mock-answer.ts';
import { serveContract } from '../../support/contract-server.ts';

const contract = `
openapi: 3.1.0
info: { title: Parcels, version: '1' }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    certificate: { type: mutualTLS }
  schemas:
    parcel:
      type: object
      required: [id, weight]
      properties:
        id: { type: integer, minimum: 7 }
        weight: { type: number, exclusiveMinimum: 0 }
        secret: { type: string, writeOnly: true }
    endless: { type: object, required: [inner], properties: { inner: { $ref: '#/components/schemas/endless' } } }
paths:
  /parcels/{id}:
    get:
      operationId: getParcel
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        default: { description: Error. }
        '404':
          description: None.
          content: { application/json: { schema: { type: object, required: [why], properties: { why: { type: string } } } } }
        '206': { description: Part. }
        '200':
          description: One.
          headers:
            X-Count: { required: true, schema: { type: integer, minimum: 3 } }
            X-Note: { schema: { type: string }, example: noted }
            X-Other: { schema: { type: string } }
            X-List: { required: true, schema: { type: array, items: { type: integer } }, example: [1, 2] }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/parcel' }
              examples:
                wrong: { value: { id: 1, weight: 1 } }
                small: { value: { id: 8, weight: 0.5 } }
                large: { value: { id: 9, weight: 50 } }
            text/plain: { schema: { type: string, minLength: 12 }, example: short }
            application/xml: { schema: { $ref: '#/components/schemas/parcel' } }
            image/png: { schema: { type: string, format: binary } }
  /sampled: { get: { operationId: sampled, responses: { 2XX: { description: Any., content: { '*/*': { schema: { $ref: '#/components/schemas/parcel' } } } } } } }
  /headers:
    get:
      operationId: headers
      responses:
        '200':
          description: Headers of every kind.
          headers:
            Date: { required: true, schema: { type: string }, example: never }
            Link: { schema: { type: string }, example: '</next>; rel="next"' }
            X-Json: { required: true, content: { application/json: { schema: { type: object, properties: { a: { type: integer } } } } } }
            X-Any: { required: true, schema: true }
            X-Default: { schema: { type: string, default: usual } }
            X-Listed: { schema: { type: string, examples: [listed] } }
            X-Unsendable: { schema: { type: string }, example: 你 }
  /refused:
    get:
      operationId: refused
      responses:
        '200': { description: A header that no value fits., headers: { X-None: { required: true, schema: { type: string, pattern: '^(?!a)a$' } } } }
  /ranges/{main}: { get: { operationId: ranges, parameters: [{ name: main, in: path, required: true, schema: { type: string } }], responses: { '200': { description: Ranges., content: { 'text/*': { schema: { type: string } }, 'image/*': { schema: { type: string } }, 'application/*': { schema: { type: object } } } } } } }
  /bytes: { get: { operationId: bytes, responses: { '200': { description: Bytes., content: { application/octet-stream: { schema: { type: string, format: binary }, example: abc } } } } } }
  /unmade: { get: { operationId: unmade, responses: { '200': { description: Text., content: { text/plain: { schema: { type: string, pattern: '^(?!a)a$' } } } } } } }
  /silent: { get: { operationId: silent } }
  /interim: { get: { operationId: interim, responses: { '100': { description: Go on. } } } }
  /endless: { get: { operationId: endless, responses: { '200': { description: None., content: { application/json: { schema: { $ref: '#/components/schemas/endless' } } } } } } }
  /gone: { get: { operationId: gone, responses: { '410': { description: Gone. }, '404': { description: None. } } } }
  /secured: { get: { operationId: secured, security: [{ key: [], certificate: [] }], responses: { '204': { description: Done. } } } }
  /strict:
    get:
      operationId: strict
      parameters: [{ name: n, in: query, required: true, schema: { type: integer } }]
      responses:
        '200': { description: Done. }
        '400':
          description: Refused.
          content: { application/json: { schema: { type: object, additionalProperties: false, properties: { code: { const: 4 } } } } }
  /own: { get: { operationId: own, responses: { '200': { description: Own., content: { application/json: {} } } } } }
`;

let server: Awaited<ReturnType<typeof serveContract>>;
beforeAll(async () => {
  const own = () => ({ status: 200, body: '"own"' });
  server = await serveContract(contract, { own }, { mocks: true, fastLane: true });
});
afterAll(() => server.stop());

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(server.url + path, { headers });
  const text = await response.text();
  const json = /json/.test(response.headers.get('content-type') ?? '') && JSON.parse(text);
  const { status } = response;
  const found = { status, headers: Object.fromEntries(response.headers), text, json };
  return { ...found, violations: violations(server.contract, 'GET', path, found) };
}

describe('a mocked operation', () => {
  it('answers with the lowest success, its first valid example and its headers', async () => {
    const answer = await get('/parcels/1');
    expect(answer).toMatchObject({
      status: 200,
      json: { id: 8, weight: 0.5 },
      headers: { 'accord-mock': 'true', 'x-count': '3', 'x-note': 'noted', 'x-list': '1,2' },
      violations: [],
    });
    expect(answer.headers).not.toHaveProperty('x-other');
    expect((await get('/parcels/1')).text).toBe(answer.text);
  });

  it.each([
    ['application/json', 'example=large', 200, '{"id":9,"weight":50}'],
    ['application/json', 'code="404"', 404, '{"why":"string"}'],
    ['application/json', 'return=minimal, code=206', 206, ''],
    ['text/plain', '', 200, 'stringstring'],
  ])('gives %s with Prefer: %s', async (accept, prefer, status, text) => {
    const answer = await get('/parcels/1', { accept, prefer });
    expect(answer).toMatchObject({ status, text, violations: [] });
  });

  it('makes XML and bytes', async () => {
    const xml = await get('/parcels/1', { accept: 'application/xml' });
    expect(xml.text).toMatch(/^<parcel>.*<weight>.*<\/weight>.*<\/parcel>$/s);
    const png = await get('/parcels/1', { accept: 'image/png' });
    expect(png.headers['content-type']).toBe('image/png');
  });

  it('makes a value of a schema without examples, in a type of the range', async () => {
    const { status, json, headers, violations } = await get('/sampled');
    expect({ status, json, violations }).toEqual({
      ...{ status: 200, violations: [] },
      json: { id: 7, weight: 1 },
    });
    expect(headers['content-type']).toBe('application/json');
  });

  it('makes headers that are required or have an example, where they can be sent', async () => {
    const { status, headers, violations } = await get('/headers');
    expect([status, violations]).toEqual([200, []]);
    expect(headers).toMatchObject({ 'x-json': '{"a":0}', 'x-default': 'usual' });
    expect(headers).toMatchObject({ 'x-listed': 'listed', 'x-any': expect.any(String) });
    expect(headers.date).not.toBe('never');
    for (const name of ['link', 'x-unsendable']) expect(headers).not.toHaveProperty(name);
  });

  it.each([
    ['text/*', 'text/plain'],
    ['image/*', 'image/x-mock'],
    ['application/json', 'application/json'],
  ])('gives a type of the range %s', async (accept, type) => {
    const { headers } = await get('/ranges/a', { accept: `${accept}, */*;q=0.1` });
    expect(headers['content-type']?.split(';')[0]).toBe(type);
  });

  it('sends an example of bytes as it is', async () => {
    expect((await get('/bytes')).text).toBe('abc');
  });

  it('answers without a body where the contract says nothing, and with an error where it has only those', async () => {
    expect(await get('/silent')).toMatchObject({ status: 204, violations: [] });
    expect(await get('/gone')).toMatchObject({ status: 404, violations: [] });
  });

  it.each([
    ['/interim', 'The contract declares only interim responses for GET /interim.'],
    [
      '/endless',
      'The mock cannot make a body that the contract admits for GET /endless 200 (application/json): each value of the schema would contain another.',
    ],
    [
      '/refused',
      'The mock cannot make the header X-None that the contract demands of GET /refused 200.',
    ],
    [
      '/unmade',
      'The mock cannot make a body that the contract admits for GET /unmade 200 (text/plain): the value must match pattern "^(?!a)a$", says the schema at #/pattern.',
    ],
  ])('says why it cannot answer %s', async (path, detail) => {
    expect(await get(path)).toMatchObject({ status: 500, json: { detail } });
  });

  it.each([
    ['code=999', 'asks for status 999, which is not declared'],
    ['example=none', 'asks for an example that GET /parcels/{id} 200 does not have'],
  ])('refuses Prefer: %s', async (prefer, message) => {
    const { status, json } = await get('/parcels/1', { prefer });
    expect([status, json.errors]).toEqual([400, [{ path: '/headers/prefer', message }]]);
  });

  it('asks for credentials, and admits any of the right form', async () => {
    expect((await get('/secured')).status).toBe(401);
    expect((await get('/secured', { 'x-key': 'any' })).status).toBe(204);
  });

  it('refuses in the shape of the contract, and does not call that mocked', async () => {
    const { status, json, headers, violations } = await get('/strict');
    expect({ status, json, violations }).toEqual({
      status: 400,
      json: { code: 4 },
      violations: [],
    });
    expect(headers).not.toHaveProperty('accord-mock');
  });

  it('leaves operations with a handler to it', async () => {
    const { json, headers } = await get('/own');
    expect([json, headers['accord-mock']]).toEqual(['own', undefined]);
  });
});

it('leaves a refusal to the kit where the contract has none, and passes a failure on', () => {
  const operation = [...server.contract.operations].find(({ id }) => id === 'strict');
  const refusal = (error: Error) =>
    createMockRefusal(() => {
      throw error;
    })(present(operation), 400);
  expect(refusal(new ApiError('internal-error'))).toBeUndefined();
  expect(() => refusal(new TypeError('broken'))).toThrow('broken');
});

it('refuses a handler without an operation all the same', async () => {
  const started = serveContract(contract, { none: () => ({ status: 200 }) }, { mocks: true });
  await expect(started).rejects.toThrow('no operation for the handler none');
});
