// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../../../src/kit/contract/response-check.ts';
import { serveContract } from '../../support/contract-server.ts';

const json = (schema: object, example?: unknown) => ({
  content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
});
const answer = (status: string, schema?: object, example?: unknown) => ({
  [status]: { description: 'An answer.', ...(schema && json(schema, example)) },
});
const operation = (operationId: string, responses: object, body?: object) => ({
  operationId,
  responses,
  ...(body && { requestBody: { required: true, ...json(body) } }),
});
const named = (properties: object, others: object = {}) => ({
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, ...properties },
  ...others,
});
const parameter = (name: string, type = 'string') => [
  { name, in: 'path', required: true, schema: { type } },
];
const anyObject = { type: 'object' };

const ship = named({ id: { type: 'string', pattern: '^S-[0-9]{4}$' } });
const crew = named({ id: { type: 'string', format: 'uuid', readOnly: true } });
const port = named({ code: { type: 'string' }, depth: { type: 'integer', minimum: 1 } });
const raft = named({ id: { type: 'integer' } });
const strict = named({ id: { type: 'integer' } }, { additionalProperties: false });

const paths = {
  '/ships': {
    get: operation('listShips', answer('200', { type: 'array', items: ship })),
    post: operation('createShip', answer('201', ship), anyObject),
  },
  '/ships/{id}': {
    parameters: parameter('id'),
    get: operation('getShip', { ...answer('200', ship), ...answer('404') }),
    delete: operation('deleteShip', answer('200', ship)),
  },
  // Only its reader declares no 404.
  '/crews': { post: operation('createCrew', answer('201', crew), anyObject) },
  '/crews/{crewId}': {
    parameters: parameter('crewId'),
    get: operation('getCrew', answer('200', crew)),
    delete: operation('deleteCrew', answer('204')),
    patch: operation('mergeCrew', answer('200', crew), anyObject),
    put: operation('putCrew', answer('200', crew), anyObject),
  },
  // The records are known from the list alone, which is wrapped; the others answer with nothing.
  '/ports': {
    get: operation(
      'listPorts',
      answer(
        '200',
        {
          type: 'object',
          properties: { ports: { type: 'array', items: port }, count: { type: 'integer' } },
        },
        { ports: [{ code: 'A', name: 'Alpha', depth: 4 }], count: 1 },
      ),
    ),
    post: operation('createPort', answer('201'), anyObject),
  },
  '/ports/{code}': {
    parameters: parameter('code'),
    put: operation('replacePort', answer('204'), port),
    delete: operation('deletePort', { ...answer('204'), ...answer('404') }),
  },
  // A record that a list shows with less.
  '/boats': {
    get: operation('listBoats', answer('200', { type: 'array', items: strict })),
    post: operation(
      'createBoat',
      answer('201', named({ id: { type: 'integer' }, sail: { type: 'string' } })),
      anyObject,
    ),
  },
  // Whose records are replaced by the id in the body, and which takes any body.
  '/rafts': {
    get: operation('listRafts', answer('200', { type: 'array', items: port })),
    post: operation('createRaft', answer('201', raft), {}),
    put: operation('replaceRaft', answer('200', raft), {}),
  },
  '/rafts/{id}': {
    parameters: parameter('id', 'integer'),
    get: operation('getRaft', answer('200', raft)),
    put: operation('putRaft', answer('200', raft), {}),
  },
  '/boats/{id}': {
    parameters: parameter('id', 'integer'),
    get: operation(
      'getBoat',
      answer('200', named({ id: { type: 'integer' }, sail: { type: 'string' } })),
    ),
  },
  // No collection: what it answers has no id, or is no record.
  '/words': {
    get: operation('listWords', answer('200', { type: 'array', items: { type: 'string' } })),
    post: operation('createWord', answer('201', { type: 'string' }), anyObject),
  },
  '/words/{id}': {
    parameters: parameter('id'),
    get: operation('getWord', answer('200', { type: 'string' })),
  },
  '/empty': {
    get: operation('listEmpty', answer('200', { type: 'array', items: ship, maxItems: 0 }, [])),
    post: operation('createEmpty', answer('404'), anyObject),
  },
  '/empty/{id}': { parameters: parameter('id'), delete: operation('deleteEmpty', answer('204')) },
};

