import { expect, it } from 'vitest';
import { createRecentUses } from '../../../src/kit/graphql/recent-uses.ts';

it('forgets the one that was used least recently, when there are more than so many', () => {
  const forgotten: string[] = [];
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => ({ name }));
  const used = createRecentUses<{ readonly name: string }>(2, ({ name }) => forgotten.push(name));
  const use = (...all: ({ readonly name: string } | undefined)[]) => {
    forgotten.length = 0;
    for (const each of all) if (each) used(each);
    return forgotten.join('');
  };
  expect(use(a, b, a, b, a)).toBe('');
  expect(use(c)).toBe('b');
  expect(use(a, d)).toBe('c');
  expect(use(d, a)).toBe('');
  // One that was forgotten is as new.
  expect(use(b)).toBe('d');
  expect(use(c, d)).toBe('ab');
});
