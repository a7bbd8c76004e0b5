// engines: sqlite
import { afterAll, expect, it } from 'vitest';
import { createRestCheck } from '../../../src/kit/cli/proxy/rest-check.ts';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { violations } from '../../../src/kit/contract/response-check.ts';
import type { Exchange } from '../../../src/kit/http/exchange.ts';
import { serveContract } from '../../support/contract-server.ts';
import { object, ref, text, whole } from '../../support/schemas.ts';

const json = (name: string) => ({ content: { 'application/json': { schema: ref(name) } } });
const binary = (op: string) =>
  object({ left: ref('Sum'), right: ref('Sum'), op: { enum: [op] } }, { required: ['op', 'left'] });
const late = (name: string) => object({ l: ref('Late'), [name]: text }, { required: ['l', name] });
const answer = (name: string) => ({ description: 'ok', ...json(name) });
const echo = (name: string) => ({
  operationId: `echo${name}`,
  ...{ requestBody: { required: true, content: { 'application/json': {} } } },
  responses: { 200: { ...answer(name), headers: { 'X-Sum': { schema: ref(name) } } } },
});

const contract = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: {
    '/sum': { post: echo('Sum') },
    '/late': { post: echo('Late') },
    '/sums': {
      post: {
        requestBody: { required: true, ...json('NewSum') },
        responses: { 201: answer('KeptSum') },
      },
    },
    '/sums/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: whole }],
      get: { responses: { 200: answer('KeptSum'), 404: { description: 'none' } } },
    },
    '/upload': {
      put: {
        operationId: 'upload',
        parameters: [{ name: 'q', in: 'query', ...json('Late') }],
        requestBody: { content: { 'application/octet-stream': {} } },
        responses: { 204: { description: 'ok' } },
      },
    },
  },
  components: {
    schemas: {
      // An alternative tells itself by its last member.
      Sum: { oneOf: [{ type: 'number' }, ...['add', 'subtract', 'multiply'].map(binary)] },
      // Each alternative is refused when what is in it has been judged.
      Late: { anyOf: [whole, ...['a', 'b', 'c'].map(late)] },
      NewSum: object({ sum: ref('Sum') }, { required: ['sum'] }),
      KeptSum: object({ id: whole, sum: ref('Sum') }, { required: ['id', 'sum'] }),
    },
  },
});

const nested = (open: string, leaf: string, close: string, times: number) =>
  open.repeat(times) + leaf + close.repeat(times);
const sum = (leaf: string, times: number) =>
  nested('{"op":"multiply","right":1,"left":', leaf, '}', times);
const lates = (times: number) => nested('{"l":', '{"l":1,"a":1}', ',"a":1,"b":1,"c":1}', times);

const handler = ({ body }: { readonly body?: unknown }) => ({ status: 200, headers: {}, body });
const server = await serveContract(
  contract,
  { echoSum: handler, echoLate: handler },
  { share: 1, mocks: true },
);
afterAll(() => server.stop());

const post = (path: string, body: string) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });

/** Operations whose answers did not keep to the contract, as the log names them. */
const breaches = () => server.log.filter((line) => line.includes('contract'));

it('an answer is held to alternatives that contain themselves, however deep', async () => {
  expect((await post('/sum', sum('1', 99))).status).toBe(200);
  expect(breaches()).toEqual([]);
  expect((await post('/sum', sum('"x"', 99))).status).toBe(200);
  await expect.poll(breaches).toHaveLength(1);
});

it('an answer that takes too long to validate is not judged', async () => {
  server.log.length = 0;
  expect((await post('/late', lates(40))).status).toBe(200);
  expect((await post('/late', lates(2))).status).toBe(200);
  // That of the second one is told, and that of the first was due before.
  await expect.poll(breaches).toHaveLength(1);
});

it('so are headers', async () => {
  const known = await parseContract(contract);
  const told = (text: string, value: string) =>
    violations(known, 'POST', '/late', {
      status: 200,
      headers: { 'content-type': 'application/json', 'x-sum': text },
      ...{ text: '1', json: JSON.parse(value) },
    });
  expect(told('1', '1')).toEqual([]);
  expect(told('x', '1')).not.toEqual([]);
});

it('a mock keeps what nests deep, and gives it back', async () => {
  const body = `{"sum":${sum('1', 90)}}`;
  const made = await post('/sums', body);
  expect(made.status).toBe(201);
  const { id } = Object(await made.json());
  const kept = await fetch(`${server.url}/sums/${id}`);
  expect(await kept.json()).toEqual({ ...JSON.parse(body), id });
});

it('the proxy judges parameters in a bounded number of steps where the body is not whole', async () => {
  const known = await parseContract(contract);
  const { request } = createRestCheck(known, () => {});
  const ask = (q: string) => {
    const [path, query] = ['/upload', `q=${encodeURIComponent(q)}`];
    const match = known.routes(path);
    const exchange = {
      ...{ method: 'PUT', path, query, match, operation: match?.route.operations.get('PUT') },
      request: { headers: {}, rawHeaders: [] },
      response: { emit: () => true },
    };
    // What the check reads of an exchange.
    return request(exchange as unknown as Exchange, false);
  };
  expect(await ask('1')).toEqual([]);
  expect(await ask('{}')).not.toEqual([]);
  expect(await ask(lates(40))).toMatchObject([
    { message: expect.stringContaining('takes too long to validate') },
  ]);
});
