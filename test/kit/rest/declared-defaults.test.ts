// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';

const contract = `
openapi: 3.1.0
info: { title: Defaults, version: '1' }
paths:
  /query:
    get:
      operationId: query
      parameters:
        - { name: required, in: query, required: true, schema: { type: integer, default: 1 } }
        - { name: good, in: query, schema: { type: integer, default: 2 } }
        - { name: none, in: query, schema: { type: integer, default: null } }
        - { name: late, in: query, schema: { type: string, format: time, default: later } }
        - { name: referred, in: query, schema: { $ref: '#/components/schemas/level' } }
        - { name: behind, in: query, schema: { $ref: '#/components/schemas/step' } }
        - { name: beside, in: query, schema: { $ref: '#/components/schemas/step', default: 6 } }
      responses: { '200': { description: Done., content: { application/json: {} } } }
  /body:
    post:
      operationId: body
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [required]
              properties:
                required: { type: integer, default: 1 }
                good: { type: integer, default: 2 }
                none: { type: integer, default: null }
                few: { type: array, maxItems: 1, default: [1, 2] }
      responses:
        '200': { description: Done., content: { application/json: {} } }
        '400':
          description: Refused.
          content:
            application/json:
              schema: { type: object, properties: { code: { type: string, default: REFUSED } } }
  /form:
    post:
      operationId: form
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema: { type: object, properties: { list: { type: array, items: { type: string } } } }
            encoding: { list: { style: deepObject, explode: true } }
      responses: { '200': { description: Done., content: { application/json: {} } } }
components:
  schemas:
    level: { type: integer, minimum: 5, default: 1 }
    step: { $ref: '#/components/schemas/pace' }
    pace: { type: integer, default: 4 }
`;

describe.each([
  ['the fast lane', true],
  ['the full path', false],
])('%s', (_, fastLane) => {
  let server: Awaited<ReturnType<typeof serveContract>>;
  beforeAll(async () => {
    const echo = (input: object) => ({ status: 200, body: JSON.stringify(input) });
    server = await serveContract(contract, { query: echo, body: echo, form: echo }, { fastLane });
  });
  afterAll(() => server.stop());
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(server.url + path, init);
    return { status: response.status, json: Object(await response.json()) };
  };
  const post = (body: object) =>
    send('/body', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('demands what is required, whatever its default', async () => {
    const errors = (path: string) => [{ path, message: 'is required' }];
    const query = await send('/query');
    expect([query.status, query.json.errors]).toEqual([400, errors('/query/required')]);
    const body = await post({});
    expect([body.status, body.json.errors]).toEqual([400, errors('/body/required')]);
  });

  it('fills in no default that its own schema refuses', async () => {
    const { json } = await send('/query?required=3');
    expect(json.query).toMatchObject({ required: 3, good: 2 });
    for (const name of ['none', 'late', 'referred']) expect(json.query).not.toHaveProperty(name);
    expect((await post({ required: 3 })).json.body).toEqual({ required: 3, good: 2 });
  });

  it('fills in the default behind a reference, unless one stands beside it', async () => {
    const { json } = await send('/query?required=3');
    expect(json.query).toMatchObject({ behind: 4, beside: 6 });
  });

  it('fills in no defaults in its own refusals', async () => {
    expect((await post({})).json).not.toHaveProperty('code');
  });

  it('reads a list in the style of objects as if it had none', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const { json } = await send('/form', { method: 'POST', headers, body: 'list=a&list=b' });
    expect(json.body).toEqual({ list: ['a', 'b'] });
  });
});
