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

/** A contract with one operation. */
function contractOf(operation: string, schemas = '{}'): string {
  return `
openapi: 3.1.0
info: { title: Faulty, version: '1' }
components:
  schemas: ${schemas}
paths:
  /a:
    post:
      operationId: one
      ${operation}
`;
}

const done = "responses: { '200': { description: Done. } }";
const pets = (mapping: string) =>
  `{ Cat: { type: object }, Pet: { oneOf: [{ $ref: '#/components/schemas/Cat' }], discriminator: { propertyName: kind, mapping: ${mapping} } } }`;

describe('a contract with', () => {
  it.each([
    [
      'two parameters alike',
      contractOf(
        `parameters: [{ in: header, name: A, schema: {} }, { in: header, name: A, schema: {} }]\n      ${done}`,
      ),
      '10:57: found another parameter "A" in header, expected one',
    ],
    [
      'a mapping to a schema that is not there',
      contractOf(done, pets('{ c: Cat, d: Cot }')),
      '5:150: found "Cot", which is not there; did you mean "Cat"?',
    ],
    [
      'a mapping to a part that is not there',
      contractOf(done, pets("{ d: '#/components/schemas/Dragon' }")),
      '5:142: found "#/components/schemas/Dragon", which is not there; expected a schema of this document',
    ],
    ...[
      ['a request', `requestBody: { content: { json: {} } }\n      ${done}`, '10:33'],
      ['a response', "responses: { '200': { description: '', content: { json: {} } } }", '10:57'],
    ].map(([what, operation, place]) => [
      `a malformed media type of ${what}`,
      contractOf(String(operation)),
      `${place}: found "json", expected a media type such as application/json`,
    ]),
  ])('%s is refused, or served with a warning', async (_, text = '', line) => {
    const told = `openapi.yaml:${line}`;
    await expect(serveContract(text, {}, { mocks: true })).rejects.toThrow(told);
    const server = await serveContract(text, {}, { mocks: true, lenient: true });
    expect(server.log.join('')).toContain(JSON.stringify(told).slice(1, -1));
    expect((await fetch(`${server.url}/a`, { method: 'POST' })).status).toBe(200);
    await server.stop();
  });

  it.each([
    '{ in: query, name: a, schema: {} }, { in: query, name: a, schema: { type: integer } }',
    '{ in: header, name: A, schema: {} }, { in: header, name: a, schema: {} }',
  ])('two parameters that differ is refused in any case: %s', async (parameters) => {
    const text = contractOf(`parameters: [${parameters}]\n      ${done}`);
    for (const lenient of [false, true]) {
      const refused = expect(serveContract(text, {}, { mocks: true, lenient })).rejects;
      await refused.toThrow(/^openapi.yaml:10:\d+: found another parameter "a" in /);
    }
  });

  it.each([
    'application/json',
    'text/*',
    '*/*',
    'application/vnd.x+json; charset=utf-8',
    'text/plain;charset="a;b";',
  ])('the media type %s is served', async (type) => {
    const text = contractOf(`requestBody: { content: { '${type}': {} } }\n      ${done}`);
    await (await serveContract(text, {}, { mocks: true })).stop();
  });

  it.each(['', 'a/b/c', 'application/js on', '*/json', 'a/b; c', 'a/b; c="d'])(
    'the media type %j is refused',
    async (type) => {
      const text = contractOf(`requestBody: { content: { '${type}': {} } }\n      ${done}`);
      const refused = expect(serveContract(text, {}, { mocks: true })).rejects;
      await refused.toThrow('expected a media type such as application/json');
    },
  );

  it('parameters of one name in different places, or overridden, is served', async () => {
    const text = contractOf(
      `parameters: [{ in: query, name: a }, { in: header, name: a }]\n      ${done}`,
    ).replaceAll('name: a }', 'name: a, schema: {} }');
    const overridden = text.replace(
      '    post:',
      '    parameters: [{ in: query, name: a, schema: { type: integer } }]\n    post:',
    );
    for (const each of [text, overridden]) {
      await (await serveContract(each, {}, { mocks: true })).stop();
    }
  });
});
