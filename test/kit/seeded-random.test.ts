import { describe, expect, it } from 'vitest';
import {
  createRandom,
  DEFAULT_SEED,
  hashOf,
  integerWithin,
  pick,
  timeOf,
  uuidOf,
  wordsOf,
} from '../../src/kit/seeded-random.ts';

const least = () => 0;
const most = () => 1 - 2 ** -32;

describe('a seed', () => {
  // Mocks answer alike on every machine and in every version.
  it.each([
    ['', [771_939_902, 4_271_725_598, 2_645_533_547, 2_070_283_728]],
    ['1', [2_547_511_406, 2_231_980_483, 4_115_715_241, 2_616_262_158]],
    ['a seed', [2_084_496_991, 4_274_869_990, 679_618_189, 70_646_812]],
  ])('%j gives the same numbers everywhere', (seed, numbers) => {
    const random = createRandom(seed);
    expect(numbers.map(() => random() * 2 ** 32)).toEqual(numbers);
  });

  it.each([
    ['', 2_872_998_923],
    ['1', 1_428_125_071],
    ['ab', 2_563_531_789],
    ['ba', 605_838_741],
    ['é', 3_136_788_073],
  ])('%j has the same hash everywhere', (text, hash) => {
    expect(hashOf(text)).toBe(hash);
  });

  it('gives the same values everywhere', () => {
    const random = createRandom('x');
    expect(uuidOf(random)).toBe('951017e6-5391-43cb-af90-65977b800fb2');
    expect([wordsOf(random), wordsOf(random, 1)]).toEqual(['river river', 'fjord']);
    expect(timeOf(random)).toBe('2026-08-09T05:34:36Z');
    expect(DEFAULT_SEED).toBe(1);
  });
});

describe('values keep to their bounds', () => {
  it('integers', () => {
    expect([integerWithin(least, -2, 3), integerWithin(most, -2, 3)]).toEqual([-2, 3]);
  });

  it('one of several', () => {
    expect([pick(least, ['a', 'b']), pick(most, ['a', 'b']), pick(least, [])]).toEqual([
      'a',
      'b',
      undefined,
    ]);
  });

  it('UUIDs', () => {
    expect(uuidOf(least)).toBe('00000000-0000-4000-a000-000000000000');
    expect(uuidOf(most)).toBe('ffffffff-ffff-4fff-afff-ffffffffffff');
  });

  it('times', () => {
    expect([timeOf(least), timeOf(most)]).toEqual(['2026-01-01T00:00:00Z', '2026-12-31T23:59:59Z']);
  });

  it('words, of which there are 25', () => {
    expect([wordsOf(least), wordsOf(most)]).toEqual(['amber', 'zephyr zephyr zephyr']);
    expect(wordsOf(most, 5).split(' ')).toHaveLength(5);
    const words = Array.from({ length: 25 }, (_, i) => {
      // The first number is for how many there are.
      const numbers = [0, i / 25 + 0.01];
      return wordsOf(() => numbers.shift() ?? 0);
    });
    expect(words.join(' ')).toBe(
      'amber birch cedar delta ember fjord grove harbor indigo juniper kelp linden maple nectar ' +
        'orchid pebble quartz river saffron tulip umber velvet willow yarrow zephyr',
    );
  });
});
