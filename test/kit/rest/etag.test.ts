import { describe, expect, it } from 'vitest';
import { conditionOf, entityTag, evaluated } from '../../../src/kit/rest/etag.ts';

const match = (value: string) => ({ 'if-match': value });
const none = (value: string) => ({ 'if-none-match': value });

describe('of a record in version 5', () => {
  it.each([
    [{}, 'given'],
    [match('*'), 'given'],
    [match('"5"'), 'given'],
    [match('"4", "5"'), 'given'],
    [match('"4"'), 'failed'],
    [match('W/"5"'), 'failed'],
    [match('"05"'), 'failed'],
    [match('"5x"'), 'failed'],
    [match('"55"'), 'failed'],
    [match('5'), 'failed'],
    [match(''), 'failed'],
    [none('"5"'), 'not modified'],
    [none('W/"5"'), 'not modified'],
    [none('"4",W/"5"'), 'not modified'],
    [none('*'), 'not modified'],
    [none('"4"'), 'given'],
    [none('""'), 'given'],
    [{ ...match('"5"'), ...none('"5"') }, 'not modified'],
    [{ ...match('"5"'), ...none('"4"') }, 'given'],
    [{ ...match('"4"'), ...none('"5"') }, 'failed'],
    [{ ...match('*'), ...none('*') }, 'not modified'],
  ])('%j is %s', (headers, outcome) => {
    expect(evaluated(headers, 5)).toBe(outcome);
    expect(entityTag(5)).toBe('"5"');
  });

  it.each([
    [{}, undefined],
    [match('*'), { among: undefined, notAmong: [] }],
    [match('"5", "x", "6"'), { among: [5, 6], notAmong: [] }],
    [
      match('"1234567890123456", "12345678901234567"'),
      { among: [1_234_567_890_123_456], notAmong: [] },
    ],
    [none('*'), { among: undefined, notAmong: 'any' }],
    [none('"5", W/"6"'), { among: undefined, notAmong: [5, 6] }],
    [
      { ...match('"5"'), ...none('"6"') },
      { among: [5], notAmong: [6] },
    ],
  ])('%j asks of a write for %j', (headers, condition) => {
    expect(conditionOf(headers)).toEqual(condition);
  });
});
