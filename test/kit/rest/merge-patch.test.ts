// engines: sqlite, postgres
import { beforeAll, describe, expect, it } from 'vitest';
import { collectionHandlers } from '../../../src/kit/rest/collection-handlers.ts';
import type { HandlerParts } from '../../../src/kit/rest/handler.ts';
import { collection, type StoreOf } from '../../../src/kit/store/table-declarations.ts';
import { ENOUGH_CONNECTIONS } from '../../support/engine.ts';
import { type Answer, useTables } from '../../support/table-server.ts';

type Place = { readonly id: number; readonly name: string };
type Trip = {
  readonly id: number;
  readonly placeId: number;
  readonly title: string;
  readonly price: number | null;
  readonly note?: string;
  readonly stars: number;
  readonly rank: number | null;
  readonly tags: readonly string[];
  readonly route: { readonly from: string; readonly via?: string; readonly to: string | null };
};
type Input = Omit<Trip, 'id' | 'stars' | 'rank'> & {
  readonly stars?: number;
  readonly rank?: number | null;
};
const tables = {
  places: collection<Place>({ name: 'text' }),
  trips: collection<Trip, Input>({
    placeId: { type: 'integer', references: { table: 'places', onDelete: 'restrict' } },
    title: 'text',
    price: 'number | null',
    note: 'text?',
    stars: { type: 'integer', default: 3 },
    rank: { type: 'integer | null', default: 7 },
    tags: 'json',
    route: 'json',
  }),
};

const problem = '{ description: Refused, content: { application/problem+json: {} } }';
const refusals = ['400', '404', '412', '422'].map((status) => `'${status}': ${problem}`).join(', ');
const trip = (status: number) =>
  `'${status}': { description: Done, headers: { ETag: { required: true, schema: { type: string } } }, content: { application/json: { schema: { $ref: '#/components/schemas/Trip' } } } }`;
const conditions = ['If-Match', 'If-None-Match']
  .map((name) => `{ name: ${name}, in: header, schema: { type: string } }`)
  .join(', ');
const fields = `
        placeId: { type: integer }
        title: { type: string, minLength: 1, maxLength: 20 }
        price: { type: [number, 'null'], minimum: 0 }
        note: { type: string }
        stars: { type: integer, minimum: 1, maximum: 5, default: 3 }
        rank: { type: [integer, 'null'], default: 7 }
        tags: { type: array, maxItems: 3, items: { type: string } }
        route:
          type: object
          required: [from, to]
          additionalProperties: false
          properties: { from: { type: string }, via: { type: string }, to: { type: [string, 'null'] } }`;
const openapi = `
openapi: 3.1.0
info: { title: Trips, version: 1.0.0 }
paths:
  /places:
    post:
      operationId: createPlace
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [name], properties: { name: { type: string } } } } } }
      responses: { '201': { description: Done, content: { application/json: {} } }, ${refusals} }
  /places/{id}:
    patch:
      operationId: patchPlace
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      requestBody: { required: true, content: { application/merge-patch+json: { schema: { type: object } }, application/vnd.place+json: {} } }
      responses: { '200': { description: Done, content: { application/json: {} } }, ${refusals} }
  /trips:
    post:
      operationId: createTrip
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/TripInput' } } } }
      responses: { ${trip(201)}, ${refusals} }
  /trips/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }, ${conditions}]
    get:
      operationId: getTrip
      responses: { ${trip(200)}, ${refusals} }
    put:
      operationId: replaceTrip
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/TripInput' } } } }
      responses: { ${trip(200)}, ${refusals} }
    patch:
      operationId: patchTrip
      requestBody: { required: true, content: { application/merge-patch+json: { schema: { $ref: '#/components/schemas/TripPatch' } } } }
      responses: { ${trip(200)}, ${refusals}, '415': ${problem} }
components:
  schemas:
    TripInput:
      type: object
      required: [placeId, title, price, tags, route]
      additionalProperties: false
      properties:${fields}
    # A default in it is not filled in.
    TripPatch: { type: object, properties: { id: {}, stars: { default: 1 }, title: { type: [string, 'null'] } } }
    Trip:
      type: object
      required: [id, placeId, title, price, stars, rank, tags, route]
      properties:
        id: { type: integer }${fields}
`;

const handlers = ({ store }: HandlerParts<StoreOf<typeof tables>>) => {
  const places = collectionHandlers('/places', store.places);
  const trips = collectionHandlers('/trips', store.trips);
  return {
    createPlace: places.create,
    patchPlace: places.patch,
    createTrip: trips.create,
    getTrip: trips.get,
    replaceTrip: trips.replace,
    patchTrip: trips.patch,
  };
};

const type = { 'content-type': 'application/merge-patch+json' };

