// engines: sqlite
import { createReadStream } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';

const operation = (schema: string) => `
    post:
      requestBody: { required: true, content: { application/json: { schema: ${schema} } } }
      responses: { '200': { description: ok } }`;

const contract = `
openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /filter:${operation('{ $ref: "#/components/schemas/Filter" }')}
  /tree:${operation('{ $ref: "#/components/schemas/Tree" }')}
  /unique:${operation('{ type: array, uniqueItems: true, items: { type: object } }')}
  /lists:${operation('{ type: array, items: { anyOf: [{ type: array, uniqueItems: true }, { type: object }] } }')}
  /required:${operation('{ type: array, items: { type: object, required: [a, b, c, d] } }')}
  /choice:${operation('{ type: array, items: { oneOf: [{ const: a }, { const: b }, { const: c }, { const: d }] } }')}
  /file:
    get: { responses: { '200': { description: ok, content: { application/octet-stream: {} } } } }
components:
  schemas:
    Filter:
      oneOf:
        - { type: object, required: [op, of], properties: { op: { const: and }, of: { type: array, items: { $ref: "#/components/schemas/Filter" } } } }
        - { type: object, required: [op, of], properties: { op: { const: or }, of: { type: array, items: { $ref: "#/components/schemas/Filter" } } } }
        - { type: object, required: [field], properties: { field: { type: string } } }
    Tree:
      type: object
      properties: { next: { $ref: "#/components/schemas/Tree" }, all: { type: array, items: { type: integer } } }`;

const ok = () => ({ status: 200, headers: {}, body: undefined });
const handlers = {
  postFilter: ok,
  postTree: ok,
  postUnique: ok,
  postLists: ok,
  postChoice: ok,
  postRequired: ok,
  getFile: () => ({
    status: 200,
    headers: {},
    body: createReadStream('/nowhere'),
  }),
};
const servers = await Promise.all(
  [true, false].map((fastLane) => serveContract(contract, handlers, { fastLane })),
);
afterAll(() => Promise.all(servers.map((server) => server.stop())));

describe.each([
  ['in the lane', servers[0]?.url],
  ['on the full path', servers[1]?.url],
])('%s', (_, url) => {
  const post = async (path: string, body: string) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url + path, { method: 'POST', headers, body });
    const text = await response.text();
    return { status: response.status, ...(text && JSON.parse(text)) };
  };
  const nested = (open: string, leaf: string, close: string, times: number) =>
    open.repeat(times) + leaf + close.repeat(times);
  const filter = (times: number, leaf = '{"field":"x"}') =>
    nested('{"op":"and","of":[', leaf, ']}', times);

  it('alternatives that contain themselves are validated up to 100 levels', async () => {
    expect(await post('/filter', filter(49))).toMatchObject({ status: 200 });
    expect(await post('/filter', filter(50))).toMatchObject({
      status: 400,
      errors: [{ path: '/body', message: 'must not nest more than 100 levels deep' }],
    });
    expect(await post('/filter', filter(49, '1'))).toMatchObject({ status: 400 });
  });

  it('so are others', async () => {
    const tree = (times: number) => nested('{"next":', '{}', '}', times);
    expect(await post('/tree', tree(99))).toMatchObject({ status: 200 });
    for (const times of [100, 5000]) {
      expect(await post('/tree', tree(times))).toMatchObject({
        status: 400,
        errors: [{ path: '/body', message: 'must not nest more than 100 levels deep' }],
      });
    }
  });

  const items = (count: number, more: number[] = []) =>
    JSON.stringify(Array.from({ length: count }, (_, a) => ({ a, more })));
  const twice = (list: string) => list.replace('[{', '[{"a":-1,"more":[]},{"more":[],"a":-1},{');

  it('objects that must differ are judged, however many', async () => {
    for (const many of [3, 1200, 8000]) {
      expect(await post('/unique', items(many))).toMatchObject({ status: 200 });
    }
  });

  it('two of them that are equal are told, however many', async () => {
    const message = 'must NOT have duplicate items (items ## 0 and 1 are identical)';
    for (const [most, more] of [
      [600, 0],
      [3000, 0],
      [400, 30],
    ] as const) {
      expect(await post('/unique', twice(items(most, Array(more).fill(0))))).toMatchObject({
        ...{ status: 400, errors: [{ path: '/body', message }] },
      });
    }
  });

  it('lists that need not differ are not compared', async () => {
    expect(await post('/lists', `[${'{},'.repeat(20_000)}{}]`)).toMatchObject({ status: 200 });
  });

  it('lists within a list are judged together', async () => {
    const list = Array.from({ length: 500 }, (_, a) => ({ a }));
    const lists = (count: number, ...others: unknown[]) =>
      JSON.stringify([...others, ...Array(count).fill(list)]);
    const last = (count: number) => lists(count).replace(/]$/, ',[1,1]]');
    expect(await post('/lists', lists(20))).toMatchObject({ status: 200 });
    expect(await post('/lists', lists(20, {}))).toMatchObject({ status: 200 });
    expect(await post('/lists', lists(20, 5))).toMatchObject({
      status: 400,
      errors: expect.arrayContaining([{ path: '/body/0', message: 'must be array' }]),
    });
    expect(await post('/lists', lists(2, [1, 1]))).toMatchObject({
      status: 400,
      errors: expect.arrayContaining([
        { path: '/body/0', message: expect.stringContaining('duplicate') },
      ]),
    });
    expect(await post('/lists', last(20))).toMatchObject({
      status: 400,
      errors: expect.arrayContaining([
        { path: '/body/20', message: expect.stringContaining('duplicate') },
      ]),
    });
  });

  it('of very many faults one is told, of few all', async () => {
    const all = (count: number) => JSON.stringify({ all: Array(count).fill({}) });
    expect((await post('/tree', all(3))).errors).toHaveLength(3);
    expect((await post('/tree', all(20_000))).errors).toHaveLength(1);
    const none = (count: number) => JSON.stringify(Array(count).fill({}));
    expect((await post('/required', none(3))).errors).toHaveLength(12);
    expect((await post('/required', none(5000))).errors).toHaveLength(1);
    const fits = (count: number) => JSON.stringify(Array(count).fill(0));
    expect((await post('/choice', fits(3))).errors).toHaveLength(15);
    expect((await post('/choice', fits(100_000))).errors).toHaveLength(5);
  });

  it('a stream that fails before its first byte is a problem', async () => {
    const response = await fetch(`${url}/file`);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ type: 'urn:accord:problem:internal-error' });
  });
});
