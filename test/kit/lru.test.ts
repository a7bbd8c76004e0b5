import { expect, it } from 'vitest';
import { createLru } from '../../src/kit/lru.ts';

it('keeps the values that were asked for last, also undefined ones', () => {
  const made: string[] = [];
  const get = createLru(2, (key: string) => {
    made.push(key);
    return key === 'none' ? undefined : key.toUpperCase();
  });
  expect(['a', 'none', 'a', 'none', 'a', 'b', 'a', 'none'].map(get)).toEqual([
    'A',
    undefined,
    'A',
    undefined,
    'A',
    'B',
    'A',
    undefined,
  ]);
  expect(made).toEqual(['a', 'none', 'b', 'none']);
});