describe.each(['on', 'off'])('PATCH with a merge patch, the fast lane %s', (FAST_LANE) => {
  const env = { FAST_LANE, DATABASE_POOL: `${ENOUGH_CONNECTIONS}` };
  const { send, faults } = useTables({ openapi, tables, handlers, env });
  const first = {
    placeId: 1,
    title: 'Alps',
    price: 10.5,
    note: 'by train',
    tags: ['a', 'b'],
    route: { from: 'Bern', via: 'Thun', to: 'Visp' },
  };
  let id = 0;
  beforeAll(async () => {
    if ((await send('POST', '/places', { name: 'x' })).status !== 201) return;
    id = (await send('POST', '/trips', first)).json.id;
  });
  const patch = (json: unknown, headers = {}, at = id) =>
    send('PATCH', `/trips/${at}`, json, { ...type, ...headers });
  const record = { id: 1, ...first, stars: 3, rank: 7 };
  const restored = async () => {
    const { status } = await send('PUT', `/trips/${id}`, first);
    expect(status).toBe(200);
  };

  it('merges objects, replaces arrays, and leaves the rest', async () => {
    await restored();
    const patched = await patch({ title: 'Tour', tags: ['c'], route: { to: 'Brig' } });
    const route = { ...first.route, to: 'Brig' };
    expect([patched.status, patched.json]).toEqual([
      200,
      { ...record, title: 'Tour', tags: ['c'], route },
    ]);
    const read = await send('GET', `/trips/${id}`);
    expect(read.text).toBe(patched.text);
    expect(patched.headers.get('etag')).toBe(read.headers.get('etag'));
    expect((await patch({})).json).toEqual(patched.json);
  });

  it('takes null for the value of a field that may be null, and otherwise for its removal', async () => {
    await restored();
    const { note: _, ...without } = record;
    const changed = { price: null, note: null, stars: null, rank: null };
    const { json } = await patch({ ...changed, route: { via: null, to: null } });
    const route = { from: 'Bern', to: null };
    expect(json).toEqual({ ...without, price: null, stars: 3, rank: null, route });
  });

  it('holds what comes of it to the body of PUT, and changes nothing otherwise', async () => {
    await restored();
    const { headers } = await send('GET', `/trips/${id}`);
    const long = 'x'.repeat(21);
    for (const [change, paths] of [
      [{ title: null }, ['/body/title']],
      [{ title: long, stars: 6 }, ['/body/title', '/body/stars']],
      [{ tags: ['a', 7] }, ['/body/tags/1']],
      [{ route: { from: null } }, ['/body/route/from']],
      [{ route: { more: 1 } }, ['/body/route/more']],
      [{ route: null }, ['/body/route']],
      [{ colour: 'red' }, ['/body/colour']],
      [{ price: -1 }, ['/body/price']],
      [{ id: id + 1 }, ['/body/id']],
    ] as const) {
      const refused = await patch(change);
      expect(refused.status).toBe(400);
      const errors: { path: string; message: string }[] = refused.json.errors;
      expect(errors.map(({ path }) => path).sort()).toEqual([...paths].sort());
    }
    const merged = { ...first, title: long, stars: 6 };
    const put = await send('PUT', `/trips/${id}`, merged);
    expect((await patch({ title: long, stars: 6 })).text).toBe(put.text);
    const after = await send('GET', `/trips/${id}`);
    expect(after.json).toEqual(record);
    expect(after.headers.get('etag')).toBe(headers.get('etag'));
  });

  it('takes the id of the path, and no other value for the whole', async () => {
    expect((await patch({ id })).status).toBe(200);
    for (const json of [null, [], 'x', 7]) {
      expect((await patch(json)).status).toBe(400);
      const open = await send('PATCH', '/places/1', json, type);
      expect(open.status).toBe(400);
    }
  });

  it('keeps members of any name apart from the object’s own', async () => {
    const hostile = '{"route":{"__proto__":{"from":"x"},"constructor":null}}';
    const sent = await send('PATCH', `/trips/${id}`, JSON.parse(hostile), type);
    expect(sent.json.errors).toMatchObject([{ path: '/body/route/__proto__' }]);
  });

  it('refuses a reference to no record, and finds no record that is not there', async () => {
    const unknown = await patch({ placeId: 999 });
    expect([unknown.status, unknown.json.errors[0].path]).toEqual([422, '/body/placeId']);
    expect((await patch({}, {}, 999)).status).toBe(404);
  });

  it('is conditional like PUT', async () => {
    await restored();
    const etag = String((await send('GET', `/trips/${id}`)).headers.get('etag'));
    const stale = await patch({ title: 'no' }, { 'if-match': '"99999"' });
    expect(stale.status).toBe(412);
    expect((await patch({ title: 'no' }, { 'if-none-match': etag })).status).toBe(412);
    expect((await patch({ title: 'no' }, { 'if-none-match': '*' })).status).toBe(412);
    const patched = await patch({ title: 'yes' }, { 'if-match': etag });
    expect(patched.json.title).toBe('yes');
    expect((await patch({ title: 'no' }, { 'if-match': etag })).status).toBe(412);
    expect((await patch({ title: 'any' }, { 'if-match': '*' })).json.title).toBe('any');
  });

  it('loses no field of those that write at the same time', async () => {
    await restored();
    const changes = Array.from({ length: 30 }, (_, i) =>
      i % 3 === 0
        ? { title: `title ${i}` }
        : i % 3 === 1
          ? { note: `note ${i}` }
          : { route: { via: `via ${i}` } },
    );
    const answers = await Promise.all(changes.map((change) => patch(change)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { json, headers } = await send('GET', `/trips/${id}`);
    expect(json.title).toMatch(/^title /);
    expect(json.note).toMatch(/^note /);
    expect(json.route.via).toMatch(/^via /);
    const tags = answers.map((each) => each.headers.get('etag'));
    expect(new Set(tags).size).toBe(30);
    expect(tags).toContain(headers.get('etag'));
  });

  it('is 415 for another media type, and names those that it takes', async () => {
    const answers: Answer[] = [
      await send('PATCH', `/trips/${id}`, {}),
      await send('PATCH', '/places/1', {}, { 'content-type': 'application/json-patch+json' }),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get('accept-patch')])).toEqual([
      [415, 'application/merge-patch+json'],
      [415, 'application/merge-patch+json, application/vnd.place+json'],
    ]);
    expect((await send('PATCH', '/places/1', { name: 'y' }, type)).json).toEqual({
      id: 1,
      name: 'y',
    });
  });

  it('keeps to the contract in all of its answers', () => {
    expect(faults()).toEqual([]);
  });
});
