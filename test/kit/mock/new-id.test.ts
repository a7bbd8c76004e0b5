// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idNameOf } from '../../../src/kit/mock/record-shape.ts';
import { createRecordStore } from '../../../src/kit/mock/record-store.ts';
import { answer, ofRecord, operation, serveCollections } from '../../support/collection-server.ts';
import { text, whole } from '../../support/schemas.ts';

/** The schema of an id, the one that the contract shows, and the form of those that are given. */
const kinds: Readonly<
  Record<string, readonly [schema: object, shown: unknown, given: readonly unknown[] | RegExp]>
> = {
  numbers: [whole, 41, [42, 43, 44]],
  zero: [whole, 0, [1, 2, 3]],
  tens: [{ ...whole, multipleOf: 10 }, 40, [50, 60, 70]],
  fractions: [{ type: 'number', multipleOf: 2 ** -60 }, 41, [42, 43, 44]],
  halves: [{ type: 'number', multipleOf: 0.5 }, 1.5, [1, 2, 3]],
  negative: [{ ...whole, maximum: -1 }, -5, [-6, -7, -8]],
  'negative-fives': [{ ...whole, multipleOf: 5, maximum: -5 }, -15, [-20, -25, -30]],
  digits: [text, '41', ['42', '43', '44']],
  'long-digits': [text, '9'.repeat(16), ['1', '2', '3']],
  texts: [text, 'abc', /^[0-9a-z]{1,7}$/],
  uuids: [
    { ...text, format: 'uuid' },
    '123e4567-e89b-42d3-a456-426614174000',
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  ],
  // A format that is not checked.
  formatted: [
    { ...text, format: 'password' },
    'abc',
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  ],
  hex: [{ ...text, pattern: '^[0-9a-f]{32}$' }, 'a'.repeat(32), /^[0-9a-f]{32}$/],
  patterns: [{ ...text, pattern: '^S-[0-9]{4}$' }, 'S-0041', /^S-\d{4}$/],
  counted: [
    { ...text, minLength: 9, maxLength: 9 },
    'abcdef041',
    ['abcdef042', 'abcdef043', 'abcdef044'],
  ],
  short: [{ ...text, pattern: '^n[0-9]+$', maxLength: 5 }, 'n0041', ['n1', 'n0043', 'n0044']],
};
const names = Object.keys(kinds);

const record = (id: object, others: object = {}) => ({
  type: 'object',
  properties: { id, name: text, ...others },
});
const collection = (path: string, schema: object, shown: object, parameter = 'id') => ({
  [path]: {
    get: operation(answer(200, { schema: { type: 'array', items: schema }, example: [shown] })),
    post: operation(answer(201, { schema, example: shown }), true),
  },
  [`${path}/{${parameter}}`]: ofRecord(
    {
      get: operation({ ...answer(200, { schema, example: shown }), ...answer(404) }),
      delete: operation(answer(204)),
    },
    parameter,
  ),
});

let server: Awaited<ReturnType<typeof serveCollections>>;
beforeAll(async () => {
  const paths = Object.entries(kinds).map(([name, [schema, id]]) =>
    collection(`/${name}`, record(schema), { id, name: 'shown' }),
  );
  server = await serveCollections({
    ...Object.assign({}, ...paths),
    ...collection('/readonly', record({ ...text, readOnly: true }), { id: 'a', name: 'shown' }),
    ...collection(
      '/issues',
      record(whole, { number: whole }),
      { id: 900, number: 7, name: 'shown' },
      'issue_number',
    ),
    ...collection('/full', record({ enum: ['only'] }), { id: 'only', name: 'shown' }),
  });
});
afterAll(() => server.stop());
const ask: typeof server.ask = (...given) => server.ask(...given);

