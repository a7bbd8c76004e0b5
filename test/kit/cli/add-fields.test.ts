// engines: sqlite
import { describe, expect, it } from 'vitest';
import { fieldOf, namesOf } from '../../../src/kit/cli/add/resource-fields.ts';

describe('a field', () => {
  const of = (text: string) => fieldOf(text, ['books', 'boxes', 'cities', 'news']);

  it.each([
    ['a:string', [1, 200]],
    ['a:text', [0, 10_000]],
    ['a:integer', [-2_147_483_648, 2_147_483_647]],
    ['a:number', [-1_000_000_000, 1_000_000_000]],
    ['a:boolean', [0, 0]],
    ['a:date', [10, 10]],
    ['a:date-time', [20, 35]],
    ['a:uuid', [36, 36]],
    ['a:string(0)', 'bounds'],
    ['a:string(1)', [1, 1]],
    ['a:string(0..0)', [0, 0]],
    ['a:text(5)', [0, 5]],
    ['a:integer(-3..-2)', [-3, -2]],
    ['a:integer(1.5)', 'bounds'],
    ['a:number(0.5..1.5)', [0.5, 1.5]],
    ['a:number(2..2)', [2, 2]],
    ['a:number(2..1)', 'bounds'],
    ['a:string(-1..3)', 'bounds'],
    ['a:string()', 'bounds'],
    ['a:string(1..)', 'bounds'],
    ['a:integer(1..2..3)', 'bounds'],
    ['a:date(3)', 'bounds'],
    ['a:integer(9007199254740992)', 'bounds'],
    ['a:enum(a|)', [0, 0]],
    ['a:enum', 'an enum with its values'],
    ['a:enum(|)', 'an enum with its values'],
    ['a:enum(a b)', 'an enum with its values'],
    [
      'a:int',
      'knows no type int; there are string, text, integer, number, boolean, date, date-time, uuid, enum',
    ],
    ['a:toString', 'takes fields such as'],
    ['id:integer', 'gives every record an id'],
    ['a:string?[]', 'takes fields such as'],
    ['A:string', 'takes fields such as'],
    ['a', 'takes fields such as'],
  ])('%s is read', (text, expected) => {
    if (typeof expected === 'string') expect(() => of(text)).toThrow(expected);
    else expect([of(text).least, of(text).most]).toEqual(expected);
  });

  it.each([
    ['bookId:integer', 'books', 1, Number.MAX_SAFE_INTEGER],
    ['bookId:integer(1..5)', 'books', 1, 5],
    ['boxId:integer', 'boxes', 1, Number.MAX_SAFE_INTEGER],
    ['cityId:integer', 'cities', 1, Number.MAX_SAFE_INTEGER],
    ['bookId:string', undefined, 1, 200],
    ['bookId:integer[]', undefined, -2_147_483_648, 2_147_483_647],
    ['shopId:integer', undefined, -2_147_483_648, 2_147_483_647],
  ])('%s refers to %s', (text, references, least, most) => {
    expect(of(text)).toMatchObject({ references, least, most });
  });
});

describe('names', () => {
  it.each([
    [
      'order-lines',
      undefined,
      'orderLines',
      'orderLine',
      'OrderLine',
      'OrderLines',
      'order line',
      'order lines',
    ],
    ['cities', undefined, 'cities', 'city', 'City', 'Cities', 'city', 'cities'],
    ['ties', undefined, 'ties', 'tie', 'Tie', 'Ties', 'tie', 'ties'],
    ['boxes', undefined, 'boxes', 'box', 'Box', 'Boxes', 'box', 'boxes'],
    ['classes', undefined, 'classes', 'class', 'Class', 'Classes', 'class', 'classes'],
    ['sheep', 'one-sheep', 'sheep', 'oneSheep', 'OneSheep', 'Sheep', 'one sheep', 'sheep'],
  ])('of %s', (path, one, many, single, type, types, words, allWords) => {
    expect(namesOf(path, one)).toEqual({ path, many, one: single, type, types, words, allWords });
  });

  it.each([
    [undefined, undefined, 'needs the name of a collection, such as reviews'],
    ['Books', undefined, "takes names such as reviews or order-lines, not 'Books'"],
    ['books', 'Book', "not 'Book'"],
    ['sheep', undefined, 'needs a name for one of the sheep that is not sheep: --singular <name>'],
    ['sheep', 'sheep', 'needs a name for one of the sheep that is not sheep'],
    ['s', undefined, 'needs a name for one of the s that is not s'],
    ['glass', undefined, 'needs a name for one of the glass'],
  ])('are refused: %s %s', (path, one, message) => {
    expect(() => namesOf(path, one)).toThrow(message);
  });
});
