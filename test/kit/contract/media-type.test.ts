import { describe, expect, it } from 'vitest';
import {
  declaredFor,
  isInRange,
  isJsonType,
  isMediaRange,
  mediaTypeOf,
  splitUnquoted,
} from '../../../src/kit/contract/media-type.ts';

// RFC 9110, 5.6.4, 5.6.6 and 8.3.1.
describe('a media type is read with its parameters:', () => {
  it.each([
    ['Text/HTML', 'text/html', {}],
    [' text/html ; Charset = utf-8 ', 'text/html', { charset: 'utf-8' }],
    ['a/b;c="d;e";f=g', 'a/b', { c: 'd;e', f: 'g' }],
    ['a/b;c="\\"d\\\\"', 'a/b', { c: '"d\\' }],
    ['a/b;c="C:\\x"', 'a/b', { c: 'C:\\x' }],
    ['a/b;c="d', 'a/b', { c: 'd' }],
    ['a/b;C;d=', 'a/b', { c: '', d: '' }],
    ['a/b;=c', 'a/b', { '': 'c' }],
    ['a/b;c=1;C=2', 'a/b', { c: '1' }],
    ['a/b;c=d=e', 'a/b', { c: 'd=e' }],
    ['', '', {}],
  ])('%j', (text, name, parameters) => {
    const { name: found, parameters: all } = mediaTypeOf(text);
    expect([found, Object.fromEntries(all)]).toEqual([name, parameters]);
  });

  it.each([
    ['a;b', ['a', 'b']],
    ['"a;b" ; c', ['"a;b"', 'c']],
    ['"a\\";b";c', ['"a\\";b"', 'c']],
    ['a\\;b', ['a\\', 'b']],
    [';', ['', '']],
    ['', ['']],
  ])('%j is split outside of quotes', (text, pieces) => {
    expect(splitUnquoted(text, ';')).toEqual(pieces);
  });
});

it.each([
  ['application/json', true],
  ['application/*', true],
  ['*/*', true],
  ["a!#$%&'*+.^_`|~-9/b", true],
  ['a/b; c=d; e="f g\\""', true],
  ['a/b;', true],
  ['*/json', false],
  ['json', false],
  ['/json', false],
  ['a/', false],
  ['a/b/c', false],
  ['a b/c', false],
  ['a/b c', false],
  ['a/b; c', false],
  ['a/b; =d', false],
  ['a/b; c=', false],
  ['a/b; c="d', false],
  ['a/b; c="d" e', false],
  ['a/b; c d=e', false],
  ['', false],
])('%j is a media type or range: %s', (text, isOne) => {
  expect(isMediaRange(text)).toBe(isOne);
});

it.each([
  ['application/json', true],
  ['Application/JSON; charset=utf-8', true],
  ['application/vnd.a+json', true],
  ['text/json', true],
  ['application/jsonl', false],
  ['application/json-seq', false],
  ['json', false],
])('%s is JSON: %s', (text, isOne) => {
  expect(isJsonType(text)).toBe(isOne);
});

it.each([
  ['a/b', '*/*', true],
  ['a/b', 'a/*', true],
  ['a/b', 'a/b', true],
  ['a/b', 'a/c', false],
  ['ab/c', 'a/*', false],
  ['a/b', 'a/', false],
])('%s is in %s: %s', (name, range, isIn) => {
  expect(isInRange(name, range)).toBe(isIn);
});

describe('a media type is of the declared one that tells most of it:', () => {
  const declared = ['*/*', 'text/*', 'text/plain', 'Text/HTML; a=1', 'text/html; a=2', 'a/b'];
  it.each([
    ['text/html; a=2', 'text/html; a=2'],
    ['text/html; a=3', 'Text/HTML; a=1'],
    ['TEXT/plain', 'text/plain'],
    ['text/csv', 'text/*'],
    ['image/png', '*/*'],
    ['a/b; c=d', 'a/b'],
  ])('%s of %s', (sent, expected) => {
    expect(declaredFor(declared, sent)).toBe(expected);
  });

  it('and of none where none fits', () => {
    expect(declaredFor(['text/*', 'a/b'], 'a/c')).toBeUndefined();
  });
});
