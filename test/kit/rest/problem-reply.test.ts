// engines: sqlite
import { afterEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/kit/errors.ts';
import type { AnyHandlers } from '../../../src/kit/rest/handler.ts';
import type { AnyProblemFunction } from '../../../src/kit/rest/problem-reply.ts';
import { sendRaw } from '../../../tools/support/raw-http.ts';
import { serveContract } from '../../support/contract-server.ts';

const contract = (responses: string) => `openapi: 3.1.0
info: { title: Shapes, version: 1.0.0 }
paths:
  /things/{id}:
    get:
      operationId: getThing
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200': { description: It., content: { application/json: { schema: {} } } }
${responses}
`;

const handlers: AnyHandlers = {
  getThing: ({ path: { id } }: { readonly path: { readonly id: number } }) => {
    if (id === 3) throw new ApiError('forbidden', { detail: 'Not you.' });
    if (id === 4) throw new ApiError('invalid-request');
    if (id === 5) throw new Error('a fault');
    throw new ApiError('not-found');
  },
};

let stop = async () => {};
afterEach(() => stop());

async function start(responses: string, problem?: AnyProblemFunction) {
  const running = await serveContract(contract(responses), handlers, {
    ...(problem && { problem }),
  });
  stop = running.stop;
  const answer = async (path: string, method = 'GET') => {
    const response = await fetch(running.url + path, { method });
    const type = response.headers.get('content-type');
    return { status: response.status, type, text: await response.text() };
  };
  return { answer, url: running.url, log: running.log };
}

const types = async (responses: string) => {
  const { answer } = await start(responses);
  const paths = ['/things/1', '/things/x', '/nowhere'];
  return Promise.all(paths.map(async (path) => (await answer(path)).type));
};
const declared = (status: string, content: string) =>
  `        '${status}': { description: An error., content: { ${content} } }`;
const PROBLEM = 'application/problem+json';
const own = '{ schema: { type: object, required: [code], properties: { code: {} } } }';
const open = '{ schema: { type: object, required: [title, status] } }';

describe('the media type of the problem', () => {
  it.each([
    ['application/problem+json where nothing is declared', '', [PROBLEM, PROBLEM, PROBLEM]],
    [
      'application/problem+json where another shape is declared',
      declared('default', `application/json: ${own}`),
      [PROBLEM, PROBLEM, PROBLEM],
    ],
    [
      'application/problem+json where both are declared',
      declared('4XX', `application/json: ${open}, application/problem+json: {}`),
      [PROBLEM, PROBLEM, PROBLEM],
    ],
    [
      'another type of JSON whose schema admits it',
      declared('default', `application/xml: {}, application/vnd.x+json: ${open}`),
      ['application/vnd.x+json', 'application/vnd.x+json', 'application/vnd.x+json'],
    ],
    [
      'by status, and for what is not declared by the first error',
      [
        declared('400', `application/json: ${open}`),
        declared('404', `application/json: ${own}`),
      ].join('\n'),
      [PROBLEM, 'application/json', 'application/json'],
    ],
    [
      'another type of JSON without a schema',
      declared('default', 'application/json: {}'),
      ['application/json', 'application/json', 'application/json'],
    ],
    [
      'application/problem+json under any schema, before others',
      declared('default', `application/json: ${open}, application/problem+json: ${own}`),
      [PROBLEM, PROBLEM, PROBLEM],
    ],
    [
      'application/problem+json where there is a description alone',
      [declared('400', `application/json: ${open}`), "        '404': { description: No. }"].join(
        '\n',
      ),
      [PROBLEM, 'application/json', 'application/json'],
    ],
    [
      'for what is not declared by the first error of JSON',
      [
        declared('400', 'text/plain: {}'),
        declared('404', `application/vnd.x+json: ${open}`),
        declared('500', `application/vnd.y+json: ${open}`),
      ].join('\n'),
      ['application/vnd.x+json', PROBLEM, 'application/vnd.x+json'],
    ],
    [
      'another type of JSON whose schema bounds the status',
      declared('4XX', 'application/json: { schema: { properties: { status: { minimum: 400 } } } }'),
      ['application/json', 'application/json', 'application/json'],
    ],
  ])('is %s', async (_, responses, expected) => {
    expect(await types(responses)).toEqual(expected);
  });

  it('is each time one whose schema admits it', async () => {
    const { answer } = await start(
      declared('400', 'application/json: { schema: { type: object, required: [errors] } }'),
    );
    expect((await answer('/things/x')).type).toBe('application/json');
    expect((await answer('/things/4')).type).toBe(PROBLEM);
    expect((await answer('/things/x')).type).toBe('application/json');
  });

  it('is the same for what the parser refuses', async () => {
    const { url } = await start(declared('default', `application/json: ${open}`));
    expect(await sendRaw(url, 'nonsense\r\n\r\n')).toMatch(
      /\r\nContent-Type: application\/json\r\n/,
    );
  });
});

it('a mock refuses in the shape that the contract declares, with the headers of the refusal', async () => {
  const running = await serveContract(
    contract(
      declared(
        '405',
        'application/json: { schema: { type: object, required: [code], properties: { code: { const: NO } } } }',
      ),
    ),
    {},
    { mocks: true },
  );
  stop = running.stop;
  const response = await fetch(`${running.url}/things/1`, { method: 'DELETE' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect(await response.json()).toEqual({ code: 'NO' });
});

describe('the problem function of an API', () => {
  const shape: AnyProblemFunction = ({ code, status, detail }, operation) => ({
    body: { code, status, detail, operation: operation?.id ?? null },
  });

  it('gives every refusal the shape of the contract', async () => {
    const { answer, log } = await start(declared('default', `application/json: ${own}`), shape);
    expect(await answer('/things/1')).toEqual({
      status: 404,
      type: 'application/json',
      text: '{"code":"not-found","status":404,"detail":"There is nothing at this path.","operation":"getThing"}',
    });
    const code = async (path: string, method?: string) => {
      const { status, text } = await answer(path, method);
      return [status, JSON.parse(text).code, JSON.parse(text).operation];
    };
    expect(await code('/things/x')).toEqual([400, 'invalid-request', 'getThing']);
    expect(await code('/things/3')).toEqual([403, 'forbidden', 'getThing']);
    expect(await code('/things/5')).toEqual([500, 'internal-error', 'getThing']);
    expect(await code('/things/1', 'DELETE')).toEqual([405, 'method-not-allowed', 'getThing']);
    expect(await code('/nowhere')).toEqual([404, 'not-found', null]);
    expect(log.join()).toContain('a fault');
    expect((await answer('/nowhere')).type).toBe('application/json');
  });

  it('is told the operation of a path that declares the refusal of a method', async () => {
    const put = (status: string) => `
    put:
      operationId: putThing
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: Done. }, '${status}': { description: No., content: { application/vnd.y+json: {} } } }`;
    const handler = () => ({ status: 200 });
    for (const [status, operation, type] of [
      ['405', 'putThing', 'application/vnd.y+json'],
      ['404', null, 'application/json'],
    ] as const) {
      const running = await serveContract(
        contract('') + put(status),
        { ...handlers, putThing: handler },
        { problem: shape },
      );
      stop = running.stop;
      const response = await fetch(`${running.url}/things/1`, { method: 'DELETE' });
      expect([response.status, response.headers.get('content-type')]).toEqual([405, type]);
      expect(await response.json()).toMatchObject({ operation });
      await running.stop();
    }
    stop = async () => {};
  });

  it('may choose the media type, leave the body out, or leave it to the kit', async () => {
    const { answer } = await start(
      declared('default', 'text/plain: {}, application/json: {}'),
      (problem) => {
        if (problem.status === 404) return { type: 'text/plain', body: problem.title };
        return problem.status === 403 ? {} : undefined;
      },
    );
    expect(await answer('/things/1')).toEqual({
      status: 404,
      type: 'text/plain',
      text: 'Not found',
    });
    expect(await answer('/things/3')).toEqual({ status: 403, type: null, text: '' });
    expect(JSON.parse((await answer('/things/x')).text).errors).toHaveLength(1);
  });

  it('that fails leaves the problem as it is, and is logged', async () => {
    const { answer, log } = await start('', () => {
      throw new Error('no shape for this');
    });
    expect(JSON.parse((await answer('/things/1')).text).status).toBe(404);
    expect(log.join()).toContain('no shape for this');
  });
});
