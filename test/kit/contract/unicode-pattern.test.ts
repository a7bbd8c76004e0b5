import { describe, expect, it } from 'vitest';
import { unicodePattern } from '../../../src/kit/contract/unicode-pattern.ts';

// ECMAScript, annex B.1.2: what only patterns without the flag u may have.
describe('a regular expression is written as the Unicode mode takes it:', () => {
  it.each([
    ['^[\\w-\\.]+$', '^[\\w\\-\\.]+$', ['a-.b'], ['?']],
    ['^[.-\\d]$', '^[.\\-\\d]$', ['-', '.', '5'], ['/']],
    ['^[\\s-_]$', '^[\\s\\-_]$', ['-', '_', ' '], ['a']],
    ['^\\@\\-\\_$', '^@-_$', ['@-_'], ['\\@']],
    ['^a{x}$', '^a\\{x\\}$', ['a{x}'], ['ax']],
    ['^a]$', '^a\\]$', ['a]'], ['a']],
    ['^}{$', '^\\}\\{$', ['}{'], ['']],
    ['^\\@a{1,2}b{2}c{1,}$', '^@a{1,2}b{2}c{1,}$', ['@aabbc'], ['@aaabbc']],
    ['^[\\@{}]$', '^[@{}]$', ['@', '{', '}'], ['a']],
    ['^[\\@\\-a]$', '^[@\\-a]$', ['-', '@', 'a'], ['b']],
    ['^\\@\\u0041\\x42\\cJ$', '^@\\u0041\\x42\\cJ$', ['@AB\n'], ['@']],
    ['^\\@(a)\\1\\/$', '^@(a)\\1\\/$', ['@aa/'], ['@a/']],
    ['^\\@[a-c]-[-d]$', '^@[a-c]-[-d]$', ['@b-d', '@a--'], ['@d-d']],
    ['^[\\@\\D-]$', '^[@\\D\\-]$', ['-', 'a'], ['1']],
    ['^[\\@]]$', '^[@]\\]$', ['@]'], ['@']],
    ['^[[\\@]$', '^[[@]$', ['[', '@'], [']']],
    [
      '^\\@\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\^\\$$',
      '^@\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\^\\$$',
      ['@.*+?()[]{}|^$'],
      ['@'],
    ],
    ['^\\@\\n\\r\\t\\f\\v\\0$', '^@\\n\\r\\t\\f\\v\\0$', ['@\n\r\t\f\v\0'], ['@']],
    ['\\@\\bA\\B', '@\\bA\\B', ['@AB'], ['@A']],
    ['^\\@\\D\\S\\W\\w\\s\\d$', '^@\\D\\S\\W\\w\\s\\d$', ['@aa-a 1'], ['@']],
  ])('%s', (written, expected, matching, others) => {
    expect(unicodePattern(written)).toBe(expected);
    for (const pattern of [new RegExp(written), new RegExp(expected, 'u')]) {
      expect(matching.filter((text) => !pattern.test(text))).toEqual([]);
      expect(others.filter((text) => pattern.test(text))).toEqual([]);
    }
  });

  it.each(['^a+$', '^\\p{L}$', '^[\\w.-]+$', '(', '\\@(', '\\@\\1', '[b-a]', '^\\@(?<a>b)\\k$'])(
    '%s stays, which it takes or nobody does',
    (pattern) => {
      expect(unicodePattern(pattern)).toBe(pattern);
    },
  );
});
