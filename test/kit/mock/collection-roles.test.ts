// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '../../../tools/support/raw-http.ts';
import { answer, ofRecord, operation, serveCollections } from '../../support/collection-server.ts';
import { text, whole } from '../../support/schemas.ts';

const schema = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: whole, name: text, note: text, made: { ...text, readOnly: true } },
};
const record = { id: 1, name: 'one', note: 'shown', made: 'then' };
const one = { schema, example: record };
const all = {
  schema: { type: 'array', items: schema },
  example: [record, { id: 5, name: 'five' }],
};
const gone = answer(404);

const every = {
  '/all': {
    get: operation(answer(200, all)),
    post: operation(answer(201, one), true),
    put: operation(answer(200, one), true),
    patch: operation(answer(200, one), true),
  },
  '/all/{id}': ofRecord(
    {
      get: operation({ ...answer(200, one), ...gone }),
      put: operation({ ...answer(200, one), ...gone }, true),
      patch: operation({ ...answer(200, one), ...gone }, true),
      delete: operation({ ...answer(204), ...gone }),
    },
    ...(['id', 'integer'] as const),
  ),
};

/** What looks like a collection, and is none. */
const none = {
  // Nothing can be written, or nothing read.
  '/fixed': { get: operation(answer(200, all)) },
  '/fixed/{id}': ofRecord({ get: operation(answer(200, one)) }),
  '/blind': { post: operation(answer(201, one), true) },
  '/blind/{id}': ofRecord({ put: operation(answer(200, one), true) }),
  // There is no path of the collection, or it ends with a parameter.
  '/alone/{id}': ofRecord({
    get: operation({ ...answer(200, one), ...gone }),
    delete: operation(answer(204)),
  }),
  '/pair/{a}': ofRecord(
    { get: operation(answer(200, all)), post: operation(answer(201, one), true) },
    'a',
  ),
  '/pair/{a}/{id}': {
    parameters: ['a', 'id'].map((name) => ({ name, in: 'path', required: true, schema: text })),
    get: operation(answer(200, one)),
  },
  // What is made is answered with a redirect alone, or with something else.
  '/moved': { get: operation(answer(200, all)), post: operation(answer(300), true) },
  '/moved/{id}': ofRecord({ get: operation(answer(200, one)) }),
  '/told': {
    get: operation(answer(200, all)),
    post: operation(answer(201, { schema: text, example: 'ok' }), true),
  },
  '/told/{id}': ofRecord({ get: operation(answer(200, one)) }),
};

