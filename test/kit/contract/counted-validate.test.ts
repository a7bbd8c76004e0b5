import { describe, expect, it } from 'vitest';
import { knownContract } from '../../support/known-contract.ts';
import { ref } from '../../support/schemas.ts';

const self = ref('X');
const nested = 'schemas that contain themselves nest too deep';
const compared = 'lists whose items must differ are too long';

async function validatorsOf(schema: object) {
  const { createCompiler } = await knownContract({
    ...{ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} },
    components: { schemas: { X: schema } },
  });
  return (['all', 'first', 'verbose'] as const).map((errors) => createCompiler(errors)(self));
}

/** Whether a value is valid, or why nobody says so. */
async function told(schema: object, value: unknown) {
  const answers = (await validatorsOf(schema)).map((validate) => {
    try {
      return validate(value);
    } catch (error) {
      return Object(error).detail;
    }
  });
  expect(new Set(answers).size).toBe(1);
  return answers[0];
}

const tooLong = (why: string) => `The request takes too long to validate: ${why}.`;
const several = (count: number) => ({ allOf: Array(count).fill({}) });
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const members = (count: number) => Object.fromEntries(numbers(count).map((i) => [`a${i}`, 0]));

describe('a schema that leads to itself in two ways', () => {
  /** It has 5 schemas, the one that names it included, and those of `v` below it. */
  const twice = (v: object) => ({
    ...{ patternProperties: { '^self': self, '^sel': self }, properties: { v } },
  });
  /** `v` is asked twice as often on each level. */
  const below = (levels: number, v: unknown): object =>
    levels === 0 ? { v } : { self: below(levels - 1, v) };
  /** The steps that it takes to ask a value of so many, and those that are admitted. */
  const stepsOf = (levels: number, schemas: number, long: number, items: number) => {
    const length = 1 + long / 16;
    const object = 1 + 1 / 16;
    const [all, inner] = [2 ** (levels + 1) - 1, 2 ** (levels + 1) - 2];
    const taken = all * (object + 2) + inner * object + 2 ** levels * (1 + schemas) * length;
    const size = levels * object + length + items;
    return { taken, most: 100_000 + Math.max(10, 5 + schemas) * size };
  };

  it.each([
    ['long text', 1, 'a'.repeat(16_000), 0, 103],
    ['long list', 5, numbers(16_000), 16_000, 10],
    ['large object', 5, members(16_000), 16_000, 10],
  ])('is asked of a %s in as many steps as it is long', async (_, levels, v, items, schemas) => {
    const steps = [schemas, schemas + 1].map((each) => stepsOf(levels, each, 16_000, items));
    expect(steps.map(({ taken, most }) => taken <= most)).toEqual([true, false]);
    const value = below(levels, v);
    expect(await told(twice(several(schemas)), value)).toBe(true);
    expect(await told(twice(several(schemas + 1)), value)).toBe(tooLong(nested));
  });

  it('of few schemas is asked of each value ten times', async () => {
    const [fit, more] = [18_182, 18_183];
    const steps = [fit, more].map((each) => stepsOf(8, 0, each, each));
    expect(steps.map(({ taken, most }) => taken <= most)).toEqual([true, false]);
    expect(await told(twice({}), below(8, numbers(fit)))).toBe(true);
    expect(await told(twice({}), below(8, numbers(more)))).toBe(tooLong(nested));
  });

  it('is asked in 1,200,000 steps at most', async () => {
    const schema = twice({ items: several(19) });
    const steps = (count: number) => 3 + 1 / 16 + (1 + count / 16) + count * 20;
    expect([59_812, 59_813].map((each) => steps(each) <= 1_200_000)).toEqual([true, false]);
    expect(await told(schema, { v: numbers(59_812) })).toBe(true);
    expect(await told(schema, { v: numbers(59_813) })).toBe(tooLong(nested));
  });

  it('is asked of the value after one that took too long', async () => {
    const [validate] = await validatorsOf(twice(several(104)));
    const [long, short] = [below(1, 'a'.repeat(16_000)), below(1, 'a')];
    for (let i = 0; i < 3; i++) {
      expect(() => validate?.(long)).toThrow(tooLong(nested));
      expect(validate?.(short)).toBe(true);
    }
  });

  it('tells one fault', async () => {
    const [all, , verbose] = await validatorsOf(twice({ items: { type: 'string' } }));
    for (const validate of [all, verbose]) {
      expect(validate?.({ v: [1, 2] })).toBe(false);
      expect(validate?.errors).toMatchObject([{ instancePath: '/v/0' }]);
      expect(validate?.({ v: [] })).toBe(true);
      expect(validate?.errors).toBe(null);
    }
    const schema = verbose?.({ v: [1] }) === false && verbose.errors?.[0]?.parentSchema;
    expect(schema).toMatchObject({ type: 'string' });
  });
});

it('the steps of other schemas are not counted', async () => {
  const schema = { items: several(40), not: { items: several(40), minItems: 1e9 } };
  expect(await told(schema, numbers(40_000))).toBe(true);
});

