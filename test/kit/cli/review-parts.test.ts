// engines: sqlite
import { describe, expect, it } from 'vitest';
import { jsonLines } from '../../../src/kit/cli/review/json-lines.ts';
import { changedLines } from '../../../src/kit/cli/review/raw-lines.ts';
import { listText, schemaText, valueText } from '../../../src/kit/cli/review/schema-text.ts';

describe('a schema is said as', () => {
  it.each<[unknown, string]>([
    [false, 'nothing'],
    [true, 'anything'],
    [undefined, 'anything'],
    [{}, 'anything'],
    [{ $ref: '#/components/schemas/Planet' }, 'Planet'],
    [{ type: 'string' }, 'text'],
    [{ type: 'integer', format: 'int32' }, 'whole number'],
    [{ type: 'integer', format: 'int64' }, 'whole number'],
    [{ type: 'number', format: 'double' }, 'number (double)'],
    [{ type: 'boolean' }, 'true or false'],
    [{ type: 'object' }, 'object'],
    [{ type: 'null' }, 'null'],
    [{ type: 'file' }, 'file'],
    [{ properties: {} }, 'object'],
    [{ type: ['string', 'null'] }, 'text, or null'],
    [{ type: ['string', 'integer'] }, 'text or whole number'],
    [{ const: 'a' }, 'always a'],
    [{ enum: ['a', 1, null] }, 'one of a, 1'],
    [{ enum: [1, 2, 3, 4, 5, 6, 7, 8] }, 'one of 1, 2, 3, 4, 5, 6, 7, 8'],
    [{ enum: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, 'one of 1, 2, 3, 4, 5, 6, 7, 8 …'],
    [{ type: 'array' }, 'list of anything'],
    [{ type: 'array', items: { type: 'string' } }, 'list of text'],
    [{ oneOf: [{ type: 'string' }, { type: 'null' }] }, 'text or null'],
    [
      { anyOf: [1, 2, 3, 4, 5, 6, 7].map((i) => ({ const: i })) },
      'always 1 or always 2 or always 3 or always 4 or always 5 or always 6',
    ],
    [{ allOf: [{ $ref: '#/a/A' }, { type: 'object' }] }, 'A with object'],
    [
      { allOf: [1, 2, 3, 4, 5, 6, 7].map((i) => ({ const: i })) },
      'always 1 with always 2 with always 3 with always 4 with always 5 with always 6',
    ],
    [{ type: 'string', minLength: 1, maxLength: 2000 }, 'text, 1 to 2,000 characters'],
    [{ type: 'string', minLength: 3, maxLength: 3 }, 'text, 3 characters'],
    [{ type: 'string', minLength: 3 }, 'text, at least 3 characters'],
    [{ type: 'string', maxLength: 3 }, 'text, at most 3 characters'],
    [{ type: 'string', minimum: 3 }, 'text'],
    [{ type: 'integer', minLength: 3 }, 'whole number'],
    [{ type: 'number', minimum: 1, maximum: 2 }, 'number, 1 to 2'],
    [{ minimum: 1, minLength: 2 }, 'anything, at least 2 characters, at least 1'],
    [
      { type: 'integer', exclusiveMinimum: 1000, exclusiveMaximum: 2000 },
      'whole number, more than 1,000, less than 2,000',
    ],
    [
      { type: 'array', minItems: 1, maxItems: 2, uniqueItems: true },
      'list of anything, 1 to 2 items, each item once',
    ],
    [{ type: 'object', minProperties: 1 }, 'object, at least 1 members'],
    [{ type: 'integer', multipleOf: 5, default: 10 }, 'whole number, a multiple of 5, default 10'],
    [{ type: 'string', pattern: '^a$', readOnly: true }, 'text, form ^a$, read only'],
    [{ type: 'string', writeOnly: true, deprecated: true }, 'text, write only, deprecated'],
    [
      { type: 'string', uniqueItems: false, readOnly: false, writeOnly: false, deprecated: false },
      'text',
    ],
  ])('%j: %s', (schema, text) => {
    expect(schemaText(schema)).toBe(text);
  });

  it('values and lists have an end', () => {
    expect(valueText('a'.repeat(100))).toBe('a'.repeat(100));
    expect(valueText('a'.repeat(101))).toBe(`${'a'.repeat(99)}…`);
    expect([valueText({ a: 1 }), valueText(undefined)]).toEqual(['{"a":1}', 'nothing']);
    expect(listText([])).toBe('');
    expect(listText(['a'])).toBe('`a`');
    expect(listText(['a', 'b'])).toBe('`a` and `b`');
    expect(listText([1, 2, 3, 4, 5, 6])).toBe('`1`, `2`, `3`, `4`, `5` and `6`');
    expect(listText([1, 2, 3, 4, 5, 6, 7, 8])).toBe('`1`, `2`, `3`, `4`, `5`, `6` and 2 more');
    expect(listText([1, 2], 1)).toBe('`1` and 1 more');
  });
});

describe('the lines that differ', () => {
  const lines = (text: string) => text.split('').join('\n');
  const shown = (before: string, after: string) =>
    changedLines(lines(before), lines(after)).map(({ sign, text }) => `${sign}${text}`);

  it.each([
    ['abc', 'abc', ''],
    ['', 'ab', '+a +b'],
    ['ab', '', '-a -b'],
    ['abc', 'axc', ' a -b +x  c'],
    ['abcdefg', 'abcxefg', ' b  c -d +x  e  f  …'],
    ['abcdefghijk', 'xbcdefghijy', '-a +x  b  c  …  i  j -k +y'],
    ['abcde', 'xbcdy', '-a +x  b  c  d -e +y'],
    ['aa', 'aaa', ' a  a +a'],
    ['aaa', 'aa', ' a  a -a'],
    ['abcb', 'bcab', '-a  b  c +a  b'],
    ['xaxbx', 'yaybx', '-x +y  a -x +y  b  x'],
  ])('of %s and %s', (before, after, text) => {
    expect(shown(before, after).join(' ')).toBe(text);
  });

  it('of long texts are all of both', () => {
    const long = (length: number, sign: string) =>
      Array.from({ length }, (_, i) => (i % 2 && i < length - 1 ? 'same' : `${sign}${i}`)).join(
        '\n',
      );
    const signs = (before: number, after = before) =>
      new Set(changedLines(long(before, 'a'), long(after, 'b')).map(({ sign }) => sign));
    expect(signs(600)).toEqual(new Set(['-', '+', ' ']));
    expect(signs(601)).toEqual(new Set(['-', '+']));
    expect(signs(601, 600)).toEqual(new Set(['-', '+']));
    expect(signs(600, 601)).toEqual(new Set(['-', '+']));
  });

  /** The length of the longest text that both have, with gaps. */
  function common(a: string, b: string): number {
    if (a === '' || b === '') return 0;
    const [c, d] = [a.slice(1), b.slice(1)];
    return a[0] === b[0] ? 1 + common(c, d) : Math.max(common(c, b), common(a, d));
  }

  it('are as few as can be, in the order of both texts', () => {
    const longer = (texts: string[]) => texts.flatMap((each) => [`${each}a`, `${each}b`]);
    const ofFour = longer(longer(longer(longer(['']))));
    const all = [...ofFour, ...longer(ofFour), ...longer(['c']), 'abc', 'cab', 'bcab'];
    const wrong = all.flatMap((before) =>
      all.filter((after) => {
        const found = changedLines(lines(before), lines(after));
        const of = (...signs: string[]) => found.filter(({ sign }) => signs.includes(sign));
        const textOf = (sign: string) =>
          of(sign, ' ')
            .map(({ text }) => text)
            .join('')
            .replace('…', '');
        const same = common(before, after);
        return !(
          of('-').length === before.length - same &&
          of('+').length === after.length - same &&
          before.includes(textOf('-')) &&
          after.includes(textOf('+'))
        );
      }),
    );
    expect(wrong).toEqual([]);
  });
});

it('the lines of parts of a JSON text are found in one pass', () => {
  const text = `{
  "a": { "b": [
    1,
    { "c": "x, \\"{[" },
    [[2],
      3]
  ], "d/e": null },
  "f\\\\": {
    "g~h": true }
}`;
  const lines = {
    ...{ '#': 1, '#/a': 2, '#/a/b': 2, '#/a/b/0': 3, '#/a/b/1': 4, '#/a/b/1/c': 4 },
    ...{ '#/a/b/2': 5, '#/a/b/2/0': 5, '#/a/b/2/0/0': 5, '#/a/b/2/1': 6, '#/a/d~1e': 7 },
    ...{ '#/f\\': 8, '#/f\\/g~0h': 9, '#/f\\/none': 8, '#/none/b': 1 },
  };
  const lineOf = jsonLines(text, Object.keys(lines));
  const found = Object.keys(lines).map((place) => [place, lineOf(place)]);
  expect(Object.fromEntries(found)).toEqual(lines);
  expect(jsonLines(text, ['#/a'])('#/a/b/2')).toBe(2);
  expect(jsonLines('{ "a": "b', ['#/a/c'])('#/a/c')).toBe(1);
  expect(jsonLines('{\n"a": [\n\n]\n}', ['#/a/0'])('#/a/0')).toBe(2);
});
