// engines: sqlite
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MockOptions } from '../../../src/kit/mock/mocks.ts';
import { foreignContracts } from '../../../tools/support/foreign-contracts.ts';
import { serveContract } from '../../support/contract-server.ts';
import { type MockServer, serveMock } from '../../support/mock-server.ts';

function foreign(name: string): URL {
  const found = foreignContracts().find((each) => each.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found.file;
}

const galaxy = foreign('galaxy/3.1.json');
const trains = foreign('oas-examples/3.1/json/train-travel.json');
const pets = foreign('oas-examples/3.0/json/petstore-expanded.json');

type Step = readonly [method: string, path: string, body?: unknown, prefer?: string];

/** The answers to one request after the other, each of them valid. */
async function told(server: MockServer, steps: readonly Step[]) {
  const answers = [];
  for (const [method, path, body, prefer] of steps) {
    const answer = await server.ask(method, path, body, prefer ? { prefer } : {});
    expect([method, path, answer.violations]).toEqual([method, path, []]);
    answers.push(answer);
  }
  return answers;
}

/** The same on a server of its own. */
async function story(file: URL, steps: readonly Step[], options: MockOptions = {}) {
  const server = await serveMock({ openapi: file }, options);
  try {
    return await told(server, steps);
  } finally {
    await server.stop();
    expect(server.failures).toEqual([]);
  }
}

const planets: readonly Step[] = [
  ['POST', '/planets', { name: 'Vulcan', description: 'Hot' }],
  ['GET', '/planets/2'],
  ['GET', '/planets'],
  ['PUT', '/planets/2', { name: 'Romulus' }],
  ['GET', '/planets/2'],
  ['DELETE', '/planets/2'],
  ['GET', '/planets/2'],
  ['DELETE', '/planets/2'],
  ['GET', '/planets'],
];

describe('a collection of planets', () => {
  it('keeps what it is sent until that is deleted', async () => {
    const answers = await story(galaxy, planets);
    const vulcan = { id: 2, name: 'Vulcan', description: 'Hot' };
    const romulus = { id: 2, name: 'Romulus' };
    expect(answers.map(({ status }) => status)).toEqual([
      ...[201, 200, 200, 200, 200, 204, 404, 404, 200],
    ]);
    const [created, read, listed, replaced, reread, , gone, , rest] = answers.map((a) => a.json);
    expect([created, read, replaced, reread]).toEqual([vulcan, vulcan, romulus, romulus]);
    expect(listed.data).toEqual([expect.objectContaining({ id: 1, name: 'Mars' }), vulcan]);
    expect(listed.meta).toEqual({ limit: 10, offset: 0, total: 2, next: null });
    expect(gone).toMatchObject({ status: 404 });
    expect(rest.data).toHaveLength(1);
    expect(new Set(answers.map(({ headers }) => headers['accord-mock']))).toEqual(
      new Set(['true']),
    );
  });

  it('answers with the same bytes after a restart', async () => {
    const dynamic: Step = ['GET', '/planets', undefined, 'dynamic=true'];
    const steps = [...planets, dynamic, dynamic];
    const texts = async (seed: number) =>
      (await story(galaxy, steps, { seed })).map(({ text }) => text);
    const first = await texts(7);
    expect(await texts(7)).toEqual(first);
    expect(first.at(-1)).not.toBe(first.at(-2));
    expect((await texts(8)).at(-1)).not.toBe(first.at(-1));
  });

  it('honours limit and offset', async () => {
    const made: Step[] = ['A', 'B', 'C'].map((name) => ['POST', '/planets', { name }]);
    const [, , , page, last, none] = await story(galaxy, [
      ...made,
      ['GET', '/planets?limit=2&offset=1'],
      ['GET', '/planets?limit=2&offset=3'],
      ['GET', '/planets?limit=0'],
    ]);
    expect(none?.json).toMatchObject({ data: [], meta: { total: 4, next: null } });
    expect(page?.json.data.map(({ name }: { name: string }) => name)).toEqual(['A', 'B']);
    expect(page?.json.meta).toEqual({
      ...{ limit: 2, offset: 1, total: 4 },
      next: '/planets?limit=2&offset=3',
    });
    expect(last?.json.data.map(({ name }: { name: string }) => name)).toEqual(['C']);
  });

  it('answers an id that nobody has sent as the contract does, under that id', async () => {
    const [one, changed, listed] = await story(galaxy, [
      ['GET', '/planets/77'],
      ['PUT', '/planets/78', { name: 'New' }],
      ['GET', '/planets'],
    ]);
    expect(one?.json).toMatchObject({ id: 77, name: 'Mars' });
    expect(changed?.json).toEqual({ id: 78, name: 'New' });
    expect(listed?.json.data.map(({ id }: { id: number }) => id)).toEqual([1, 78]);
  });

  it('keeps nothing where it is stateless', async () => {
    const [, , listed, , , deleted, gone] = await story(galaxy, planets, { stateless: true });
    expect(listed?.json.data).toHaveLength(1);
    expect([deleted?.status, gone?.status]).toEqual([204, 200]);
  });

  it('leaves what Prefer names to the contract', async () => {
    const [, example, code] = await story(galaxy, [
      ['DELETE', '/planets/1'],
      ['GET', '/planets/1', undefined, 'code=200'],
      ['GET', '/planets/1', undefined, 'code=404'],
    ]);
    expect([example?.status, code?.status]).toEqual([200, 404]);
  });
});

it('keeps what it is sent whatever is preferred that it does not know', async () => {
  const [created] = await story(trains, [
    ['POST', '/bookings', { passenger_name: 'Joy' }, 'return=representation, wait=10, =x'],
  ]);
  expect(created?.json).toMatchObject({ passenger_name: 'Joy' });
});

it('keeps bookings, whose ids are UUIDs, and pets', async () => {
  const passenger = { passenger_name: 'Joy' };
  const [created, listed] = await story(trains, [
    ['POST', '/bookings', passenger],
    ['GET', '/bookings'],
  ]);
  expect(created?.json).toMatchObject(passenger);
  expect(created?.json.id).toMatch(/^[0-9a-f-]{36}$/);
  expect(listed?.json.data.at(-1)).toEqual(created?.json);
  expect(listed?.json.data.length).toBeGreaterThan(1);
  const [pet, found, , gone] = await story(pets, [
    ['POST', '/pets', { name: 'Rex', tag: 'dog' }],
    ['GET', '/pets/1'],
    ['DELETE', '/pets/1'],
    ['GET', '/pets/1'],
  ]);
  expect(pet?.json).toEqual({ id: 1, name: 'Rex', tag: 'dog' });
  expect(found?.json).toEqual(pet?.json);
  expect(gone?.status).toBe(404);
});

const fleet = `
openapi: 3.1.0
info: { title: Fleet, version: '1' }
components:
  schemas:
    buoy:
      type: object
      required: [serial, shade]
      properties:
        serial: { type: string, pattern: '^[0-9a-z]+$', readOnly: true }
        shade: { type: string, enum: [dark, light] }
        note: { type: [string, 'null'], maxLength: 2000 }
        depth: { type: object, properties: { low: { type: integer }, high: { type: integer } } }
        made: { type: string, format: date-time, readOnly: true }
        code: { type: string, writeOnly: true }
paths:
  /harbors/{harbor}/buoys:
    parameters: [{ name: harbor, in: path, required: true, schema: { type: string } }]
    get:
      operationId: listBuoys
      parameters:
        - { name: page, in: query, schema: { type: integer, minimum: 1, default: 1 } }
        - { name: per_page, in: query, schema: { type: integer, minimum: 1, maximum: 100, default: 30 } }
      responses:
        '200':
          description: All.
          headers: { Link: { schema: { type: string }, example: '<https://example.com>; rel="next"' } }
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/buoy' } } } }
    post:
      operationId: makeBuoy
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/buoy' } } } }
      responses:
        '201':
          description: Made.
          headers: { Location: { required: true, schema: { type: string, format: uri-reference } } }
  /harbors/{port}/buoys/{buoySerial}:
    parameters:
      - { name: port, in: path, required: true, schema: { type: string } }
      - { name: buoySerial, in: path, required: true, schema: { type: string } }
    get:
      operationId: getBuoy
      responses:
        '200': { description: One., content: { application/json: { schema: { type: object, required: [data], properties: { data: { $ref: '#/components/schemas/buoy' } } } } } }
    patch:
      operationId: changeBuoy
      requestBody:
        required: true
        content: { application/merge-patch+json: { schema: { type: object } }, application/json: { schema: { type: object } } }
      responses:
        '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/buoy' } } } }
    delete: { operationId: sinkBuoy, responses: { '204': { description: Gone. } } }
`;

it('keeps text with U+0000 and lone surrogates as it is', async () => {
  const server = await serveContract(places, {}, { mocks: true, share: 1, fastLane: true });
  const send = async (method: string, path: string, body?: string) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(server.url + path, { method, ...(body && { headers, body }) });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  for (const text of ['a\\u0000b', '\\ud800x', 'x\\udc00']) {
    const created = await send('POST', '/places', `{"name":"${text}"}`);
    expect(created.status).toBe(201);
    const found = await send('GET', new URL(created.headers.get('location') ?? '').pathname);
    expect(found.text).toBe(created.text);
    expect(found.text).toContain(`"name":"${text}"`);
  }
  // No path has a lone surrogate, so that there is no address.
  const unnamed = await send('POST', '/places', '{"id":"\\ud800","name":"n"}');
  expect(unnamed).toMatchObject({ status: 201, text: '{"id":"\\ud800","name":"n"}' });
  expect(unnamed.headers.get('location')).toBeNull();
  await server.stop();
});

const places = `
openapi: 3.1.0
info: { title: Places, version: '1' }
components:
  schemas:
    place: { type: object, required: [id, name], properties: { id: { type: string }, name: { type: string } } }
    newPlace: { type: object, required: [name], properties: { id: { type: string }, name: { type: string } } }
paths:
  /places:
    get:
      operationId: listPlaces
      responses:
        '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/place' } } } } }
    post:
      operationId: makePlace
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/newPlace' } } } }
      responses:
        '201':
          description: Made.
          headers: { Location: { schema: { type: string, format: uri-reference } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/place' } } }
  /places/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getPlace
      responses:
        '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/place' } } } }
`;

describe('a nested collection', () => {
  let server: Awaited<ReturnType<typeof serveContract>>;
  beforeAll(async () => {
    server = await serveContract(fleet, {}, { mocks: true, share: 1, fastLane: true });
  });
  afterAll(() => server.stop());

  const ask = (method: string, path: string, body?: unknown) =>
    fetch(server.url + path, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  const value = async (path: string) => Object(await (await ask('GET', path)).json());

  it('is one for each parent, with the members that the schema alone sets', async () => {
    const made = await ask('POST', '/harbors/a/buoys', { shade: 'light', code: 'x', note: 'n' });
    expect(made.status).toBe(201);
    const place = new URL(made.headers.get('location') ?? '').pathname;
    const { data } = await value(place);
    expect(data).toEqual({
      serial: place.split('/').at(-1),
      made: expect.stringMatching(/Z$/),
      ...{ shade: 'light', note: 'n' },
    });
    expect(await value('/harbors/a/buoys')).toContainEqual(data);
    expect(await value('/harbors/b/buoys')).not.toContainEqual(data);
  });

  it('merges a patch, in which null removes what cannot be null', async () => {
    const made = await ask('POST', '/harbors/c/buoys', { shade: 'dark', depth: { low: 1 } });
    const place = new URL(made.headers.get('location') ?? '').pathname;
    const patched = await ask('PATCH', place, { note: null, depth: { high: 9 }, unknown: 1 });
    expect(await patched.json()).toMatchObject({ note: null, depth: { low: 1, high: 9 } });
    await ask('PATCH', place, { depth: null, shade: 'pink' });
    const { data } = await value(place);
    expect(data).toMatchObject({ shade: 'dark', note: null });
    expect(data).not.toHaveProperty('depth');
    expect(data).not.toHaveProperty('unknown');
  });

  it('says where the next page is, and not what the example says', async () => {
    expect((await ask('GET', '/harbors/d/buoys')).headers.get('link')).toBeNull();
    for (const note of ['1', '2', '3']) {
      await ask('POST', '/harbors/d/buoys', { shade: 'dark', note });
    }
    const seen: unknown[] = [];
    let next: string | undefined = '/harbors/d/buoys?per_page=2';
    for (let i = 0; next && i < 9; i++) {
      const page: Response = await ask('GET', next);
      seen.push(...Object(await page.json()));
      const [, link] = /<([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '') ?? [];
      next = link?.replace(server.url, '');
    }
    expect(seen).toHaveLength(4);
    expect(next).toBeUndefined();
  });

  it('forgets the oldest of very many', async () => {
    const note = 'n'.repeat(2000);
    const made = await ask('POST', '/harbors/e/buoys', { shade: 'light', note: 'first' });
    const place = new URL(made.headers.get('location') ?? '').pathname;
    for (let i = 0; i < 400; i++) await ask('POST', '/harbors/e/buoys', { shade: 'dark', note });
    // As one that nobody has sent.
    expect((await value(place)).data.note).not.toBe('first');
    const kept = await value('/harbors/e/buoys?per_page=100&page=3');
    expect(kept.length).toBeLessThan(100);
  });

  it('has broken no contract', () => {
    expect(server.log.filter((line) => line.includes('"error"'))).toEqual([]);
  });
});

describe('any sequence of steps', () => {
  const id = fc.integer({ min: 0, max: 4 });
  const name = fc.string({ maxLength: 5 });
  const planet = fc.record(
    { name, description: fc.option(name), image: fc.constant('https://example.com/a') },
    { requiredKeys: ['name'] },
  );
  const step: fc.Arbitrary<Step> = fc.oneof(
    planet.map((body): Step => ['POST', '/planets', body]),
    id.map((n): Step => ['GET', `/planets/${n}`]),
    fc.tuple(id, planet).map(([n, body]): Step => ['PUT', `/planets/${n}`, body]),
    id.map((n): Step => ['DELETE', `/planets/${n}`]),
    fc.tuple(id, id).map(([n, m]): Step => ['GET', `/planets?limit=${n}&offset=${m}`]),
    fc.constant<Step>(['GET', '/planets', undefined, 'dynamic=true']),
  );

  it('gets answers that the contract admits, and reads what it wrote', async () => {
    const server = await serveMock({ openapi: galaxy });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const answers = await told(server, steps);
        for (const [i, [method, path]] of steps.entries()) {
          const { status, json } = answers[i] ?? {};
          if (method !== 'POST' && method !== 'PUT') continue;
          if (status === 404) continue;
          const [found] = await told(server, [['GET', `/planets/${json.id}`]]);
          const later = steps.slice(i + 1).map((each) => each[0] + each[1]);
          const isTouched = later.some((each) => each.endsWith(`/planets/${json.id}`));
          if (!isTouched && !later.includes(`POST${path}`)) expect(found?.json).toEqual(json);
        }
      }),
      { numRuns: 40, seed: 18 },
    );
    await server.stop();
    expect(server.failures).toEqual([]);
  });
});
