import { describe, expect, it } from 'vitest';
import { costOf, measured } from '../../../src/kit/graphql/json-data.ts';
import type { Plan } from '../../../src/kit/graphql/statement-plan.ts';

type Counts = { readonly fields: number; readonly places: number };

/** The members of all objects in a value, and how many of them are objects or lists. */
function countsIn(value: unknown): Counts {
  if (typeof value !== 'object' || value === null) return { fields: 0, places: 0 };
  const isList = Array.isArray(value);
  return Object.values(value).reduce(
    ({ fields, places }: Counts, each): Counts => {
      const inner = countsIn(each);
      const isPlace = !isList && typeof each === 'object' && each !== null;
      return {
        fields: fields + inner.fields + (isList ? 0 : 1),
        places: places + inner.places + (isPlace ? 1 : 0),
      };
    },
    { fields: 0, places: 0 },
  );
}

const texts = [
  '',
  'a',
  ':',
  '":',
  '\\":',
  '\\\\":',
  '":[',
  '":{',
  'a": {',
  '\n:\t',
  '😀:',
  '"',
  ':[',
  ':{',
  '::',
  '"a":1',
];

describe('The data of an answer', () => {
  it.each([
    {},
    { a: null },
    { a: 1, b: true, c: 'x' },
    { a: [], b: {} },
    { a: [{ b: 1 }, { b: 2, c: { d: null } }] },
    Object.fromEntries(texts.map((text, i) => [`t${i}`, text])),
    { of: texts.map((text) => ({ text, in: { text, of: [{ text }] } })) },
  ])('%j is measured without being parsed', (data) => {
    const json = JSON.stringify(data);
    expect(measured(json)).toEqual({ json, ...countsIn(data) });
  });
});

describe('Its cost is that of its fields and characters', () => {
  const cost = (
    { fields, places, length }: Counts & { readonly length: number },
    lists: Plan['lists'],
    { copies = 1, unread = 0, ofRecord = 2 } = {},
  ) => {
    const plan = { query: [], asked: [], actions: new Set<string>(), lists };
    const ofList = new Map([['Query.known', { ofRecord, copies: 9 }]]);
    const data = { json: 'x'.repeat(length), fields, places };
    return costOf(data, plan, { ofList, copies }, unread);
  };
  const known = (fields: number) => ({ coordinate: 'Query.known', fields });

  it.each([
    [10, { fields: 10, places: 0, length: 0 }, [], {}],
    [12, { fields: 10, places: 0, length: 100 }, [], {}],
    [30, { fields: 10, places: 2, length: 0 }, [], { unread: 500 }],
    [36, { fields: 10, places: 0, length: 100 }, [], { copies: 3 }],
    // A record that costs more than its fields are raises that of all fields.
    [30, { fields: 10, places: 0, length: 0 }, [known(2)], { ofRecord: 6 }],
    [10, { fields: 10, places: 0, length: 0 }, [known(6)], { ofRecord: 6 }],
    [10, { fields: 10, places: 0, length: 0 }, [known(9)], { ofRecord: 6 }],
    [60, { fields: 10, places: 0, length: 0 }, [known(0)], { ofRecord: 6 }],
    [30, { fields: 10, places: 0, length: 0 }, [known(6), known(2), known(3)], { ofRecord: 6 }],
    [10, { fields: 10, places: 0, length: 0 }, [{ coordinate: 'Query.none', fields: 1 }], {}],
  ])('%d', (expected, data, lists, options) => {
    expect(cost(data, lists, options)).toBe(expected);
  });
});
