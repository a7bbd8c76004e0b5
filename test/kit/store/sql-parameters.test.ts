import { expect, it } from 'vitest';
import { later } from '../../../src/kit/store/replica-reading.ts';
import { withParameters } from '../../../src/kit/store/sql-parameters.ts';

it.each([
  ['SELECT $1, $12 + $2', 'SELECT <1>, <12> + <2>'],
  ["'$1' || $1 || 'it''s $2'", "'$1' || <1> || 'it''s $2'"],
  ['"$1" = $1 AND "a""$2" = $2', '"$1" = <1> AND "a""$2" = <2>'],
  ['SELECT 1', 'SELECT 1'],
])('the parameters of %s are written anew, but not what is in quotes', (sql, expected) => {
  expect(withParameters(sql, (number) => `<${number}>`)).toBe(expected);
});

it('of two positions in the log the later one counts', () => {
  const [early, late] = ['0000000000000009', '000000000000000A'];
  expect([later(early, late), later(late, early), later(late, late)]).toEqual([late, late, late]);
});
