import { expect, it } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';

const contract = `
openapi: 3.1.0
info: { title: Formats, version: '1' }
paths:
  /a:
    get:
      operationId: a
      parameters: [{ name: code, in: query, schema: { type: string, format: code } }]
      responses: { '200': { description: Done. } }
`;

it.each([true, false])(
  'a format of the API that throws is a failure of the server, and logged (lane: %s)',
  async (fastLane) => {
    const code = (text: string) => {
      if (text === 'odd') throw new Error('the format cannot tell');
      return text === 'good';
    };
    const handlers = { a: () => ({ status: 200 }) };
    const server = await serveContract(contract, handlers, { fastLane, formats: { code } });
    const statusOf = async (text: string) => (await fetch(`${server.url}/a?code=${text}`)).status;
    expect([await statusOf('good'), await statusOf('bad')]).toEqual([200, 400]);
    expect(server.log.join()).not.toContain('the format cannot tell');
    expect(await statusOf('odd')).toBe(500);
    expect(server.log.join()).toContain('the format cannot tell');
    await server.stop();
  },
);
