// engines: sqlite
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSchema } from 'graphql';
import { afterAll, describe, expect, it } from 'vitest';
import { page } from '../../../src/kit/cli/coverage/coverage-page.ts';
import { coverageReport } from '../../../src/kit/cli/coverage/coverage-report.ts';
import { serveCovered } from '../../../src/kit/cli/coverage/serve-covered.ts';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { createLog } from '../../../src/kit/observe/log.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { atOnce } from '../../../tools/support/server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'covered-'));
afterAll(() => rmSync(folder, { recursive: true }));

const openapi = `openapi: 3.1.0
info: { title: Sky, version: '<1>' }
paths:
  /planets/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    put:
      operationId: putPlanet
      parameters:
        - { name: mode, in: query, schema: { type: string } }
        - { name: X-Trace, in: header, schema: { type: string } }
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Planet' } } } }
      responses:
        '200': { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/Planet' } } } }
        '4XX': { description: A fault., content: { application/json: { schema: { $ref: '#/components/schemas/Problem' } } } }
        '500': { description: A failure. }
        '503': { description: Too much. }
    get:
      operationId: getPlanet
      responses:
        '200': { description: It., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Planet' } } } } }
        '5XX': { description: A failure. }
        '405': { description: No. }
        default: { description: A fault. }
components:
  schemas:
    Planet:
      type: object
      required: [name, kind, moons]
      properties:
        name: { type: string }
        kind: { type: string, enum: [rock, gas] }
        moons: { type: array, items: { $ref: '#/components/schemas/Moon' } }
        orbit: { type: object, properties: { days: { type: integer } } }
        twin: { $ref: '#/components/schemas/Planet' }
    Moon: { type: object, required: [name], properties: { name: { type: string }, planet: { $ref: '#/components/schemas/Planet' } } }
    Problem:
      type: object
      properties:
        type:
          type: string
          enum:
            - urn:accord:problem:not-found
            - urn:accord:problem:internal-error
            - urn:accord:problem:unavailable
            - urn:accord:problem:request-timeout
            - urn:accord:problem:headers-too-large
            - urn:accord:problem:conflict
        code: { enum: [A, INTERNAL_SERVER_ERROR, UNAVAILABLE] }
`;
const sdl =
  'type Query { planet(id: ID!, mode: Int): Planet }\ntype Planet { name: String <x> }\n'.replace(
    ' <x>',
    '',
  );

describe('the report on contract coverage', () => {
  it('is as written', async () => {
    const contract = await parseContract(openapi, 'openapi.yaml', { lenient: true });
    const counts = new Map([
      ...([
        ['putPlanet → 200', 3],
        ['putPlanet ← mode', 1],
        ['Planet.kind = rock', 2],
      ] as const),
      ...([
        ['GraphQL Query.planet', 1],
        ['GraphQL Query.planet(id:)', 1],
      ] as const),
    ]);
    const report = coverageReport(contract, buildSchema(sdl), counts);
    const text = `${JSON.stringify(report, null, 2)}\n${page(report)}`;
    await expect(text).toMatchFileSnapshot('expected/coverage-report.txt');
  });

  it('knows no conflict where nothing can conflict', async () => {
    const text = openapi.replace(
      "'503': { description: Too much. }",
      "'409': { description: There is one. }",
    );
    const contract = await parseContract(text, 'openapi.yaml', { lenient: true });
    const { sections } = coverageReport(contract, undefined, new Map());
    const conflict = sections
      .flatMap(({ parts }) => parts)
      .find(({ name }) => name.endsWith(':conflict'));
    expect(conflict).toEqual({ name: 'Problem.type = urn:accord:problem:conflict', count: 0 });
  });

  it('is complete only when each required part was exercised', async () => {
    const contract = await parseContract(openapi, 'openapi.yaml', { lenient: true });
    const report = (counts: ReadonlyMap<string, number>) =>
      coverageReport(contract, buildSchema(sdl), counts);
    const required = report(new Map())
      .sections.filter(({ isRequired }) => isRequired)
      .flatMap(({ parts }) => parts.filter(({ reason }) => !reason))
      .map(({ name }) => name);
    const all = new Map(required.map((name) => [name, 1]));
    expect(report(all).isComplete).toBe(true);
    for (const name of required)
      expect(report(new Map([...all, [name, 0]])).isComplete, name).toBe(false);
  });
});

it('a server counts the parts that each request exercises, once', async () => {
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return pathToFileURL(join(folder, name));
  };
  const planet = {
    name: 'Mars',
    kind: 'rock',
    moons: [{ name: 'Phobos' }, { name: 'Deimos' }],
    orbit: { days: 7 },
  };
  const handlers = {
    putPlanet: () => ({ status: 200, body: planet }),
    getPlanet: () => ({
      status: 200,
      body: [planet, { ...planet, kind: 'gas', orbit: undefined }],
    }),
  };
  const server = await serveCovered(
    join(folder, 'counts'),
    {
      openapi: file('openapi.yaml', openapi),
      graphql: file('schema.graphql', sdl),
      handlers: () => handlers,
      mocks: true,
      lenient: true,
    },
    {
      settings: readSettings({ PORT: '0', ...atOnce, RESPONSE_SAMPLE: '0' }),
      log: createLog('silent', () => {}),
    },
  );
  const send = async (method: string, path: string, body?: unknown, headers = {}) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await fetch(server.url + path, {
      ...{ method, headers: { ...type, ...headers } },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    await answer.text();
    return answer.status;
  };
  const statuses = [
    await send(
      'PUT',
      '/planets/1?mode=x',
      { name: 'a', kind: 'gas', moons: [] },
      { 'x-trace': 't' },
    ),
    await send('PUT', '/planets/one'),
    await send('GET', '/planets/1'),
    await send('DELETE', '/planets/1'),
    await send('GET', '/none'),
    await send('POST', '/graphql', {
      query: '{ planet(id: 1) { name } again: planet(id: 2) { name } }',
    }),
    await send('POST', '/graphql', { query: '{ nothing }' }),
    await send('GET', `/graphql?query=${encodeURIComponent('{ planet(id: 1) { name } }')}`),
  ];
  await server.stop();
  const [name = ''] = readdirSync(join(folder, 'counts'));
  const counts = JSON.parse(readFileSync(join(folder, 'counts', name), 'utf8'));
  await expect(`${JSON.stringify({ statuses, counts }, null, 2)}\n`).toMatchFileSnapshot(
    'expected/coverage-counts.txt',
  );
});
