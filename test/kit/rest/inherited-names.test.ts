// engines: sqlite
import { afterAll, describe, expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { serveContract } from '../../support/contract-server.ts';

/** Names of members that every object inherits are names like any other. */
const contract = `
openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /cars:
    post:
      parameters:
        - { name: constructor, in: query, schema: { type: string, minLength: 2 } }
        - { name: valueOf, in: query, required: true, schema: { type: integer } }
        - { name: filter, in: query, content: { application/json: { schema: { $ref: "#/components/schemas/Car" } } } }
        - { name: Constructor, in: header, schema: { type: string } }
        - { name: constructor, in: cookie, schema: { type: string } }
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Car" } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Car" } } } } }
  /photos:
    post:
      requestBody:
        required: true
        content:
          application/octet-stream: {}
          multipart/form-data:
            schema:
              type: object
              required: [valueOf]
              properties: { valueOf: { type: string }, file: { type: string, format: binary } }
      responses: { '200': { description: ok, content: { text/plain: { schema: { type: string } } } } }
components:
  schemas:
    Car:
      type: object
      required: [toString]
      additionalProperties: false
      properties:
        toString: { type: string }
        constructor: { type: string }
        hasOwnProperty: { type: integer, default: 3 }
        parts: { type: array, items: { $ref: "#/components/schemas/Car" } }
      dependentRequired: { constructor: [isPrototypeOf] }`;

const seen: unknown[] = [];
const constructors: unknown[] = [];
type Asked = Readonly<Record<'query' | 'headers' | 'cookies', object>> & {
  readonly body?: unknown;
};
const handlers = {
  postCars: ({ query, headers, cookies, body }: Asked) => {
    seen.push({ ...query }, body);
    constructors.push(query.constructor, headers.constructor, cookies.constructor);
    return { status: 200, headers: {}, body };
  },
  postPhotos: async ({ body }: Asked) => {
    const { file, valueOf: name } = body as {
      file?: { bytes(): Promise<Buffer> };
      valueOf?: unknown;
    };
    if (file) return { status: 200, headers: {}, body: `${name} ${await file.bytes()}` };
    let sent = '';
    for await (const chunk of body as AsyncIterable<Buffer>) sent += chunk;
    return { status: 200, headers: {}, body: sent };
  },
};
const servers = await Promise.all(
  [true, false].map((fastLane) => serveContract(contract, handlers as never, { fastLane })),
);
afterAll(() => Promise.all(servers.map((server) => server.stop())));

it('operations called so have no handler before somebody wrote one', async () => {
  const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];
  const item = (id: string) =>
    `  /${id}: { get: { operationId: ${id}, responses: { '200': { description: ok, content: { application/json: { schema: { const: 7 } } } } } } }`;
  const contract = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
${names.map(item).join('\n')}
`;
  await expect(serveContract(contract, {})).rejects.toThrow(
    `no handler for the operation ${names.join(', ')}`,
  );
  const { url, stop } = await serveContract(contract, {}, { mocks: true });
  const answers = names.map(async (name) => (await fetch(`${url}/${name}`)).text());
  expect(await Promise.all(answers)).toEqual(names.map(() => '7'));
  await stop();
});

it('a member called __proto__ is refused at the start', async () => {
  const contract = `openapi: 3.1.0
info: { title: T, version: '1' }
paths: {}
components: { schemas: { A: { properties: { b: { properties: { __proto__: { type: string } } } } } } }
`;
  await expect(parseContract(contract)).rejects.toThrow(
    'openapi.yaml:4:64: a member "__proto__" is not supported',
  );
});

describe.each([
  ['in the lane', servers[0]?.url],
  ['on the full path', servers[1]?.url],
])('names that every object inherits, %s', (_, url) => {
  const post = async (query: string, body: unknown) => {
    const response = await fetch(`${url}/cars${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: JSON.parse(text) };
  };
  const paths = ({ body }: { body: { errors?: { path: string }[] } }) =>
    body.errors?.map(({ path }) => path);

  it('are optional where they are', async () => {
    seen.length = 0;
    const car = { toString: 'a', parts: [{ toString: 'b' }] };
    const { status, body } = await post('?valueOf=1', car);
    expect(status).toBe(200);
    expect(body).toMatchObject(car);
    expect(seen).toEqual([{ valueOf: 1 }, body]);
    // A handler gets objects like any other.
    expect(Object.getPrototypeOf(seen[1])).toBe(Object.prototype);
  });

  it('name nothing where they were not sent', async () => {
    constructors.length = 0;
    expect((await post('?valueOf=1', { toString: 'a' })).status).toBe(200);
    expect(constructors).toEqual([undefined, undefined, undefined]);
  });

  it('are demanded where they are required', async () => {
    const lacking = await post('?valueOf=1', { parts: [{}] });
    expect(lacking.status).toBe(400);
    expect(paths(lacking)).toEqual(['/body/toString', '/body/parts/0/toString']);
    expect(paths(await post('', { toString: 'a' }))).toEqual(['/query/valueOf']);
    const within = await post('?valueOf=1&filter={}', { toString: 'a' });
    expect(paths(within)).toEqual(['/query/filter/toString']);
    const dependent = await post('?valueOf=1', { toString: 'a', constructor: 'b' });
    expect(dependent.status).toBe(400);
  });

  it('are held to their schemas', async () => {
    const wrong = { toString: 1, hasOwnProperty: 'x' };
    expect(paths(await post('?valueOf=1&constructor=y', wrong))).toEqual([
      ...['/query/constructor', '/body/toString', '/body/hasOwnProperty'],
    ]);
  });

  it('stand beside files and streams, which are left as they are', async () => {
    const send = async (body: FormData | Blob) => {
      const response = await fetch(`${url}/photos`, { method: 'POST', body });
      return [response.status, await response.text()];
    };
    const form = (name: string) => {
      const made = new FormData();
      made.append(name, 'Mars');
      made.append('file', new Blob(['of bytes']), 'a.bin');
      return made;
    };
    expect(await send(form('valueOf'))).toEqual([200, 'Mars of bytes']);
    expect((await send(form('other')))[0]).toBe(400);
    const stream = new Blob(['a stream'], { type: 'application/octet-stream' });
    expect(await send(stream)).toEqual([200, 'a stream']);
  });
});
