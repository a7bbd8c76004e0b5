// engines: sqlite
import { describe, expect, it } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';

const contract = `
openapi: 3.0.3
info: { title: Doubtful, version: '1' }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
paths:
  /a:
    get:
      operationId: one
      security: [{ key: [], absent: [] }]
      responses: { '200': { description: Done. } }
`;

describe('a doubtful contract', () => {
  const line =
    'openapi.yaml:9:17: found the security scheme "absent", which is not declared in components';

  it('is refused', async () => {
    await expect(serveContract(contract, {}, { mocks: true })).rejects.toThrow(line);
  });

  it('is served where it is read leniently, with a warning in the log', async () => {
    const server = await serveContract(contract, {}, { mocks: true, lenient: true });
    expect(server.log.join('')).toContain(JSON.stringify(line).slice(1, -1));
    const status = async (headers: Record<string, string>) =>
      (await fetch(`${server.url}/a`, { headers })).status;
    expect([await status({}), await status({ 'x-key': 'any' })]).toEqual([401, 200]);
    await server.stop();
  });
});
