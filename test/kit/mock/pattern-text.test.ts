// engines: sqlite
import { expect, it } from 'vitest';
import { textFor } from '../../../src/kit/mock/pattern-text.ts';

/** Regular expressions, and the text that is made of each. */
const made: readonly (readonly [pattern: string, text: string])[] = [
  ['', ''],
  ['abc', 'abc'],
  ['^a$', 'a'],
  ['a|b|c', 'a'],
  ['|a', ''],
  ['^(?:b|a)(c|d)e$', 'bce'],
  ['((a)b)c', 'abc'],
  ['(?<name>a)(?<_n1>b)', 'ab'],
  // Quantifiers: as few as they allow.
  ['a*b', 'b'],
  ['a+b', 'ab'],
  ['a?b', 'b'],
  ['a*?b', 'b'],
  ['a+?b', 'ab'],
  ['a??b', 'b'],
  ['a{3}', 'aaa'],
  ['a{0}b', 'b'],
  ['a{2,}b', 'aab'],
  ['a{2,5}b', 'aab'],
  ['a{2}?b', 'aab'],
  ['(ab){2}c', 'ababc'],
  ['a{12}', 'a'.repeat(12)],
  // Escapes.
  ['.', 'a'],
  ['^\\d\\w\\s\\D\\W\\S$', '1a a-a'],
  ['^\\n\\r\\t\\f\\v$', '\n\r\t\f\v'],
  ['^\\ba\\b$', 'a'],
  ['^a\\Bb$', 'ab'],
  ['^\\.\\/\\\\\\(\\$$', './\\($'],
  ['^\\u0041\\u00e9$', 'Aé'],
  ['^\\u{1F600}\\u{41}$', '😀A'],
  ['^\\x41\\x4a$', 'AJ'],
  ['^\\x4142\\u004142$', 'A42A42'],
  ['^😀$', '😀'],
  // Classes: the character that people would choose.
  ['[a-z]', 'a'],
  ['[b-z]', 'z'],
  ['[b-y]', 'b'],
  ['[0-9]', '1'],
  ['[02-9]', '0'],
  ['[A-Z]', 'A'],
  ['[B-Z]', 'Z'],
  ['[2-9]', '9'],
  ['[^a]', '1'],
  ['[^a-zA-Z0-9]', '-'],
  ['[^\\w-]', ' '],
  ['[^\\w .@/:#é你-]', '!'],
  ['[\\d]', '1'],
  ['[\\]]', ']'],
  ['[a\\\\]', 'a'],
  ['[\\\\]b', '\\b'],
  ['[\\n]', '\n'],
  ['[~b]', '~'],
  ['[ऀ-ॿ]', 'ऀ'],
  ['^[A-F]{2}[.][a-c]+$', 'AA.a'],
];

it.each(made)('%s matches %j', (pattern, text) => {
  expect(textFor(pattern)).toBe(text);
  expect(text).toMatch(new RegExp(pattern, 'u'));
});

it.each([
  ...['^(a)\\1$', '^(?<n>a)\\k<n>$', '^\\p{Lu}$', '^\\P{L}$', '^\\cA$', '^\\0$', '\\x4', '\\u12'],
  ...['^(?=b)b$', '^(?!a)b$', '(?<=a)b', '(?<!a)b', '^a$b', '^[\\u4e00-\\u4e05]$'],
  ...['(a', 'a)', '[a', '(?:a', '*a', 'a{2', '[b-a]', '(?<1>a)'],
  // Though a text could be found that matches.
  ...['\\p{L}', '[\\u4e00-\\u4e05]*a'],
])('%s is not one that a text is made of', (pattern) => {
  expect(textFor(pattern)).toBeUndefined();
});