describe('items that must differ', () => {
  const unique = { uniqueItems: true };

  it('within items that must differ are looked at in a bounded number of steps', async () => {
    const steps = (count: number) => 4 * (3 * count + 2 * (1 + count / 16) + (1 + 1 / 16));
    const most = (count: number) => 100_000 + 10 * (count + 1 + count / 16 + 1 + 1 / 16);
    const counts = [53_337, 53_338];
    expect(counts.map((each) => steps(each) <= most(each))).toEqual([true, false]);
    const schema = { ...unique, items: self };
    expect(await told(schema, [[numbers(53_337)]])).toBe(true);
    expect(await told(schema, [[numbers(53_338)]])).toBe(tooLong(compared));
  });

  it('are judged in large numbers', async () => {
    const objects = (count: number) => numbers(count).map((a) => ({ a, b: [{ a }] }));
    expect(await told(unique, objects(20_000))).toBe(true);
    expect(await told(unique, [...objects(20_000), ...objects(1)])).toBe(false);
  });

  const lists = {
    properties: {
      ...{ a: unique, b: { uniqueItems: false }, c: unique },
      plain: { ...unique, items: { type: 'integer' } },
    },
  };
  it.each([
    ['none', {}, 0],
    ['one', { a: [1, 2, 3] }, 9],
    ['one of texts', { a: ['a'.repeat(16), 'b'] }, 2 * (2 + (1 + 1 / 16))],
    ['two', { a: [1, 2, 3], c: [[1], [2]] }, 9 + 2 * (2 * (1 + 1 / 16) + 2)],
    ['of two equal ones', { a: [1], c: [1, 1] }, 1 + 4],
    ['where items may be equal', { b: [1, 1] }, 0],
    ['items of a plain type', { plain: [1, 2, 3] }, 0],
  ])('tell how often Ajv would compare them: %s', async (_, value, comparisons) => {
    for (const validate of await validatorsOf(lists)) {
      validate({ a: [1, 1, 1, 1] });
      validate(value);
      expect(validate.comparisons).toBe(comparisons);
    }
  });

  it('are compared behind two equal ones where all faults are looked for', async () => {
    const [all] = await validatorsOf(lists);
    all?.({ a: [1, 1], c: [1] });
    expect(all?.comparisons).toBe(5);
  });
});

describe('values that are compared with objects', () => {
  const place = { lat: 1, of: [{ a: 1, b: 2 }] };
  it.each<[object, unknown[], unknown[]]>([
    [
      { const: place },
      [place, { of: [{ b: 2, a: 1 }], lat: 1 }],
      [{}, { lat: 1 }, null, 'x', [], JSON.stringify(place)],
    ],
    [
      { enum: [place, [], null, 'x', 1] },
      [place, [], null, 'x', 1],
      [{}, [1], 'null', '[]', 0, true, JSON.stringify(place), { valueOf: 1 }, { toString: 1 }],
    ],
    [{ not: { const: { a: 1 } } }, [{}, { a: 2 }, { constructor: 1 }], [{ a: 1 }]],
  ])('are those of %j alone', async (schema, valid, invalid) => {
    for (const validate of await validatorsOf(schema)) {
      for (const value of valid) expect([value, validate(value)]).toEqual([value, true]);
      for (const value of invalid) expect([value, validate(value)]).toEqual([value, false]);
    }
  });

  it('are told as Ajv tells them', async () => {
    const [all, , verbose] = await validatorsOf({
      items: { anyOf: [{ const: place }, { enum: [1, place] }] },
    });
    expect(all?.([2, 1, 3])).toBe(false);
    expect(all?.errors?.filter(({ keyword }) => keyword !== 'anyOf')).toMatchObject([
      {
        ...{ keyword: 'const', instancePath: '/0', params: { allowedValue: place } },
        message: 'must be equal to constant',
      },
      {
        ...{ keyword: 'enum', instancePath: '/0', params: { allowedValues: [1, place] } },
        message: 'must be equal to one of the allowed values',
      },
      { keyword: 'const', instancePath: '/2' },
      { keyword: 'enum', instancePath: '/2' },
    ]);
    verbose?.([2]);
    expect(verbose?.errors).toMatchObject([
      { parentSchema: { const: place } },
      { parentSchema: { enum: [1, place] } },
      {},
    ]);
  });
});

describe('two equal items are told by their places, as Ajv tells them', () => {
  it.each([
    [{}, [1, 2, 1], 0, 2],
    [{}, [{ a: 1, b: 2 }, 0, { b: 2, a: 1 }], 0, 2],
    [{}, [1, 1, 2, 2], 2, 3],
    [{}, [1, 1, 1], 1, 2],
    [{ type: 'object' }, [{}, {}], 0, 1],
    [{ type: 'integer' }, [1, 2, 1], 2, 0],
    [{ type: ['string', 'null'] }, [null, 'a', 'a'], 2, 1],
  ])('%j of %j', async (items, value, first, last) => {
    for (const validate of await validatorsOf({ uniqueItems: true, items })) {
      expect(validate(value)).toBe(false);
      expect(validate.errors).toMatchObject([
        {
          ...{ instancePath: '', keyword: 'uniqueItems', schemaPath: expect.any(String) },
          message: `must NOT have duplicate items (items ## ${first} and ${last} are identical)`,
        },
      ]);
      expect(validate(value.slice(0, 1))).toBe(true);
    }
  });
});

describe('members that are filled in', () => {
  const filled = (count: number) => ({
    items: { properties: Object.fromEntries(numbers(count).map((i) => [`a${i}`, { default: 0 }])) },
  });
  const objects = (count: number) => numbers(count).map(() => ({}));

  it('are 1,200,000 at most, where an object has many', async () => {
    // The list is a part as well.
    expect(await told(filled(100), objects(11_999))).toBe(true);
    expect(await told(filled(100), objects(12_000))).toBe(
      tooLong('too many members have defaults'),
    );
  });

  it('are as many as there are objects, where each has ten', async () => {
    expect(await told(filled(10), objects(40_000))).toBe(true);
    expect(await told(filled(11), objects(40_000))).toBe(true);
    expect(await told(filled(11), objects(130_000))).toBe(
      tooLong('too many members have defaults'),
    );
    expect(await told(filled(10), objects(130_000))).toBe(true);
  });
});
