import { describe, expect, it } from 'vitest';
import {
  groupsAfter,
  partsOf,
  spaced,
  tokensOf,
} from '../../../src/kit/store/sqlite/sqlite-tokens.ts';

/** The tokens of a statement; words are marked. */
const marked = (sql: string) =>
  tokensOf(sql).map(({ text, isWord }) => (isWord ? `w:${text}` : text));

describe('a statement is taken apart into', () => {
  it.each<[sql: string, tokens: string[]]>([
    ['', []],
    [' \n\t', []],
    ['a b', ['w:a', 'w:b']],
    ['SELECT a1', ['w:SELECT', 'w:a1']],
    ['a_$1é😀 ', ['w:a_$1é😀']],
    ['a<>(1)', ['w:a', '<', '>', '(', 'w:1', ')']],
    ['"a b"c', ['a b', 'w:c']],
    ['`a b`c', ['a b', 'w:c']],
    ['[a b]c', ['a b', 'w:c']],
    ['["a]', ['"a']],
    ["'a b'c", ["'a b'", 'w:c']],
    ["'it''s'", ["'it'", "'s'"]],
    ["'--' '/*'", ["'--'", "'/*'"]],
    ['a--b\nc', ['w:a', 'w:c']],
    ['--b\nc', ['w:c']],
    ['a -- b', ['w:a']],
    ['a/*b*/c', ['w:a', 'w:c']],
    ['a/*/b*/c', ['w:a', 'w:c']],
    ['/**/c', ['w:c']],
    ['a /* b', ['w:a']],
    ['a-b/c', ['w:a', '-', 'w:b', '/', 'w:c']],
    ["'open", ["'open"]],
  ])('%j', (sql, tokens) => {
    expect(marked(sql)).toEqual(tokens);
  });
});

describe('the parts of a table are', () => {
  it.each<[sql: string, parts: string[]]>([
    ['CREATE TABLE t (a, b) STRICT', ['a', 'b']],
    ['CREATE TABLE t (a)', ['a']],
    ['CREATE TABLE "t" (a DECIMAL(1, 2) NOT NULL, b)', ['a DECIMAL ( 1 , 2 ) NOT NULL', 'b']],
    [
      'CREATE TABLE t (a CHECK ((a) > (1)), CHECK (f(a, (b)))) ',
      ['a CHECK ( ( a ) > ( 1 ) )', 'CHECK ( f ( a , ( b ) ) )'],
    ],
    ["CREATE TABLE t (a DEFAULT ',)(', b -- (,\n)", ["a DEFAULT ',)('", 'b']],
    ['CREATE TABLE t', []],
  ])('%s', (sql, parts) => {
    expect(partsOf(sql).map(spaced)).toEqual(parts);
  });
});

describe('after a keyword stands', () => {
  it.each<[keyword: string, sql: string, groups: string[]]>([
    ['CHECK', 'a CHECK (a > 0)', ['a > 0']],
    ['CHECK', 'a check (a > 0) b', ['a > 0']],
    ['CHECK', 'CHECK ((a) > (b)) CHECK (c)', ['( a ) > ( b )', 'c']],
    ['CHECK', 'CHECK ()', ['']],
    ['CHECK', '"check" (a) CHECK b', []],
    ['CHECK', 'checks (a)', []],
    ['AS', 'a AS (CAST(b AS text))', ['CAST ( b AS text )']],
  ])('%s in %s', (keyword, sql, groups) => {
    expect(groupsAfter(keyword, tokensOf(sql)).map(spaced)).toEqual(groups);
  });
});
