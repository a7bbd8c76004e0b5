import { describe, expect, it } from 'vitest';
import { patternOf, textsIn } from '../../../src/kit/contract/path-template.ts';
import { decode } from '../../../src/kit/contract/routes.ts';

describe('the texts of parameters in a segment', () => {
  it.each([
    ['{a}', 'x', ['x']],
    ['{a}', '', undefined],
    ['{a}.json', 'x.json', ['x']],
    ['{a}.json', '.json', undefined],
    ['v{a}', 'v1', ['1']],
    ['v{a}', 'v', undefined],
    ['v{a}', 'w1', undefined],
    ['{a}-{b}', 'x-y', ['x', 'y']],
    ['{a}-{b}', '-y', undefined],
    ['{a}-{b}', '--y', ['-', 'y']],
    ['{a}-{b}', 'x-', undefined],
    ['{a}-{b}', 'xy', undefined],
    ['a{a}b{b}c', 'a1b2c', ['1', '2']],
    ['a{a}b{b}c', 'abbc', undefined],
    ['a{a}bc', 'abc', undefined],
    ['{a}-{b}-{c}', '1-2-3-4', ['1', '2', '3-4']],
  ])('%s in %s: %j', (template, segment, texts) => {
    expect(textsIn(patternOf(template), segment)).toEqual(texts);
  });

  it.each([
    ['a%20b', 'a b'],
    ['a+b', 'a+b'],
    ['%zz', '%zz'],
    ['%C3', '%C3'],
  ])('%s means %s', (segment, text) => {
    expect(decode(segment)).toBe(text);
  });
});
