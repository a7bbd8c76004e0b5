// engines: sqlite
import { expect, it } from 'vitest';
import { matcherOf, textFor, textsFor } from '../../../src/kit/mock/pattern-text.ts';

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
  ['^\\cA\\0\\cz$', '\x01\0\x1a'],
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

/** What has assertions, references and properties: the shortest text that is no match is followed by others. */
const searched: readonly (readonly [pattern: string, text: RegExp])[] = [
  ['^\\p{Lu}$', /^A$/],
  ['^\\P{L}$', /^1$/],
  ['^[^\\0-\\ud7ff]$', /^\ue000$/],
  ['^\\p{Script=Linear_B}$', /^\u{10000}$/u],
  ['^[\\u{10fffd}]$', /^\u{10fffd}$/u],
  ['^\\ud83d\\ude00$', /^😀$/],
  ['^[\\u4e00-\\u4e05]$', /^一$/],
  ['^(?=b)b$', /^b$/],
  ['^(?!a)b$', /^b$/],
  ['(?<=a)b', /^ab$/],
  ['(?<!a)b', /^b$/],
  ['a(?=bc)', /^abc$/],
  ['a\\b.', /^a[^a]$/],
  ['^(?!a)[ab]$', /^b$/],
  ['^(?!a|b)[abc]$', /^c$/],
  ['^(?!a)\\w{2,4}$', /^[^a]\w{1,3}$/],
  ['^(?=.*foo).+$', /foo/],
  ['^(?=(a))\\1$', /^a$/],
  ['^(?=.*\\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z\\d]{8,}$', /^[A-Za-z\d]{8,}$/],
  ['^(?=.{40}$)[a-z]+$', /^a{40}$/],
  ['^(?=.{2,3}$)a+$', /^aa$/],
  // References.
  ['^(a)\\1$', /^aa$/],
  ['^(a|b)\\1c$', /^aac$/],
  ['^(?<n>a)\\k<n>$', /^aa$/],
  ['^(?:x)(?<n>a)(b)\\2\\1\\k<n>$', /^xabbaa$/],
  ['^(?=c)(?!d)(?<=)(?<!e)(c)\\1$', /^cc$/],
  ['^((a)b)\\2\\1$', /^abaab$/],
  ['^\\1(a)$', /^a$/],
  ['^(?:a|(b))\\1$', /^a$/],
  // No character is of the class.
  ['^(?:[^\\s\\S]|b)$', /^b$/],
  ['^(a){0}\\1b$', /^b$/],
  [`^${'(a)'.repeat(12)}\\12$`, /^a{13}$/],
];

it.each(searched)('%s matches what is found: %s', (pattern, expected) => {
  const text = textFor(pattern);
  expect(text).toMatch(expected);
  expect(text).toMatch(new RegExp(pattern, 'u'));
});

it('texts have lengths that are demanded', () => {
  const lengthOf = (pattern: string, minLength: number, maxLength: number) =>
    [...(textFor(pattern, { minLength, maxLength }) ?? '')].length;
  for (const length of [1, 2, 30, 5000]) {
    expect(lengthOf('^[A-Z]+$', length, length)).toBe(length);
    expect(lengthOf('^😀+$', length, length)).toBe(length);
  }
  for (const length of [6, 7, 100]) {
    expect(lengthOf('^[A-Z]+-\\d{4}$', length, length)).toBe(length);
    expect(lengthOf('^([a-z]{2})+\\.[a-z]+$', length, length + 1)).toBeGreaterThanOrEqual(length);
  }
  expect(textFor('^a+$', { minLength: 3 })).toBe('aaa');
  expect(textFor('^a{2,3}$', { minLength: 3 })).toBe('aaa');
  expect(textFor('^aa?$', { minLength: 2 })).toBe('aa');
  expect(textFor('^a|bc$', { minLength: 2 })).toBe('bc');
  for (const [pattern, bounds] of [
    ['^a{2,3}$', { minLength: 4 }],
    ['^aa?$', { minLength: 3 }],
    ['^a{3}$', { maxLength: 2 }],
  ] as const) {
    expect(textFor(pattern, bounds)).toBeUndefined();
  }
  expect(textFor('^a{3}$', { minLength: 3, maxLength: 3 })).toBe('aaa');
});

it('there are many texts, the same ones each time, all of which match', () => {
  const texts = [...textsFor('^[a-z]{3}$')];
  expect(new Set(texts).size).toBeGreaterThan(300);
  expect(texts).toEqual([...textsFor('^[a-z]{3}$')]);
  for (const text of texts) expect(text).toMatch(/^[a-z]{3}$/);
  expect(new Set(textsFor('^[a-zA-Z0-9]$')).size).toBe(62);
  expect(new Set(textsFor('^(?:a|b|c)$'))).toEqual(new Set(['a', 'b', 'c']));
  expect(new Set(textsFor('^a?b{1,2}$'))).toEqual(new Set(['b', 'ab', 'bb', 'abb']));
  expect(matcherOf('^b')('ab')).toBe(false);
});

it('the texts of a pattern are the same everywhere, and as many as are asked for', () => {
  expect([...textsFor('^a*b*[cd]*$', { minLength: 4 }, 14)]).toEqual([
    ...['aaaabbbbcccc', 'aaaaaaaaad', 'aabbb', 'aaaabbbbb', 'aaaaaadc', 'aaaabbbbbbbc'],
    ...['aaaaaaaab', 'aaaaaaaac'],
  ]);
  // The shortest twice.
  expect([...textsFor('^a*$', {}, 2)]).toEqual(['', '']);
  expect([...textsFor('^(?:a|b)$', {}, 4)]).toEqual(['a', 'a', 'a', 'b']);
  for (const pattern of ['^a*$', '^a{3}b{1,2}c+d?$', '^(?!a)b$']) {
    expect([...textsFor(pattern)]).toHaveLength(500);
  }
  expect(Math.max(...[...textsFor('^a*$')].map(({ length }) => length))).toBe(10);
});

it.each([
  ...['\\x4', '\\u12', '^a$b'],
  ...['(a', 'a)', '[a', '(?:a', '*a', 'a{2', '[b-a]', '(?<1>a)', '\\1', '^[]$', '^\\p{No}a\\p{x}$'],
  ...['^(?!a)a$', '^(?=a)(?!a)', '^a(?<!a)$', '^a\\bb$'],
])('%s is not one that a text is made of', (pattern) => {
  expect(textFor(pattern)).toBeUndefined();
});

it('the search ends soon where there is no match, or only a long one', () => {
  expect(textFor('^(a+)+(?=x)$')).toBeUndefined();
  expect(textFor('^a{100000}$')).toHaveLength(100_000);
  expect(textFor('^a{100001}$')).toBeUndefined();
  expect(textFor('^(?:a{100001}|b)$')).toBeUndefined();
  expect(textFor('^((a{1000}){1000}){1000}$')).toBeUndefined();
  const doubled = Array.from({ length: 60 }, (_, i) => `(\\${i + 1}\\${i + 1})`).join('');
  expect(textFor(`^(a)${doubled}$`)).toBeUndefined();
  expect(textFor(`${'('.repeat(20_000)}a${')'.repeat(20_000)}`)).toBeUndefined();
});
