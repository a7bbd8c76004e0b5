// engines: sqlite
import { expect, it } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';

const contract = `
openapi: 3.1.0
info: { title: Cookies, version: '1' }
paths:
  /a:
    get:
      operationId: a
      parameters:
        - { in: cookie, name: one, schema: { type: string } }
        - { in: cookie, name: all, schema: { type: array, items: { type: string } } }
      responses: { '200': { description: What was read., content: { application/json: {} } } }
`;

it.each([true, false])(
  'a cookie given twice is refused, but of a list (lane: %s)',
  async (fastLane) => {
    const handlers = {
      a: ({ cookies }: { cookies: object }) => ({ status: 200, headers: {}, body: { ...cookies } }),
    };
    const server = await serveContract(contract, handlers, { fastLane });
    const send = async (cookie: string) => {
      const response = await fetch(`${server.url}/a`, { headers: { cookie } });
      return [response.status, await response.json()];
    };
    expect(await send('other=1; one=x; all=1; other=2; all=2')).toEqual([
      200,
      { one: 'x', all: ['1', '2'] },
    ]);
    expect(await send('one=x; all=1; one=x')).toMatchObject([
      400,
      { errors: [{ path: '/cookies/one', message: 'is given more than once' }] },
    ]);
    await server.stop();
  },
);
