// engines: sqlite
import { afterAll, describe, expect, it } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';

const schema = (name: string) => `{ $ref: '#/components/schemas/${name}' }`;
const json = (name: string) => `content: { application/json: { schema: ${schema(name)} } }`;
const responses = "responses: { '204': { description: ok } }";
const post = (name: string) => `
    post: { operationId: post${name}, requestBody: { required: true, ${json(name)} }, ${responses} }`;
const binary = (op: string) =>
  `{ type: object, required: [op, left], properties: { op: { const: ${op} }, left: ${schema('Sum')}, right: ${schema('Sum')} } }`;
const late = (name: string) =>
  `{ type: object, required: [l, ${name}], properties: { l: ${schema('Late')}, ${name}: { type: string } } }`;
const part = `{ properties: { l: ${schema('All')} } }`;
const leaves =
  "{ n: { type: array, items: { type: number } }, t: { type: string, pattern: '^[^x]*$' }, u: { uniqueItems: true } }";
const values = `[{ type: number }, { type: string, minLength: 1 }, { items: ${schema('Value')}, type: array }, { additionalProperties: ${schema('Value')}, type: object }]`;

const contract = `
openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /sum:${post('Sum')}
  /late:${post('Late')}
  /all:${post('All')}
  /chain:${post('Chain')}
  /value:${post('Value')}
  /question:
    parameters: [{ name: q, in: query, ${json('Late')} }]
    get: { operationId: ask, ${responses} }
    put: { operationId: askOf, requestBody: { content: { application/octet-stream: {} } }, ${responses} }
components:
  schemas:
    Sum: { oneOf: [{ type: number }, ${binary('add')}, ${binary('subtract')}, ${binary('multiply')}] }
    Late: { anyOf: [{ type: integer }, ${late('a')}, ${late('b')}, ${late('c')}] }
    All: { type: object, allOf: [${part}, ${part}, ${part}], properties: ${leaves} }
    Value: { anyOf: ${values} }
    Chain: { type: object, properties: { l: ${schema('Chain')}, r: ${schema('Chain')} } }`;

const done = () => ({ status: 204, headers: {}, body: undefined });
const handlers = {
  ...{ postSum: done, postLate: done, postAll: done, postChain: done, postValue: done },
  ...{ ask: done, askOf: done },
};
const servers = await Promise.all(
  [true, false].map((fastLane) => serveContract(contract, handlers, { fastLane })),
);
afterAll(() => Promise.all(servers.map((server) => server.stop())));

const nested = (open: string, leaf: string, close: string, times: number) =>
  open.repeat(times) + leaf + close.repeat(times);
const sum = (leaf: string, times: number) =>
  nested('{"op":"multiply","right":1,"left":', leaf, '}', times);
const chain = (times: number, leaf = '{}') => nested('{"l":', leaf, '}', times);
// Each level is refused by its last member, when what is in it has been judged.
const lates = (times: number) => nested('{"l":', '{"l":1,"a":1}', ',"a":1,"b":1,"c":1}', times);

describe.each([
  ['in the lane', servers[0]?.url],
  ['on the full path', servers[1]?.url],
])('schemas that lead to themselves in several ways, %s', (_, url) => {
  const problemOf = async (response: Response) => {
    const text = await response.text();
    const { detail, errors = [] } = text ? JSON.parse(text) : {};
    return {
      status: response.status,
      detail,
      paths: errors.map(({ path }: { path: string }) => path),
    };
  };
  const send = async (method: string, path: string, body: string, type = 'application/json') =>
    problemOf(await fetch(url + path, { method, headers: { 'content-type': type }, body }));
  const tooLong = {
    ...{ status: 400, paths: [] },
    detail:
      'The request takes too long to validate: schemas that contain themselves nest too deep.',
  };

  it('judge a value by the alternative that names itself, however deep', async () => {
    for (const times of [1, 8, 16]) {
      expect(await send('POST', '/sum', sum('1', times - 1))).toMatchObject({ status: 204 });
      const { status, paths } = await send('POST', '/sum', sum('"x"', times - 1));
      expect([status, paths.at(-1)]).toEqual([400, expect.stringMatching(/^\/body/)]);
    }
  });

  it('judge a value in so many steps and no more', async () => {
    // 7.5 × 3^8 - 3.5 schemas are asked for 9 values in each other, three times as many for 10.
    expect(await send('POST', '/all', chain(8))).toMatchObject({ status: 204 });
    expect(await send('POST', '/all', chain(9))).toEqual(tooLong);
    expect(await send('POST', '/all', chain(99))).toEqual(tooLong);
    expect(await send('POST', '/late', lates(4))).toMatchObject({
      status: 400,
      detail: expect.stringContaining('contract'),
    });
    expect(await send('POST', '/late', lates(15))).toEqual(tooLong);
    // The steps of one request are not those of the next.
    for (let i = 0; i < 3; i++) {
      expect(await send('POST', '/all', chain(8))).toMatchObject({ status: 204 });
    }
  });

  it('judge a long text or list as seldom as it is long', async () => {
    const [text, list] = [`{"t":"${'a'.repeat(200_000)}"}`, `{"n":[${'1,'.repeat(100_000)}1]}`];
    for (const leaf of [text, list]) {
      expect(await send('POST', '/all', chain(1, leaf))).toMatchObject({ status: 204 });
      expect(await send('POST', '/all', chain(8, leaf))).toEqual(tooLong);
    }
  });

  it('look at the items of a list as seldom as there are many', async () => {
    const items = Array.from({ length: 900 }, (_, a) => ({ a }));
    const leaf = JSON.stringify({ u: items });
    expect(await send('POST', '/all', chain(2, leaf))).toMatchObject({ status: 204 });
    expect(await send('POST', '/all', chain(3, leaf))).toEqual({
      ...tooLong,
      detail: 'The request takes too long to validate: lists whose items must differ are too long.',
    });
  });

  it('admit what is large, where each value in it is judged a few times', async () => {
    const large = ['1', '[]', '{"a":1}', '"a"'].map(
      (each) => `[${`${each},`.repeat(30_000)}${each}]`,
    );
    for (const body of [...large, `"${'a'.repeat(260_000)}"`]) {
      expect(await send('POST', '/value', body)).toMatchObject({ status: 204 });
    }
  });

  it('judge parameters alike', async () => {
    const ask = async (q: string) =>
      problemOf(await fetch(`${url}/question?q=${encodeURIComponent(q)}`));
    expect(await ask('1')).toMatchObject({ status: 204 });
    expect(await ask(lates(30))).toEqual(tooLong);
  });

  it('judge parameters beside a body that is read later', async () => {
    const ask = (q: string) =>
      send('PUT', `/question?q=${encodeURIComponent(q)}`, 'bytes', 'application/octet-stream');
    expect(await ask('1')).toMatchObject({ status: 204 });
    expect(await ask(lates(30))).toEqual(tooLong);
  });

  it('are no others: a tree is as deep as bodies are', async () => {
    expect(await send('POST', '/chain', chain(99))).toMatchObject({ status: 204 });
  });
});
