// engines: sqlite
import { expect, it } from 'vitest';
import { admitSameTexts } from '../../../src/kit/cli/contract/same-pattern.ts';

it.each([
  ['^a$', '^a$', true],
  ['^$', '^$', true],
  ['^[ab]$', '^(a|b)$', true],
  ['^aa*$', '^a+$', true],
  ['^a{1,3}$', '^a(a(a)?)?$', true],
  ['^(ab|ac)$', '^a[bc]$', true],
  ['^(foo|bar|baz)d*d$', '^(ba[rz]|foo)d+$', true],
  ['^\\u{1f600}$', '^😀$', true],
  ['^a$', '^b$', false],
  ['^a+$', '^a*$', false],
  // They admit more than what stands in them.
  ['a', 'b', false],
  ['^ab', '^ac', false],
  ['ab$', 'cb$', false],
  ['^ab\\$', '^ab!', false],
  ['^a|b$', '^c|d$', false],
  ['^a$|b', '^a$|c', false],
  ['(?=a)[ab]$', '(?=b)[ab]$', false],
  ['^[ab](?<=a)', '^[ab](?<=b)', false],
  ['^', '^', false],
  // What is not compared.
  ['^(?!a)b$', '^(?!a)b$', false],
  ['^($', '^($', false],
])('%s and %s are shown to admit the same texts: %s', (before, after, isSame) => {
  expect(admitSameTexts(before, after)).toBe(isSame);
});
