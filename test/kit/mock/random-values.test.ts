// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { object, text, whole } from '../../support/schemas.ts';
import { serveValues } from '../../support/value-server.ts';

const within = (level: number, leaf: object | true): object | true =>
  level === 0 ? leaf : object({ in: within(level - 1, leaf) }, { required: ['in'] });
/** The object so many levels below. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
const inner = (value: any, level: number): any =>
  level === 0 ? value : inner(value.in, level - 1);
const lists = (level: number): object => ({
  type: 'array',
  items: level === 0 ? whole : lists(level - 1),
});
const endless = {
  type: ['object', 'null'],
  required: ['in'],
  properties: { in: { $ref: '#/components/schemas/endless' } },
};

/** Schemas of which every value is made, in so many draws, and no other. */
const exact: Readonly<Record<string, readonly [schema: object, values: readonly unknown[]]>> = {
  'two bounds': [{ ...whole, minimum: 1, maximum: 3 }, [1, 2, 3]],
  'bounds that are excluded': [{ ...whole, exclusiveMinimum: 5, exclusiveMaximum: 9 }, [6, 7, 8]],
  'one between two': [{ ...whole, exclusiveMinimum: 5, exclusiveMaximum: 7 }, [6]],
  'away from a bound that is excluded': [{ ...whole, exclusiveMinimum: 5, maximum: 7 }, [6]],
  'within one step of a bound that is excluded': [
    { type: 'number', exclusiveMinimum: 0, maximum: 0.01 },
    [0.005, 0.01],
  ],
  'a single number': [{ ...whole, minimum: 4, maximum: 4 }, [4]],
  hundredths: [{ type: 'number', minimum: 0, maximum: 0.03 }, [0, 0.01, 0.02, 0.03]],
  halves: [{ type: 'number', multipleOf: 0.5, minimum: 0, maximum: 1 }, [0, 0.5, 1]],
  'a number by its bounds': [{ minimum: 0, maximum: 0.01 }, [0, 0.01]],
  choices: [{ enum: ['a', 1, null] }, ['a', 1, null]],
  constant: [{ const: 'x' }, ['x']],
  booleans: [{ type: 'boolean' }, [true, false]],
  'booleans or nothing': [{ type: ['boolean', 'null'] }, [true, false]],
  nothing: [{ type: 'null' }, [null]],
  'one of': [{ oneOf: [{ const: 1 }, { const: 2 }] }, [1, 2]],
  'any of': [{ anyOf: [{ const: 1 }, { const: 2 }] }, [1, 2]],
  'the last part': [{ allOf: [whole, { enum: [3] }] }, [3]],
  'a text by its pattern': [{ ...text, pattern: '^[a-z]' }, ['a']],
};

/** Of each kind of list, every length that is made. */
const lengths: Readonly<Record<string, readonly [schema: object, values: readonly number[]]>> = {
  'list of any length': [{ items: whole }, [1, 2, 3]],
  'list of at most two': [{ type: 'array', maxItems: 2, items: whole }, [1, 2]],
  'list of none': [{ type: 'array', maxItems: 0 }, [0]],
  'list of two': [{ type: 'array', minItems: 2, maxItems: 2 }, [2]],
  'list of at least two': [{ type: 'array', minItems: 2 }, [2, 3]],
  'list of many': [{ type: 'array', minItems: 5 }, [5]],
};

/** What is made of a format differs each time. */
const formats: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
  'date-time': /^2026-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  date: /^2026-\d\d-\d\d$/,
  time: /^\d\d:\d\d:\d\dZ$/,
  email: /^[a-z]+@example\.com$/,
  uri: /^https:\/\/example\.com\/[a-z]+$/,
  url: /^https:\/\/example\.com\/[a-z]+$/,
  'uri-reference': /^\/[a-z]+$/,
  hostname: /^[a-z]+\.example\.com$/,
  ipv4: /^192\.0\.2\.([1-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-4])$/,
  ipv6: /^2001:db8::[1-9]\d{0,3}$/,
  byte: /^[A-Za-z0-9+/]+=*$/,
};