/** Whose records stand within other members, or are known by fewer operations. */
const wrapped = {
  schema: { type: 'object', properties: { data: schema, meta: {} } },
  example: { data: record, meta: { a: 1 } },
};
const few = {
  allOf: [
    { type: 'object', properties: { id: whole } },
    { type: 'object', properties: { name: text } },
  ],
};
const parts = { ...few, properties: { note: text } };
const paired = { ...schema, dependentRequired: { note: ['other'] } };
const odd = {
  '/wrapped': {
    get: operation(
      answer(200, {
        schema: {
          type: 'object',
          properties: { rows: all.schema, names: { type: 'array', items: text } },
        },
        example: { rows: all.example, names: ['a'] },
      }),
    ),
    post: operation(answer(201, wrapped), true),
  },
  '/wrapped/{id}': ofRecord({
    get: operation(answer(200, wrapped)),
    delete: operation(answer(200, wrapped)),
  }),
  '/twice': {
    get: operation(
      answer(200, {
        schema: { type: 'object', properties: { rows: all.schema, more: all.schema } },
        example: { rows: all.example, more: all.example },
      }),
    ),
    post: operation(answer(201, one), true),
  },
  '/twice/{id}': ofRecord({ get: operation(answer(200, one)) }),
  '/created': { post: operation(answer(201, one), true) },
  '/created/{id}': ofRecord({
    get: operation(answer(404)),
    put: operation(answer(200, one), true),
    delete: operation(answer(204)),
  }),
  '/free': {
    get: operation(answer(200, { schema: { type: 'array', items: {} }, example: [{ id: 'a' }] })),
    post: operation(answer(201, { schema: {}, example: { id: 'a' } }), true),
  },
  '/free/{id}': ofRecord({ get: operation(answer(200, { schema: {}, example: { id: 'a' } })) }),
  // The list has fewer members, and the schemas have parts.
  '/parts': {
    get: operation(
      answer(200, {
        schema: { type: 'array', items: { ...few, unevaluatedProperties: false } },
        example: [{ id: 1, name: 'one' }],
      }),
    ),
    post: operation(answer(201, { schema: parts, example: record }), true),
  },
  '/parts/{id}': ofRecord({ get: operation(answer(200, { schema: parts, example: record })) }),
  '/few': {
    get: operation(answer(200, { ...all, schema: { ...all.schema, maxItems: 3 } })),
    post: operation(answer(201, one), true),
  },
  '/few/{id}': ofRecord({ get: operation(answer(200, one)) }),
  '/pairs': {
    get: operation(answer(200, { schema: { type: 'array', items: paired }, example: [record] })),
    post: operation(answer(201, { schema: paired, example: record }), true),
  },
  '/pairs/{id}': ofRecord({ get: operation(answer(200, { schema: paired, example: record })) }),
  '/forms': {
    get: operation(answer(200, all)),
    post: {
      ...operation(answer(201, one)),
      requestBody: {
        content: {
          'application/x-www-form-urlencoded': { schema: {} },
          'application/json': { schema: {} },
          'application/vnd.a+json': { schema: {} },
        },
      },
    },
  },
  '/forms/{id}': ofRecord({ get: operation(answer(200, one)) }),
  '/placed': {
    get: operation(
      answer(200, {
        schema: { type: 'array', items: { type: 'object', properties: { id: text } } },
        example: [],
      }),
    ),
    post: operation(
      answer(
        201,
        { schema: { type: 'object', properties: { id: text } }, example: { id: 'a' } },
        { LOCATION: { schema: text } },
      ),
      true,
    ),
  },
  '/placed/{id}': ofRecord({
    get: operation(
      answer(200, { schema: { type: 'object', properties: { id: text } }, example: { id: 'a' } }),
    ),
  }),
  '/of/{parent}/rows': {
    parameters: [{ name: 'parent', in: 'path', required: true, schema: text }],
    get: operation(answer(200, all)),
    post: operation(answer(201, one), true),
    put: operation(answer(200, one), true),
  },
  '/of/{parent}/rows/{id}': {
    parameters: ['parent', 'id'].map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: text,
    })),
    get: operation(answer(200, one)),
  },
};

let server: Awaited<ReturnType<typeof serveCollections>>;
beforeAll(async () => {
  server = await serveCollections({ ...every, ...none, ...odd });
});
afterAll(() => server.stop());
const ask: typeof server.ask = (...given) => server.ask(...given);
const ids = async (path: string) =>
  (await ask('GET', path)).json.map((each: { readonly id: unknown }) => each.id);

