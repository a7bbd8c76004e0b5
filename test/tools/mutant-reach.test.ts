import { expect, test } from 'vitest';
import { type Reach, reaching } from '../../tools/mutations/reach.ts';
import { mutantsOf } from '../../tools/mutations/syntax-mutants.ts';

const file = 'src/kit/http/a.ts';
const text = 'a = b && c;';
const mutants = mutantsOf(file, text);
const reachOf = (...ranges: [number, number][]): Reach => ({
  ...{ test: 'a.test.ts', project: 'sqlite', digest: '', seconds: 1, isGreen: true },
  covered: { [file]: { digest: mutants[0]?.digest ?? '', ranges } },
});

test('a logical operator is reached where its left side is', () => {
  const [mutant] = mutants.filter(({ before }) => before === '&&');
  if (!mutant) throw new Error('`&&` has no mutant');
  const isReachedBy = (reach: Reach) => reaching([reach], mutant).length === 1;
  expect(isReachedBy(reachOf([0, text.indexOf('&&')]))).toBe(true);
  expect(isReachedBy(reachOf([0, text.indexOf('b')]))).toBe(false);
  expect(isReachedBy(reachOf())).toBe(false);
});

test('tests that fail without a mutant notice none', () => {
  const [mutant] = mutants;
  if (!mutant) throw new Error('there is no mutant');
  expect(reaching([{ ...reachOf([0, text.length]), isGreen: false }], mutant)).toEqual([]);
});
