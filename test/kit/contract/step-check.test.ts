import { describe, expect, it } from 'vitest';
import { knownContract } from '../../support/known-contract.ts';

const ref = { $ref: '#/components/schemas/X' };
const nested = 'schemas that contain themselves nest too deep';
const compared = 'lists whose items must differ are too long';

/** What is said of a value of a schema, where all faults are looked for and where the first one is. */
async function told(schema: object, value: unknown) {
  const { createStepCheck } = await knownContract({
    ...{ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} },
    components: { schemas: { X: schema } },
  });
  return (['all', 'first'] as const).map((faults) => createStepCheck(ref, faults)(value));
}

describe('the steps of a value', () => {
  const several = (count: number) => ({ allOf: Array(count).fill({}) });
  // It leads to itself in two ways.
  const twice = { patternProperties: { '^self': ref, '^sel': ref } };

  it.each([
    [11, undefined],
    [12, nested],
  ])('are as many as the schemas that are asked, by its size (%i)', async (more, why) => {
    const properties = { list: { items: several(14) }, more: several(more) };
    const value = { list: Array(10_257).fill(0), more: 0, a: 0, b: 0 };
    // Of a value of four members, of its list, of each item, and of `more`.
    const steps = 1 + 4 / 16 + (1 + 10_257 / 16) + 10_257 * 15 + (1 + more);
    const size = 1 + 10_257 / 16 + 10_257 + 3;
    expect(steps - (100_000 + 5 * size)).toBe(more - 11);
    expect(await told({ ...twice, properties }, value)).toEqual([why, why]);
  });

  it.each([
    ['text', 'a'.repeat(16_000)],
    ['list', Array(16_000).fill(0)],
    ['object', Object.fromEntries(Array.from({ length: 16_000 }, (_, i) => [`a${i}`, 0]))],
  ])('are more for a long %s', async (_, long) => {
    const steps = 1 + 16_000 / 16;
    const size = steps + (typeof long === 'string' ? 0 : 16_000);
    const most = Math.floor((100_000 + 5 * size - 1 - 1 / 16) / steps);
    const asking = (count: number) => ({ ...twice, properties: { long: several(count - 1) } });
    expect(await told(asking(most), { long })).toEqual([undefined, undefined]);
    expect(await told(asking(most + 1), { long })).toEqual([nested, nested]);
  });

  it('are not counted of schemas that lead to themselves in one way', async () => {
    const { length } = await told({ items: ref, ...several(40) }, Array(20_000).fill(0));
    expect(length).toBe(2);
    expect(
      await told({ items: several(40), not: { items: several(40) } }, Array(20_000).fill(0)),
    ).toEqual([undefined, undefined]);
  });
});

describe('items that must differ', () => {
  const unique = { uniqueItems: true };
  /** Items of 19.2 characters, and of as many more. */
  const texts = (more: number) =>
    Array.from({ length: 1000 }, (_, i) => String(i).padEnd(i < 200 ? 20 : 19, '-')).with(
      0,
      '0'.padEnd(20 + more, '-'),
    );

  it('are compared up to a number of items times the values in them', async () => {
    expect(texts(0).join('').length).toBe(16 * (2_200_000 / 1000 - 1000));
    expect(await told(unique, texts(0))).toEqual([undefined, undefined]);
    expect(await told(unique, texts(1))).toEqual([compared, compared]);
  });

  it('of several lists are counted together, behind one that is compared and one that is not', async () => {
    const schema = {
      properties: { a: unique, b: { uniqueItems: false }, c: unique },
    };
    expect(await told(schema, { a: [1, 2], b: [1, 1], c: texts(0) })).toEqual([compared, compared]);
    expect(await told(schema, { a: [], b: [1, 1], c: texts(0) })).toEqual([undefined, undefined]);
    expect(await told(schema, { b: texts(1) })).toEqual([undefined, undefined]);
  });

  it('are counted behind a fault, where all are looked for', async () => {
    const schema = { properties: { a: { type: 'string' }, b: unique } };
    expect(await told(schema, { a: 1, b: texts(1) })).toEqual([compared, undefined]);
  });

  it('are not counted where they have a plain type, nor steps beside them', async () => {
    const plain = { uniqueItems: true, items: { type: 'string' } };
    expect(await told(plain, texts(1))).toEqual([undefined, undefined]);
    const choices = Array.from({ length: 20 }, (_, i) => ({ const: i }));
    const schema = { properties: { a: unique, b: { items: { oneOf: choices } } } };
    expect(await told(schema, { a: [1], b: Array(20_000).fill(1) })).toEqual([
      undefined,
      undefined,
    ]);
  });
});
