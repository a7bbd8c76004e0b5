// engines: sqlite, postgres
import { describe, expect, it } from 'vitest';
import { bodyFaults, readContract } from '../../src/kit/contract/contract.ts';
import { useServer } from '../support/api-server.ts';
import { collections, samples } from '../support/collections.ts';
import { ENOUGH_CONNECTIONS } from '../support/engine.ts';

const { api } = useServer({ DATABASE_POOL: `${ENOUGH_CONNECTIONS}` }, collections);
const contract = await readContract(new URL('../../openapi.yaml', import.meta.url));

describe.each(collections)('/%s', (name) => {
  const { input, other, edges, refused } = samples[name];
  const collection = `/${name}`;
  const create = (json: unknown = input) => api({ method: 'POST', path: collection, json });
  const absent = `${collection}/9007199254740991`;

  describe('GET the collection', () => {
    it('answers 200 with a JSON list in order of id', async () => {
      const first = (await create()).json;
      const second = (await create(other)).json;
      const { status, json } = await api({ path: collection });
      expect(status).toBe(200);
      expect(json.slice(-2)).toEqual([first, second]);
      const ids = json.map(({ id }: { id: number }) => id);
      expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b));
    });

    it('gives pages that together are the whole list, each but the last with a Link', async () => {
      await create();
      await create();
      await create();
      const all = (await api({ path: collection })).json;
      const pages = [];
      let path: string | undefined = `${collection}?limit=2`;
      while (path) {
        const { json, headers } = await api({ path });
        pages.push(...json);
        path = headers.link?.toString().match(/^<(.*)>; rel="next"$/)?.[1];
      }
      expect(pages).toEqual(all);
    });

    it('has no Link on a page that ends with the last record', async () => {
      const { json } = await api({ path: collection });
      const { headers } = await api({ path: `${collection}?limit=${json.length}` });
      expect(headers.link).toBeUndefined();
    });

    it('gives an empty list after the last record', async () => {
      const { text } = await api({ path: `${collection}?limit=1&after=9007199254740991` });
      expect(text).toBe('[]');
    });

    it.each([
      'limit=0',
      'limit=1001',
      'limit=-1',
      'limit=1e1',
      'limit=+1',
      'limit=%201',
      'limit=0x10',
      'limit=1.0',
      'limit=01',
      'limit=',
      'limit',
      'limit=a',
      'limit=1&limit=1',
      'limit[]=1',
      'after=-1',
      'after=9007199254740992',
      'page=1',
      '__proto__=1',
      'constructor=1',
      '=',
      '%ff=1',
    ])('refuses ?%s with 400', async (query) => {
      const { status, json } = await api({ path: `${collection}?${query}` });
      expect(status).toBe(400);
      expect(json.errors[0].path).toMatch(/^\/query/);
    });
  });

  describe('GET one', () => {
    it('answers 200 with the one record', async () => {
      const { json } = await create();
      const got = await api({ path: `${collection}/${json.id}` });
      expect(got.status).toBe(200);
      expect(got.json).toEqual(json);
    });

    it('answers 404 when the id does not exist', async () => {
      expect((await api({ path: absent })).status).toBe(404);
    });

    it('answers 304 while the record is the version named', async () => {
      const { json, headers } = await create();
      const path = `${collection}/${json.id}`;
      const tag = String(headers.etag);
      const get = (value: string) => api({ path, headers: { 'if-none-match': value } });
      expect((await get(tag)).status).toBe(304);
      expect((await get(`"x", W/${tag}`)).status).toBe(304);
      expect((await get('*')).status).toBe(304);
      expect((await get('"0"')).status).toBe(200);
      expect((await get('not a tag')).status).toBe(400);
      await api({ method: 'PUT', path, json: other });
      expect((await get(tag)).status).toBe(200);
    });

    it('answers 412 when the record is not a version named in If-Match, before If-None-Match', async () => {
      const { json, headers } = await create();
      const path = `${collection}/${json.id}`;
      const tag = String(headers.etag);
      const get = (ifMatch: string, more = {}) =>
        api({ path, headers: { 'if-match': ifMatch, ...more } });
      expect((await get('"7"')).status).toBe(412);
      expect((await get(`W/${tag}`)).status).toBe(412);
      expect((await get('"7"', { 'if-none-match': tag })).status).toBe(412);
      expect((await get(`"7", ${tag}`)).json).toEqual(json);
      expect((await get('*')).json).toEqual(json);
      expect((await get('*', { 'if-none-match': tag })).status).toBe(304);
      expect((await get('not a tag')).status).toBe(400);
      expect((await api({ method: 'HEAD', path, headers: { 'if-match': '"7"' } })).status).toBe(
        412,
      );
      expect((await api({ path: absent, headers: { 'if-match': '*' } })).status).toBe(404);
    });
  });

  describe('POST', () => {
    it('answers 201 with the new record and where it is', async () => {
      const { status, json, headers } = await create();
      expect(status).toBe(201);
      expect(json).toEqual({ id: json.id, ...input });
      expect(headers.location).toBe(`${collection}/${json.id}`);
      expect((await api({ path: String(headers.location) })).json).toEqual(json);
    });

    it.each(edges.map((edge) => [edge]))('admits what is just within the bounds', async (edge) => {
      const { status, json } = await create(edge);
      expect(status).toBe(201);
      expect(json).toEqual({ id: json.id, ...edge });
    });

    it.each(refused)('answers 400 naming %s and stores nothing', async (path, json) => {
      const before = (await api({ path: collection })).text;
      const answer = await create(json);
      expect(answer.status).toBe(400);
      expect(answer.json.errors).toContainEqual({ path, message: expect.any(String) });
      expect((await api({ path: collection })).text).toBe(before);
    });

    it.each([
      ['an unknown property', { ...input, colour: 'red' }],
      ['an id', { ...input, id: 1 }],
      ['__proto__', JSON.parse('{"__proto__": {}}')],
      ['an array', [input]],
      ['null', null],
      ['text', 'text'],
      ['a number', 1],
    ])('refuses %s with 400', async (_, json) => {
      expect((await create(json)).status).toBe(400);
    });

    it('names every part at fault at once', async () => {
      const paths = (await create({})).json.errors.map(({ path }: { path: string }) => path);
      const missing = await Promise.all(
        Object.keys(input).map(async (field) => {
          const { status } = await create({ ...input, [field]: undefined });
          return status === 400 ? [`/body/${field}`] : [];
        }),
      );
      expect(paths).toEqual(missing.flat());
    });
  });

  describe('PUT', () => {
    it('answers 200 with the updated record', async () => {
      const { json } = await create();
      const path = `${collection}/${json.id}`;
      const put = await api({ method: 'PUT', path, json: other });
      expect(put.status).toBe(200);
      expect(put.json).toEqual({ id: json.id, ...other });
      expect((await api({ path })).json).toEqual(put.json);
    });

    it('takes back what was read, its id included', async () => {
      const { json } = await create();
      const put = await api({ method: 'PUT', path: `${collection}/${json.id}`, json });
      expect(put.json).toEqual(json);
    });

    it('takes no body that the contract forbids: an id is declared', async () => {
      const { json } = await create();
      const { id } = contract.operations.find(
        ({ method, path }) => method === 'PUT' && path === `${collection}/{id}`,
      ) ?? { id: '' };
      const faults = bodyFaults(contract, id);
      for (const body of [json, other, { ...json, colour: 'red' }, { ...json, id: '1' }]) {
        const { status } = await api({
          method: 'PUT',
          path: `${collection}/${json.id}`,
          json: body,
        });
        expect([status, faults(body)]).toEqual([faults(body).length > 0 ? 400 : 200, faults(body)]);
      }
    });

    it.each([[1], ['1'], [null], [1.5]])('refuses the id %j in a body for another', async (id) => {
      await create();
      const { json } = await create();
      const path = `${collection}/${json.id}`;
      const put = await api({ method: 'PUT', path, json: { ...other, id } });
      expect(put.status).toBe(400);
      expect(put.json.errors[0].path).toBe('/body/id');
      expect((await api({ path })).json).toEqual(json);
    });

    it('answers 404 when the id does not exist', async () => {
      expect((await api({ method: 'PUT', path: absent, json: input })).status).toBe(404);
      const headers = { 'if-match': '"1"' };
      expect((await api({ method: 'PUT', path: absent, json: input, headers })).status).toBe(404);
    });

    it.each(refused)('answers 400 naming %s and changes nothing', async (path, json) => {
      const { json: record } = await create();
      const place = `${collection}/${record.id}`;
      const put = await api({ method: 'PUT', path: place, json });
      expect(put.status).toBe(400);
      expect(put.json.errors).toContainEqual({ path, message: expect.any(String) });
      expect((await api({ path: place })).json).toEqual(record);
    });

    it('answers 412 and changes nothing when the version named is no longer there', async () => {
      const { json, headers } = await create();
      const path = `${collection}/${json.id}`;
      const put = (tag: string) =>
        api({ method: 'PUT', path, json: other, headers: { 'if-match': tag } });
      const tag = String(headers.etag);
      expect((await put(`W/${tag}`)).status).toBe(412);
      for (const other of [
        '"x"',
        '"0x1"',
        '"1e0"',
        '"01"',
        '"1.0"',
        '"+1"',
        '"1."',
        '"0b1"',
        '""',
      ]) {
        expect((await put(other)).status).toBe(412);
      }
      expect((await api({ path })).json).toEqual(json);
      expect((await put(`"7",, \t${tag},`)).status).toBe(200);
      expect((await put(tag)).status).toBe(412);
      expect((await put('*')).status).toBe(200);
    });

    it('answers 412 and overwrites nothing when If-None-Match names what is there', async () => {
      const { json, headers } = await create();
      const path = `${collection}/${json.id}`;
      const tag = String(headers.etag);
      const put = (value: string, more = {}) =>
        api({ method: 'PUT', path, json: other, headers: { 'if-none-match': value, ...more } });
      const { status, json: problem } = await put('*');
      expect([status, problem.detail]).toEqual([412, expect.stringContaining('If-None-Match')]);
      expect((await put(tag)).status).toBe(412);
      expect((await put(`"7",, W/${tag}`)).status).toBe(412);
      expect((await put('"7"', { 'if-match': '"7"' })).status).toBe(412);
      expect((await put(tag, { 'if-match': tag })).status).toBe(412);
      expect((await put('not a tag')).status).toBe(400);
      expect((await api({ path })).json).toEqual(json);
      expect((await put('"7"', { 'if-match': tag })).status).toBe(200);
      expect((await put('"x", "0"')).status).toBe(200);
      const missing = { method: 'PUT', path: absent, json: other };
      expect((await api({ ...missing, headers: { 'if-none-match': '*' } })).status).toBe(404);
    });

    it('lets exactly one of many writers with one ETag through', async () => {
      const { json, headers } = await create();
      const request = {
        method: 'PUT',
        path: `${collection}/${json.id}`,
        json: other,
        headers: { 'if-match': String(headers.etag) },
      };
      const answers = await Promise.all(Array.from({ length: 20 }, () => api(request)));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array(19).fill(412)]);
    });
  });

  describe('DELETE', () => {
    it('answers 204 with an empty body, and 404 from then on', async () => {
      const { json } = await create();
      const path = `${collection}/${json.id}`;
      const gone = await api({ method: 'DELETE', path });
      expect(gone.status).toBe(204);
      expect(gone.text).toBe('');
      expect(gone.headers['content-type']).toBeUndefined();
      expect((await api({ path })).status).toBe(404);
      expect((await api({ method: 'DELETE', path })).status).toBe(404);
    });

    it('answers 404 when the id does not exist', async () => {
      expect((await api({ method: 'DELETE', path: absent })).status).toBe(404);
    });

    it('answers 412 and deletes nothing when the version named is no longer there', async () => {
      const { json, headers } = await create();
      const path = `${collection}/${json.id}`;
      const remove = (tag: string) => api({ method: 'DELETE', path, headers: { 'if-match': tag } });
      expect((await remove('"2"')).status).toBe(412);
      expect((await api({ path })).json).toEqual(json);
      expect((await remove(String(headers.etag))).status).toBe(204);
    });

    it('answers 412 and deletes nothing when If-None-Match names what is there', async () => {
      const { json, headers } = await create();
      const path = `${collection}/${json.id}`;
      const remove = (tag: string) =>
        api({ method: 'DELETE', path, headers: { 'if-none-match': tag } });
      expect((await remove('*')).status).toBe(412);
      expect((await remove(`W/${headers.etag}`)).status).toBe(412);
      expect((await api({ path })).json).toEqual(json);
      expect((await remove('"2"')).status).toBe(204);
      expect((await remove('*')).status).toBe(404);
    });

    it('never gives the id to another record', async () => {
      const { json } = await create();
      await api({ method: 'DELETE', path: `${collection}/${json.id}` });
      expect((await create()).json.id).toBeGreaterThan(json.id);
    });
  });

  describe('an id', () => {
    it.each([
      'abc',
      '01',
      '+1',
      '-1',
      '0',
      '1e3',
      '0x10',
      '1.0',
      '%201',
      '1%20',
      '1_000',
      '%D9%A1',
      'NaN',
      'null',
      '9007199254740992',
      '99999999999999999999999',
      '%00',
      '%ff',
      '%',
      '1,2',
      '1;a=b',
    ])('%s is 400 on GET, PUT and DELETE', async (id) => {
      const path = `${collection}/${id}`;
      for (const request of [{}, { method: 'PUT', json: input }, { method: 'DELETE' }]) {
        const { status, json } = await api({ path, ...request });
        expect(status).toBe(400);
        expect(json.errors[0].path).toBe('/path/id');
      }
    });
  });

  describe('methods', () => {
    it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
      '%s on the collection is 405 with Allow',
      async (method) => {
        const { status, headers } = await api({ method, path: collection });
        expect(status).toBe(405);
        expect(headers.allow).toBe('GET, HEAD, POST');
      },
    );

    it.each(['POST', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'])(
      '%s on one record is 405 with Allow, whatever its body',
      async (method) => {
        const path = `${collection}/1`;
        const headers = { 'content-type': 'text/plain' };
        const answer = await api({ method, path, body: 'x', headers });
        expect(answer.status).toBe(405);
        expect(answer.headers.allow).toBe('DELETE, GET, HEAD, PUT');
      },
    );

    it('HEAD is answered as GET is, without a body', async () => {
      const { json } = await create();
      for (const path of [collection, `${collection}/${json.id}`, absent, `${collection}/x`]) {
        const headers = { 'x-request-id': 'the-same' };
        const { date: _, ...got } = (await api({ path, headers })).headers;
        const { date: __, ...head } = (await api({ method: 'HEAD', path, headers })).headers;
        expect(head).toEqual(got);
      }
    });
  });

  it.each(['', '/', '/1/', '/1/2', '//1'].map((tail) => `/${name.toUpperCase()}${tail}`))(
    '%s is 404: paths are case-sensitive',
    async (path) => {
      expect((await api({ path })).status).toBe(404);
    },
  );

  it.each([`/${name}/`, `/${name}/1/`, `//${name}`, `/${name}//1`, `/${name}/1/x`, `/x/${name}`])(
    '%s is 404: there is nothing there',
    async (path) => {
      expect((await api({ path })).status).toBe(404);
    },
  );
});