const others: Readonly<Record<string, unknown>> = {
  'any integer': whole,
  'any number': { type: 'number' },
  'at least': { ...whole, minimum: 7 },
  'at most': { ...whole, maximum: -5, multipleOf: 5 },
  'two types': { type: ['integer', 'string'] },
  'two types in two parts': {
    allOf: [{ type: ['object', 'string'] }, { type: ['object', 'string'] }],
  },
  'a number by its minimum': { minimum: 7 },
  'a number by its maximum': { maximum: 7 },
  'parts of a map': {
    allOf: [object({ a: whole }, { required: ['a'] })],
    additionalProperties: whole,
  },
  optional: object({ a: whole, b: whole }, { required: ['b'] }),
  'optional on the third level': within(2, object({ a: whole })),
  'optional on the fourth level': within(3, object({ a: whole })),
  'map on the third level': within(2, { type: 'object', additionalProperties: whole }),
  'map on the fourth level': within(3, { type: 'object', additionalProperties: whole }),
  'open object': { type: 'object', additionalProperties: true },
  'members and others': object({ a: whole }, { required: ['a'], additionalProperties: whole }),
  'map by its members': { additionalProperties: whole },
  'object by its members': { properties: { a: whole }, required: ['a'] },
  parts: {
    allOf: [object({ a: whole }, { required: ['a'] })],
    ...object({ b: whole }, { required: ['b'] }),
  },
  'parts by members': {
    allOf: [object({ a: whole }, { required: ['a'] })],
    properties: { b: whole },
    required: ['b'],
  },
  text,
  'text of four': { ...text, minLength: 4 },
  'short text': { ...text, maxLength: 3 },
  'long text': { ...text, minLength: 60 },
  'bounded text': { ...text, minLength: 30, maxLength: 33 },
};

const schemas = {
  ...Object.fromEntries(
    Object.entries({ ...exact, ...lengths }).map(([name, [schema]]) => [name, schema]),
  ),
  ...Object.fromEntries(Object.keys(formats).map((format) => [format, { ...text, format }])),
  ...others,
};
/** As few draws as leave none of the values out. */
const DRAWS = 300;
const many = Object.entries(schemas).map(([name, items]) => [
  name,
  { type: 'array', minItems: DRAWS, items },
]);
const alone = {
  lists: lists(6),
  endless: endless,
  'all of an object': object({
    a: whole,
    b: whole,
    c: whole,
    d: whole,
    secret: { ...text, writeOnly: true },
  }),
  'a secret elsewhere': object({ a: { $ref: '#/components/schemas/secret' }, b: whole }),
  'all of its parts': { allOf: [object({ a: whole }), object({ b: whole })] },
  'its own and its parts': { allOf: [object({ a: whole })], ...object({ b: whole }) },
  'nothing within': object({ a: { type: 'null' } }),
  'endless map': { $ref: '#/components/schemas/map' },
  'anything on the tenth level': within(10, true),
  'anything on the eleventh level': within(11, true),
  anything: true,
  addresses: { type: 'array', minItems: 3000, items: { ...text, format: 'ipv4' } },
  'not at random': object({ a: { ...text, pattern: '^(?!.{0,50}$)a*$', example: 'a'.repeat(51) } }),
  'not all': object({ a: whole, b: { ...text, pattern: '^(?!a)a$' } }, { required: ['a'] }),
  shown: { ...whole, example: 77 },
};
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

let server: Awaited<ReturnType<typeof serveValues>>;
beforeAll(async () => {
  const map = { type: 'object', additionalProperties: { $ref: '#/components/schemas/map' } };
  const components = { endless, map, secret: { ...text, writeOnly: true } };
  server = await serveValues({ ...Object.fromEntries(many), ...alone }, true, components);
});
afterAll(() => server.stop());

async function made(name: string) {
  const { status, json } = await server.get(name, 'dynamic=true');
  expect([name, status]).toEqual([name, 200]);
  return json;
}
async function drawn<T>(name: string): Promise<T[]> {
  const values = await made(name);
  expect(values).toHaveLength(DRAWS);
  return values;
}