describe('the id of a new record', () => {
  it.each(names)('is one that its schema admits and no other has: %s', async (name) => {
    const [, shown, given] = kinds[name] ?? [];
    const made: unknown[] = [];
    for (let i = 0; i < 3; i++) {
      const { json } = await ask('POST', `/${name}`, { name: `new ${i}` });
      made.push(json.id);
      expect((await ask('GET', `/${name}/${json.id}`)).json).toEqual({
        id: json.id,
        name: `new ${i}`,
      });
    }
    if (given instanceof RegExp) for (const id of made) expect(id).toMatch(given);
    else expect(made).toEqual(given);
    const listed = (await ask('GET', `/${name}`)).json.map((each: { id: unknown }) => each.id);
    expect(listed).toEqual([shown, ...made]);
  });

  it('is not that of a deleted one', async () => {
    const { json } = await ask('POST', '/zero', {});
    expect((await ask('DELETE', `/zero/${json.id}`)).status).toBe(204);
    expect((await ask('POST', '/zero', {})).json.id).toBe(json.id + 1);
    const { json: last } = await ask('POST', '/negative', {});
    expect((await ask('DELETE', `/negative/${last.id}`)).status).toBe(204);
    expect((await ask('POST', '/negative', {})).json.id).toBe(last.id - 1);
  });

  it('is the one that was sent, unless the server alone sets it', async () => {
    expect((await ask('POST', '/texts', { id: 'mine' })).json.id).toBe('mine');
    expect((await ask('POST', '/texts', { id: '' })).json.id).toMatch(/^[0-9a-z]+$/);
    expect((await ask('POST', '/numbers', { id: 1000 })).json.id).toBe(1000);
    expect((await ask('POST', '/numbers', {})).json.id).toBe(1001);
    expect((await ask('POST', '/readonly', { id: 'mine' })).json.id).toMatch(/^[0-9a-z]+$/);
    expect((await ask('GET', '/readonly/mine')).json.name).toBe('shown');
  });

  it('is its number, and its other id differs, too', async () => {
    const made = [];
    for (let i = 0; i < 2; i++) made.push((await ask('POST', '/issues', { name: 'new' })).json);
    expect(made).toEqual([
      { id: 901, number: 8, name: 'new' },
      { id: 902, number: 9, name: 'new' },
    ]);
    expect((await ask('GET', '/issues/9')).json).toEqual(made[1]);
  });

  it('is none where every one is taken: nothing is kept then', async () => {
    expect((await ask('POST', '/full', { name: 'new' })).json).toEqual({
      id: 'only',
      name: 'shown',
    });
    expect((await ask('GET', '/full')).json).toHaveLength(1);
  });

  it('follows from the seed', async () => {
    const { schema } = { schema: record(text) };
    const given = async (seed: number) => {
      const own = await serveCollections(collection('/a', schema, { id: 'a' }), { seed });
      const { json } = await own.ask('POST', '/a', {});
      await own.stop();
      return json.id;
    };
    const [first, again, other] = [await given(5), await given(5), await given(6)];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });
});

describe('the member that a path parameter names', () => {
  it.each([
    ['code', { code: 'a', id: 1 }, 'code'],
    ['planetId', { id: 1 }, 'id'],
    ['planetId', { planetId: 'a', id: 1 }, 'planetId'],
    ['issue_number', { id: 1, number: 2 }, 'number'],
    ['user-name', { id: 1, name: 'a' }, 'name'],
    ['theNo', { id: 1, No: 2 }, 'No'],
    ['theNo', { id: 1, No: 2, no: 3 }, 'no'],
    ['key', { id: 0 }, 'id'],
    ['code', { code: '', id: 1 }, 'id'],
    ['code', { code: null, id: true }, undefined],
    ['code', { name: 'a' }, undefined],
    ['constructor', {}, undefined],
  ])('%s of %j is %s', (parameter, base, name) => {
    expect(idNameOf(new Map(), base, parameter)).toBe(name);
  });
});

describe('a store of records', () => {
  const kept = (count: number, size = 0) => {
    const store = createRecordStore();
    for (let i = 0; i < count; i++) store.keep(`id${i}`, { text: 'x'.repeat(size) });
    return store;
  };

  it('keeps the last thousand', () => {
    expect(kept(1000).ids()).toHaveLength(1000);
    const store = kept(1001);
    expect(store.ids()).toHaveLength(1000);
    expect([store.get('id0'), store.get('id1')]).toEqual([undefined, { text: '' }]);
  });

  it('keeps the last million bytes, two for each character of the record and its id', () => {
    // {"text":""} is eleven characters, the id three.
    const size = 100_000 / 2 - 11 - 3;
    expect(kept(10, size).ids()).toHaveLength(10);
    const store = kept(10, size);
    // One that is replaced takes its own place alone.
    store.keep('id3', { text: 'y'.repeat(size) });
    expect(store.ids()).toHaveLength(10);
    store.keep('id3', { text: 'y'.repeat(size + 1) });
    expect(store.ids()).toEqual(Array.from({ length: 9 }, (_, i) => `id${i + 1}`));
  });

  it('knows what was deleted, as the youngest, and forgets it as the others', () => {
    const store = kept(1000);
    store.remove('id0');
    expect(store.get('id0')).toBe('deleted');
    expect(store.ids()).toHaveLength(999);
    for (let i = 0; i < 999; i++) store.keep(`new${i}`, {});
    expect(store.get('id0')).toBe('deleted');
    store.keep('one more', {});
    expect(store.get('id0')).toBeUndefined();
  });

  it('frees the bytes of what was deleted', () => {
    const store = kept(10, 100_000 / 2 - 14);
    store.remove('id9');
    store.keep('id9', { text: 'x'.repeat(100_000 / 2 - 14) });
    expect(store.ids()).toHaveLength(10);
  });

  it('gives copies, and a number to nobody twice', () => {
    const store = kept(1);
    const given = Object(store.get('id0'));
    given.text = 'changed';
    expect(store.get('id0')).toEqual({ text: '' });
    expect([store.count(), store.count()]).toEqual([1, 2]);
  });
});
