import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lossIn } from '../../../src/kit/http/exact-json.ts';

const NUMBER = 'has a number that cannot be kept as it is written';
const NAMES = 'has two members with one name';
const exact = (text: string) => lossIn(text, JSON.parse(text), 'exact');
const rounded = (text: string) => lossIn(text, JSON.parse(text), 'rounded');

/** The value of a JSON number as a fraction of whole numbers. */
function fraction(text: string): [bigint, bigint] {
  const [, sign, whole = '', part = '', power = '0'] =
    text.match(/^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i) ?? [];
  const digits = BigInt(`${whole}${part}`) * (sign === '-' ? -1n : 1n);
  const exponent = Number(power) - part.length;
  return exponent < 0 ? [digits, 10n ** BigInt(-exponent)] : [digits * 10n ** BigInt(exponent), 1n];
}

/** Whether JavaScript writes the number that it reads with the same value. */
function isKept(text: string): boolean {
  const shown = String(Number(text));
  if (!/^-?\d/.test(shown)) return false;
  const [[a, b], [c, d]] = [fraction(text), fraction(shown)];
  return a * d === c * b;
}

const digits = fc.stringMatching(/^(0|[1-9]\d{0,18})$/);
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits,
    fc.option(fc.stringMatching(/^\d{1,19}$/), { nil: '' }),
    fc.option(fc.tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), fc.nat(30)), {
      nil: undefined,
    }),
  )
  .map(([sign, whole, part, power]) => {
    const ending = power ? power.join('') : '';
    return `${sign}${whole}${part && `.${part}`}${ending}`;
  });

describe('a number', () => {
  it('is lost where its value is not the one that is read', () => {
    fc.assert(
      fc.property(number, (text) => {
        expect(exact(text)).toBe(isKept(text) ? undefined : NUMBER);
        expect(rounded(text)).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    '0',
    '-0',
    '0.0',
    '-0.0',
    '0e5',
    '0E-7',
    '7',
    '-7',
    '9',
    '1.5',
    '-1.50',
    '10',
    '100',
    '1e2',
    '1E+2',
    '1e-2',
    '120e-1',
    '0.1',
    '0.10',
    '1.0e0',
    '123456789012345',
    '999999999999999',
    '1234567890123456',
    '9007199254740991',
    '9007199254740992',
    '-9007199254740992',
    '1e21',
    '1e22',
    '100000000000000000000000',
    '0.000001',
    '0.0000001',
    '5e-324',
    '1.7976931348623157e308',
  ])('is kept: %s', (text) => {
    expect(exact(text)).toBeUndefined();
    expect(exact(`{"a":[${text},${text}],"b":${text}}`)).toBeUndefined();
  });

  it.each([
    '9007199254740993',
    '-9007199254740993',
    '12345678901234567',
    '1.00000000000000001',
    '1e-400',
    '1e400',
    '-1e400',
    '0.1000000000000000055511151231257827',
    '123456789012345678e1',
    '4.9e-324',
    '1e23000',
    '3.00000000000000001e0',
  ])('is lost, wherever it stands: %s', (text) => {
    for (const around of [text, ` ${text} `, `[${text}]`, `[1,${text}]`, `{"a":${text},"b":1}`]) {
      expect(exact(around)).toBe(NUMBER);
      expect(rounded(around)).toBeUndefined();
    }
  });

  it('within a text is text', () => {
    expect(exact('"9007199254740993"')).toBeUndefined();
    expect(exact('{"9007199254740993":"1e400","a\\"1e400":"\\\\"}')).toBeUndefined();
    expect(exact('["\\\\",1e400]')).toBe(NUMBER);
    expect(exact('["\\\\\\"",1e400]')).toBe(NUMBER);
  });
});

describe('members', () => {
  it.each([
    ['{}', undefined],
    ['[]', undefined],
    ['null', undefined],
    ['"a:b"', undefined],
    ['{"a":1}', undefined],
    ['{"a":1,"b":2}', undefined],
    ['{"a":{"a":{"a":null}}}', undefined],
    ['[{"a":1},{"a":1}]', undefined],
    ['{"a":"a","b":["a","a"]}', undefined],
    ['{"a":":","b":"\\":"}', undefined],
    ['{"a\\\\":1,"a\\"":2}', undefined],
    ['{"a":true,"b":false,"c":null}', undefined],
    ['{"a":1,"a":1}', NAMES],
    ['{"a" : 1,"a"\n\t\r :2}', NAMES],
    ['{"a":1,"\\u0061":2}', NAMES],
    ['[[{"b":{"a":1,"a":{}}}]]', NAMES],
    ['{"a":[1,{"b":1}],"a":2}', NAMES],
    ['{"":1,"":2}', NAMES],
    ['{"a\\\\":1,"a\\\\":2}', NAMES],
    ['{"a!":1,"b":[{"c":1,"c":2}]}', NAMES],
  ])('of %s: %s', (text, loss) => {
    expect(exact(text)).toBe(loss);
    expect(rounded(text)).toBe(loss);
  });

  it('of any JSON are none twice', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        expect(rounded(text)).toBeUndefined();
        const spaced = JSON.stringify(JSON.parse(text), undefined, '\t ');
        expect(rounded(spaced)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
});