describe('values at random', () => {
  it.each(Object.entries(exact))('are all that a schema admits: %s', async (name, [, values]) => {
    expect(new Set(await drawn(name))).toEqual(new Set(values));
  });

  it('are each as likely as another, where the bounds themselves are excluded', async () => {
    const counts = Map.groupBy(await drawn('bounds that are excluded'), (each) => each);
    for (const each of counts.values()) expect(each.length).toBeLessThan(DRAWS / 2);
  });

  it.each(Object.entries(lengths))('are lists of every length: %s', async (name, [, values]) => {
    const found = (await drawn<unknown[]>(name)).map((list) => list.length);
    expect([...new Set(found)].sort()).toEqual(values);
  });

  it.each(Object.entries(formats))('are of the format %s, and differ', async (name, pattern) => {
    const values = await drawn<string>(name);
    for (const value of values) expect(value).toMatch(pattern);
    expect(new Set(values).size).toBeGreaterThan(15);
  });

  it('are every address of the range for examples', async () => {
    const addresses: string[] = await made('addresses');
    const hosts = new Set(addresses.map((each) => Number(each.split('.').at(-1))));
    expect([...hosts].sort((a, b) => a - b)).toEqual(range(1, 254));
  });

  it.each([
    ['any integer', 0, 1000, 1],
    ['any number', 1, 11, 0.01],
    ['at least', 7, 1007, 1],
    ['at most', -5005, -5, 5],
  ])('are spread over a thousand steps: %s', async (name, least, most, step) => {
    const values = await drawn<number>(name);
    const tenth = (most - least) / 10;
    expect(Math.min(...values)).toBeGreaterThanOrEqual(least);
    expect(Math.min(...values)).toBeLessThan(least + tenth);
    expect(Math.max(...values)).toBeLessThanOrEqual(most);
    expect(Math.max(...values)).toBeGreaterThan(most - tenth);
    for (const value of values) expect(value / step).toBeCloseTo(Math.round(value / step), 6);
    expect(new Set(values).size).toBeGreaterThan(100);
  });

  it('are of every type that there may be', async () => {
    const types = (await drawn('two types')).map((value) => typeof value);
    expect(new Set(types)).toEqual(new Set(['number', 'string']));
  });

  it('are of the type of the last part, where the parts differ', async () => {
    const types = (await drawn('two types in two parts')).map((value) => typeof value);
    const share = types.filter((type) => type === 'string').length / DRAWS;
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(0.6);
  });

  it.each(['a number by its minimum', 'a number by its maximum'])('are each %s', async (name) => {
    for (const value of await drawn(name)) expect(value).toEqual(expect.any(Number));
  });

  it('have what is required, and four of five optional members', async () => {
    const values = await drawn<object>('optional');
    for (const value of values) expect(value).toHaveProperty('b');
    const share = values.filter((value) => 'a' in value).length / DRAWS;
    expect(share).toBeGreaterThan(0.7);
    expect(share).toBeLessThan(0.9);
  });

  it('have optional members and maps on three levels, and below those only what is required', async () => {
    for (const kind of ['optional', 'map']) {
      const third = (await drawn(`${kind} on the third level`)).map((each) => inner(each, 2));
      expect(third.some((each) => Object.keys(each).length > 0)).toBe(true);
      const fourth = (await drawn(`${kind} on the fourth level`)).map((each) => inner(each, 3));
      expect(new Set(fourth.map((each) => JSON.stringify(each)))).toEqual(new Set(['{}']));
    }
  });

  it('have lists on four levels, and below those none that are not demanded', async () => {
    const value = await made('lists');
    expect(value.flat(3).length).toBeGreaterThan(0);
    expect(new Set(value.flat(4).map((each: unknown) => JSON.stringify(each)))).toEqual(
      new Set(['[]']),
    );
  });

  it('end after ten levels, and maps after four', async () => {
    let levels = 0;
    for (let value = await made('endless'); value; value = value.in) levels += 1;
    expect(levels).toBe(11);
    const text = /^[a-z]+( [a-z]+){0,2}$/;
    expect(inner(await made('anything on the tenth level'), 10)).toMatch(text);
    expect(inner(await made('anything on the eleventh level'), 11)).toBeNull();
    let maps = 0;
    for (let [value] = [await made('endless map')]; value; [value] = Object.values(value)) maps++;
    expect(maps).toBe(5);
  });

  it('are objects of all their members on the first level, but for what only requests have', async () => {
    for (let i = 0; i < 20; i++) {
      expect(Object.keys(await made('all of an object'))).toEqual(['a', 'b', 'c', 'd']);
      expect(Object.keys(await made('a secret elsewhere'))).toEqual(['b']);
      expect(Object.keys(await made('all of its parts'))).toEqual(['a', 'b']);
      expect(Object.keys(await made('its own and its parts'))).toEqual(['b', 'a']);
    }
    expect(await made('nothing within')).toEqual({ a: null });
  });

  it('are objects and maps also where only their members say so', async () => {
    const maps = await drawn<object>('map by its members');
    expect(Math.max(...maps.map((value) => Object.keys(value).length))).toBe(2);
    for (const value of maps) {
      const members = Object.entries(value);
      expect(members.length === 1 || members.length === 2).toBe(true);
      for (const [name, each] of members)
        expect([name, each]).toEqual([expect.stringMatching(/^[a-z]+$/), expect.any(Number)]);
    }
    for (const value of await drawn('open object')) expect(value).toEqual({});
    for (const value of await drawn<object>('parts of a map')) {
      expect(value).toHaveProperty('a');
      expect(Object.keys(value).length).toBeGreaterThan(1);
    }
    for (const name of ['object by its members', 'members and others']) {
      for (const value of await drawn<object>(name)) expect(Object.keys(value)).toEqual(['a']);
    }
    for (const name of ['parts', 'parts by members']) {
      for (const value of await drawn<object>(name))
        expect(Object.keys(value).sort()).toEqual(['a', 'b']);
    }
  });

  it('are words, as long as they may be', async () => {
    for (const value of await drawn<string>('text'))
      expect(value).toMatch(/^[a-z]+( [a-z]+){0,2}$/);
    // No more of them than are wanted.
    const lengths = (await drawn<string>('text of four')).map((value) => value.length);
    expect(Math.min(...lengths)).toBe(4);
    for (const value of await drawn<string>('short text')) expect(value).toMatch(/^[a-z]{3}$/);
    for (const value of await drawn<string>('long text'))
      expect(value).toMatch(/^[a-z]+( [a-z]+)+$/);
    for (const value of await drawn<string>('bounded text'))
      expect(value).toMatch(/^[a-z][a-z ]{28,31}[a-z ]$/);
    expect(await made('anything')).toMatch(/^[a-z]+( [a-z]+){0,2}$/);
  });

  it('give way to what the contract shows, and to less, where they cannot be made', async () => {
    expect(await made('not at random')).toEqual({ a: 'a'.repeat(51) });
    expect(await made('not all')).toEqual({ a: 0 });
    expect((await server.get('not all')).json).toEqual({ a: 0 });
  });

  it('are others for each request, and none of the examples', async () => {
    const values = [];
    for (let i = 0; i < 5; i++) values.push(await made('shown'));
    expect(new Set(values).size).toBeGreaterThan(1);
    expect(values).not.toEqual(Array(5).fill(77));
    expect((await server.get('shown')).json).toBe(77);
    expect((await server.get('shown', 'dynamic=false')).json).toBe(77);
  });
});