let server: Awaited<ReturnType<typeof serveContract>>;
beforeAll(async () => {
  const contract = { openapi: '3.1.0', info: { title: 'Harbour', version: '1' }, paths };
  server = await serveContract(JSON.stringify(contract), {}, { mocks: true });
});
afterAll(async () => {
  await server.stop();
  expect(server.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

async function ask(method: string, path: string, body?: unknown) {
  const response = await fetch(server.url + path, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const text = await response.text();
  const found = {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text,
    json: text === '' ? undefined : JSON.parse(text),
  };
  const isRefusal = found.status === 404;
  expect(isRefusal ? [] : violations(server.contract, method, path, found)).toEqual([]);
  return { status: found.status, json: found.json, location: found.headers.location };
}

describe('a mocked collection', () => {
  it('gives ids that its pattern admits, and takes one that is sent', async () => {
    const made = await ask('POST', '/ships', { name: 'One' });
    expect(made.json).toMatchObject({ name: 'One', id: expect.stringMatching(/^S-\d{4}$/) });
    const sent = await ask('POST', '/ships', { name: 'Two', id: 'S-4321' });
    expect(sent.json.id).toBe('S-4321');
    expect((await ask('GET', '/ships/S-4321')).json).toEqual({ name: 'Two', id: 'S-4321' });
    expect((await ask('DELETE', '/ships/S-4321')).json.name).toBe('Two');
    expect((await ask('GET', '/ships/S-4321')).status).toBe(404);
  });

  it('changes a member that the schema refuses to one of the contract', async () => {
    const { json } = await ask('POST', '/ships', { name: 7, id: 'S-0007' });
    expect(json).toEqual({ name: 'string', id: 'S-0007' });
  });

  it('takes no id that only the server sets, and merges', async () => {
    const { json } = await ask('POST', '/crews', { name: 'Deck', id: 'mine' });
    expect(json.id).not.toBe('mine');
    expect((await ask('PATCH', `/crews/${json.id}`, { name: 'Bridge' })).json).toEqual({
      ...json,
      name: 'Bridge',
    });
    expect((await ask('PATCH', `/crews/${json.id}`, { name: null })).status).toBe(200);
  });

  it('answers with an example for a deleted record where no 404 is declared', async () => {
    const { json } = await ask('POST', '/crews', { name: 'Galley' });
    expect((await ask('DELETE', `/crews/${json.id}`)).status).toBe(204);
    expect((await ask('GET', `/crews/${json.id}`)).status).toBe(200);
  });

  it('keeps what is put in the place of a deleted record, under its id, and no part of one', async () => {
    const { json } = await ask('POST', '/crews', { name: 'Galley' });
    const path = `/crews/${json.id}`;
    const put = async () => (await ask('PUT', path, { name: 'Again' })).json;
    await ask('DELETE', path);
    expect((await ask('PATCH', path, { name: 'Part' })).json.name).not.toBe('Part');
    expect(await put()).toEqual({ ...json, name: 'Again' });
    expect((await ask('GET', path)).json).toEqual({ ...json, name: 'Again' });
  });

  it('is known by its list alone', async () => {
    expect((await ask('POST', '/ports', { name: 'Beta', code: 'B', depth: 9 })).status).toBe(201);
    expect((await ask('PUT', '/ports/A', { name: 'Aleph', code: 'A', depth: 2 })).status).toBe(204);
    const { json } = await ask('GET', '/ports');
    expect(json.ports).toEqual([
      { code: 'A', name: 'Aleph', depth: 2 },
      { code: 'B', name: 'Beta', depth: 9 },
    ]);
    expect((await ask('DELETE', '/ports/B')).status).toBe(204);
    expect((await ask('DELETE', '/ports/B')).status).toBe(404);
    // Of no known member.
    expect((await ask('POST', '/ports', { other: 1 })).status).toBe(201);
    expect((await ask('GET', '/ports')).json.ports).toHaveLength(1);
  });

  it('lists what the schema of the list admits', async () => {
    const { json } = await ask('POST', '/boats', { name: 'Dinghy', sail: 'red' });
    expect((await ask('GET', `/boats/${json.id}`)).json).toMatchObject({ sail: 'red' });
    const listed = (await ask('GET', '/boats')).json;
    expect(listed).toContainEqual({ id: json.id, name: 'Dinghy' });
  });

  it('takes the id of a record from the body where the path has none', async () => {
    const { json } = await ask('POST', '/rafts', { name: 'Log' });
    expect((await ask('PUT', '/rafts', { id: json.id, name: 'Reed' })).json.name).toBe('Reed');
    expect((await ask('GET', `/rafts/${json.id}`)).json.name).toBe('Reed');
  });

  it('answers what is no record, or has no id, with the example', async () => {
    for (const body of [[1], 'text', null]) {
      expect((await ask('POST', '/rafts', body)).json.name).toBe('string');
      expect((await ask('PUT', '/rafts/1', body)).json.name).toBe('string');
      expect((await ask('PUT', '/rafts', body)).json.name).toBe('string');
    }
    expect((await ask('PUT', '/rafts', { name: 'Reed' })).json.name).toBe('string');
  });

  it('is none where its answers are no records', async () => {
    expect((await ask('POST', '/words', { a: 1 })).status).toBe(201);
    expect((await ask('GET', '/words/1')).json).toBe('string');
    expect((await ask('GET', '/words')).json).toEqual(['string']);
    expect((await ask('GET', '/empty')).json).toEqual([]);
    expect((await ask('POST', '/empty', {})).status).toBe(404);
    expect((await ask('DELETE', '/empty/1')).status).toBe(204);
  });
});