describe('a mocked collection', () => {
  it('has the records of the contract, of which the one that is read comes as it is read', async () => {
    expect((await ask('GET', '/all')).json).toEqual([record, { id: 5, name: 'five' }]);
    expect((await ask('GET', '/all/5')).json).toEqual({ id: 5, name: 'five' });
  });

  it('makes, replaces and merges a record, by its path or by the id in the body', async () => {
    const made = await ask('POST', '/all', { name: 'six', note: 'n', made: 'mine', other: 1 });
    // What only the server sets is as the contract shows it; what is not known is left out.
    const six = { id: 6, name: 'six', note: 'n', made: 'then' };
    expect([made.status, made.json]).toEqual([201, six]);
    expect((await ask('PATCH', '/all/6', { note: 'm' })).json).toEqual({ ...six, note: 'm' });
    expect((await ask('PATCH', '/all', { id: 6, name: 'SIX' })).json).toEqual({
      ...six,
      name: 'SIX',
      note: 'm',
    });
    expect((await ask('PUT', '/all/6', { name: 's' })).json).toEqual({
      id: 6,
      name: 's',
      made: 'then',
    });
    expect((await ask('PUT', '/all', { id: 6, name: 't', note: 'k' })).json).toEqual({
      id: 6,
      name: 't',
      note: 'k',
      made: 'then',
    });
    expect((await ask('GET', '/all/6')).json).toEqual({
      id: 6,
      name: 't',
      note: 'k',
      made: 'then',
    });
    // The path says which record it is.
    expect((await ask('PUT', '/all/6', { id: 9, name: 'u' })).json.id).toBe(6);
    expect(await ids('/all')).toEqual([1, 5, 6]);
  });

  it('replaces a record by the id in the body, whatever the id of its parent', async () => {
    const given = { id: 8, name: 'eight', note: 'n', made: 'then' };
    expect((await ask('PUT', '/of/900/rows', given)).json).toEqual(given);
    expect((await ask('GET', '/of/900/rows/8')).json).toEqual(given);
    expect(await ids('/of/900/rows')).toEqual([1, 5, 8]);
  });

  it('has what a record lacks or what its schema refuses from the contract', async () => {
    const { json } = await ask('POST', '/all', { note: 7 });
    expect(json).toMatchObject({ name: 'one', note: 'shown' });
    await ask('DELETE', `/all/${json.id}`);
  });

  it('answers 404 for what was deleted, to every method, and calls that mocked', async () => {
    const { json } = await ask('POST', '/all', { name: 'gone' });
    expect((await ask('DELETE', `/all/${json.id}`)).status).toBe(204);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const body = method === 'PUT' || method === 'PATCH' ? { name: 'a' } : undefined;
      const { status, headers } = await ask(method, `/all/${json.id}`, body);
      expect([method, status, headers['accord-mock']]).toEqual([method, 404, 'true']);
    }
    expect(await ids('/all')).not.toContain(json.id);
  });

  it('answers for an id that nobody has sent where it can be one', async () => {
    expect((await ask('GET', '/wrapped/77')).json.data.id).toBe(77);
    // No number is written like these.
    for (const id of ['007', 'abc', '1e3'])
      expect((await ask('GET', `/wrapped/${id}`)).json.data.id).toBe(1);
  });

  it('may have its records within other members', async () => {
    const made = await ask('POST', '/wrapped', { name: 'in' });
    expect(made.json).toEqual({ data: { id: 6, name: 'in', made: 'then' }, meta: { a: 1 } });
    const listed = (await ask('GET', '/wrapped')).json;
    expect(listed.rows.map(({ id }: { id: number }) => id)).toEqual([1, 5, 6]);
    expect(listed.names).toEqual(['a']);
    expect((await ask('DELETE', '/wrapped/6')).json.data.name).toBe('in');
  });

  it('is listed as the contract shows it where two lists could be meant', async () => {
    const { json } = await ask('POST', '/twice', { name: 'new' });
    expect((await ask('GET', `/twice/${json.id}`)).json.name).toBe('new');
    expect((await ask('GET', '/twice')).json).toEqual({ rows: all.example, more: all.example });
  });

  it('is known also by what makes its records', async () => {
    const { json } = await ask('POST', '/created', { name: 'new' });
    expect(json).toMatchObject({ id: 2, name: 'new' });
    expect((await ask('PUT', '/created/2', { note: 'n' })).json).toMatchObject({
      id: 2,
      note: 'n',
    });
    expect((await ask('POST', '/created', {})).json.id).toBe(3);
  });

  it('keeps every member where its schema names none', async () => {
    const { json } = await ask('POST', '/free', { any: { thing: [1] } });
    expect(json).toEqual({ id: expect.any(String), any: { thing: [1] } });
    expect((await ask('GET', `/free/${json.id}`)).json).toEqual(json);
  });

  it('knows the members of every part of a schema, and lists those that the list has', async () => {
    const { json } = await ask('POST', '/parts', { name: 'a', note: 'n', unknown: 1 });
    expect(json).toEqual({ id: 2, name: 'a', note: 'n' });
    expect((await ask('GET', '/parts')).json).toEqual([
      { id: 1, name: 'one' },
      { id: 2, name: 'a' },
    ]);
  });

  it('answers with the example where no change of a member helps', async () => {
    expect((await ask('POST', '/pairs', { name: 'a', note: 'n' })).json.name).not.toBe('a');
    expect((await ask('POST', '/pairs', { name: 'a' })).json.name).toBe('a');
  });

  it('is listed as the contract shows it where its list does not admit so many', async () => {
    await ask('POST', '/few', { name: 'third' });
    expect(await ids('/few')).toEqual([1, 5, 6]);
    await ask('POST', '/few', { name: 'fourth' });
    expect(await ids('/few')).toEqual([1, 5]);
    expect((await ask('GET', '/few/7')).json.name).toBe('fourth');
  });

  it('keeps nothing but JSON', async () => {
    expect(
      (await ask('POST', '/forms', 'name=a', 'application/x-www-form-urlencoded')).json,
    ).toEqual(record);
    expect(await ids('/forms')).toEqual([1, 5]);
    expect((await ask('POST', '/forms', '{"name":"b"}', 'application/vnd.a+json')).json.name).toBe(
      'b',
    );
    expect(await ids('/forms')).toEqual([1, 5, 6]);
  });

  it('says where a record is, at the address that was asked', async () => {
    const { headers } = await ask('POST', '/placed', { id: 'a/b é' });
    expect(headers.location).toBe(`${server.url}/placed/a%2Fb%20%C3%A9`);
    expect((await ask('GET', '/placed/a%2Fb%20%C3%A9')).json).toEqual({ id: 'a/b é' });
  });

  it('answers also who names a host that is none', async () => {
    const head =
      'POST /placed HTTP/1.1\r\nHost: x:99999\r\nContent-Type: application/json\r\nContent-Length: 2\r\n';
    expect(await sendRaw(server.url, `${head}Connection: close\r\n\r\n{}`)).toMatch(
      /^HTTP\/1\.1 201 /,
    );
  });

  it('is one of fifty that are kept, the last of those that are nested', async () => {
    const { json } = await ask('POST', '/of/0/rows', { name: 'kept' });
    const isKept = async () => (await ask('GET', `/of/0/rows/${json.id}`)).json.name === 'kept';
    const others = async (first: number, count: number) => {
      for (let i = first; i < first + count; i++)
        expect(await ids(`/of/${i}/rows`)).toEqual([1, 5]);
    };
    await others(1, 48);
    expect(await isKept()).toBe(true);
    await others(100, 49);
    expect(await isKept()).toBe(true);
    await others(200, 50);
    expect(await isKept()).toBe(false);
  });
});

describe('what is no collection', () => {
  it.each(['/fixed/77', '/alone/77', '/pair/a/77'])('answers %s with the example', async (path) => {
    expect((await ask('GET', path)).json).toEqual(record);
  });

  it('keeps nothing that it is sent', async () => {
    expect((await ask('POST', '/blind', { name: 'new' })).json).toEqual(record);
    expect((await ask('PUT', '/blind/7', { name: 'new' })).json).toEqual(record);
    expect((await ask('POST', '/pair/a', { name: 'new' })).json).toEqual(record);
    expect((await ask('DELETE', '/alone/77')).status).toBe(204);
    expect((await ask('GET', '/alone/77')).status).toBe(200);
    expect((await ask('POST', '/moved', { name: 'new' })).status).toBe(300);
    expect(await ids('/moved')).toEqual([1, 5]);
    expect((await ask('POST', '/told', { name: 'new' })).json).toBe('ok');
    expect(await ids('/told')).toEqual([1, 5]);
  });
});