it('are made in fifty thousand draws, and otherwise as the schema shows them', async () => {
  const pairs = { ...{ type: 'array', minItems: 4, maxItems: 4 }, items: { type: 'boolean' } };
  // A list takes two draws, a boolean two, an object and a null one each.
  const drawing = (nulls: number) => {
    const names = Array.from({ length: nulls }, (_, i) => `null${i}`);
    const list = { type: 'array', minItems: 4999, items: pairs };
    const properties = {
      list,
      ...Object.fromEntries(names.map((name) => [name, { type: 'null' }])),
    };
    return object(properties, { required: Object.keys(properties) });
  };
  const own = await serveValues({ most: drawing(7), more: drawing(8) });
  const found = async (name: string) => {
    const { json } = await own.get(name, 'dynamic=true');
    return new Set(json.list.flat());
  };
  expect(await found('most')).toEqual(new Set([true, false]));
  expect(await found('more')).toEqual(new Set([true]));
  await own.stop();
});

it('another seed makes other values, the same at each request', async () => {
  const one = await serveValues({ a: whole, b: whole }, { seed: 2 });
  const two = await serveValues({ a: whole, b: whole }, { seed: 3 });
  const [a, again, b, other] = [
    await one.get('a'),
    await one.get('a'),
    await one.get('b'),
    await two.get('a'),
  ];
  expect(again).toEqual(a);
  expect(new Set([0, a.json, b.json, other.json]).size).toBe(4);
  await one.stop();
  await two.stop();
});
