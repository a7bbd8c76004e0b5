import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parameterText, type Sendable } from '../../../src/kit/cli/test/sampled-parameter.ts';
import { present } from '../../../src/kit/errors.ts';
import { readerOf, refusal, type Sent, type Unnamed } from '../../support/parameter-reader.ts';

const scalars = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
};
const record = {
  type: 'object',
  properties: {
    s: scalars.string,
    ...{ i: scalars.integer, n: scalars.number, b: scalars.boolean },
  },
};
const styles = [
  ...(['simple', 'label', 'matrix'] as const).map(
    (style) => ['path', style, [true, false]] as const,
  ),
  ['header', 'simple', [true, false]] as const,
  ['cookie', 'form', [true, false]] as const,
  ['query', 'form', [true, false]] as const,
  ...(['spaceDelimited', 'pipeDelimited'] as const).map(
    (style) => ['query', style, [false]] as const,
  ),
  ['query', 'deepObject', [true]] as const,
];

const cases = styles.flatMap(([place, style, explodes]) =>
  explodes.flatMap((explode) => {
    const kinds = [
      ...Object.keys(scalars),
      ...Object.keys(scalars).map((type) => `${type}s`),
      'object',
    ];
    const isOnly = (kind: string) => {
      if (style === 'deepObject') return kind === 'object';
      return !style.endsWith('Delimited') || kind === 'object' || kind.endsWith('s');
    };
    return kinds.filter(isOnly).map((kind) => ({ place, style, explode, kind }));
  }),
);

/** Texts that no delimiter of a style is part of: a list is split after percent-decoding. */
const plainText = fc
  .array(fc.constantFrom('a', 'B', '7', '-', '_', '~', 'é', '😀', '/', '?', '#', '%', '"x'), {
    minLength: 1,
    maxLength: 5,
  })
  .map((units) => units.join(''));
const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });
const headerText = fc
  .array(fc.constantFrom('a', 'B', '7', '-', '%', '"', '/'), { minLength: 1, maxLength: 5 })
  .map((units) => units.join(''));

function valuesOf({ place, style, explode, kind }: (typeof cases)[number]): fc.Arbitrary<Sendable> {
  const isFree = place === 'query' && explode;
  const text = place === 'header' ? headerText : isFree ? anyText : plainText;
  const whole = fc.integer({ min: -(2 ** 53) + 1, max: 2 ** 53 - 1 });
  // A dot divides the parts of a label.
  const isDotted = style === 'label' && explode;
  const double = fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((each) => !Object.is(each, -0));
  const of: Record<string, fc.Arbitrary<string | number | boolean>> = {
    string: text,
    integer: whole,
    number: isDotted ? whole : double,
    boolean: fc.boolean(),
  };
  const [s, i, n, b] = [text, whole, present(of.number), fc.boolean()];
  if (kind === 'object') {
    return fc
      .record({ s, i, n, b }, { requiredKeys: [] })
      .filter((value) => Object.keys(value).length > 0);
  }
  return of[kind] ?? fc.array(present(of[kind.slice(0, -1)]), { minLength: 1, maxLength: 4 });
}

function schemaOf(kind: string): object {
  if (kind === 'object') return record;
  return (
    Object.entries(scalars).find(([type]) => type === kind)?.[1] ?? {
      type: 'array',
      items: { type: kind.slice(0, -1) },
    }
  );
}

describe('a value written by RFC 6570 is read as it was', () => {
  it.each(cases)('$kind in $place, $style, explode $explode', (form) => {
    const { place, style, explode, kind } = form;
    const read = readerOf({ in: place, style, explode, schema: schemaOf(kind) });
    fc.assert(
      fc.property(valuesOf(form), (value) => {
        const text = parameterText({ name: 'p', in: place, style, explode }, value);
        expect(read({ [place]: text })).toEqual(value);
      }),
      { numRuns: 60 },
    );
  });
});

describe('where a schema admits several types', () => {
  const several: [string, object, string, unknown][] = [
    ['an integer', { type: ['string', 'integer'] }, '12', 12],
    ['text that is no integer', { type: ['string', 'integer'] }, '012', '012'],
    [
      'text of an integer too large',
      { type: ['string', 'integer'] },
      '9007199254740993',
      '9007199254740993',
    ],
    ['a number', { anyOf: [{ type: 'number' }, { type: 'boolean' }] }, '1e2', 100],
    ['a boolean', { anyOf: [{ type: 'number' }, { type: 'boolean' }] }, 'true', true],
    ['null', { type: ['integer', 'null'] }, '', null],
    ['the type of an enumeration', { enum: [1, 'a', true] }, '1', 1],
    ['the type of a constant', { const: false }, 'false', false],
    [
      'what all of several admit',
      { allOf: [{ type: ['integer', 'string'] }, { type: 'string' }] },
      '1',
      '1',
    ],
    ['text where nothing is said', { minLength: 1 }, '1', '1'],
    [
      'one of a list or a text',
      { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      'a',
      'a',
    ],
  ];
  it.each(several)('%s is read', (_, schema, text, value) => {
    const read = readerOf({ in: 'query', schema });
    expect(read({ query: `p=${text}` })).toEqual(value);
  });

  it('a repeated name is read as a list', () => {
    const read = readerOf({
      in: 'query',
      schema: Object({ oneOf: [{ type: 'string' }, { type: 'array' }] }),
    });
    expect(read({ query: 'p=a&p=b' })).toEqual(['a', 'b']);
  });
});

const deep = {
  type: 'object',
  properties: {
    a: { type: 'object', additionalProperties: { type: 'integer' } },
    ids: { type: 'array', items: { type: 'integer' } },
  },
};

describe('names with brackets', () => {
  it.each<[string, unknown]>([
    ['p[a][b]=1&p[a][c]=2', { a: { b: 1, c: 2 } }],
    ['p%5Ba%5D%5Bb%5D=1', { a: { b: 1 } }],
    ['p[ids][]=1&p[ids][]=2', { ids: [1, 2] }],
    ['p[ids][1]=2&p[ids][0]=1', { ids: [1, 2] }],
    ['p[ids]=1&p[ids]=2', { ids: [1, 2] }],
    ['p[ids]=7', { ids: [7] }],
    ['p[x]=1', { x: '1' }],
  ])('%s', (query, value) => {
    const read = readerOf({ in: 'query', style: 'deepObject', explode: true, schema: deep });
    expect(read({ query })).toEqual(value);
  });

  it.each([
    ['p[a][b]=1&p[a][b]=2', '/query/p/a/b', 'is given more than once'],
    ['p[a]=1&p[a][b]=2', '/query/p/a', 'is given both as a value and by its members'],
    ['p[a', '/query/p[a', 'is not a parameter of this operation'],
    ['p]=1', '/query/p]', 'is not a parameter of this operation'],
    [`p${'[a]'.repeat(5000)}=1`, '/query/p', 'has more than 10 levels of brackets'],
    [
      Array.from({ length: 10_000 }, (_, i) => `p[x${i}]=1`).join('&'),
      '/query/p',
      'must not have more than 100 properties',
    ],
  ])('refused: %.30s', (query, path, message) => {
    const read = readerOf({ in: 'query', style: 'deepObject', explode: true, schema: deep });
    expect(refusal(() => read({ query }))).toEqual([{ path, message }]);
  });
});

describe('names of what every object inherits', () => {
  it.each([
    ['deepObject', 'p[__proto__]=1&p[constructor]=2&p[toString]=3'],
    ['form', '__proto__=1&constructor=2&toString=3'],
  ] as const)('are members like any other in the style %s', (style, query) => {
    const read = readerOf({
      in: 'query',
      style,
      explode: true,
      schema: Object({ type: 'object', additionalProperties: { type: 'integer' } }),
    });
    const value = Object(read({ query }));
    expect(Object.entries(value)).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
      ['toString', 3],
    ]);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    expect('1' in {}).toBe(false);
  });

  it('are absent where they were not sent', () => {
    const read = readerOf({ in: 'query', schema: { type: 'string' } });
    expect(read({ query: '' })).toBeUndefined();
  });
});

describe('what cannot be read is refused', () => {
  const list = { type: 'array', items: { type: 'integer' } };
  it.each<[Unnamed, Sent, string, string]>([
    [
      { in: 'query', schema: { type: 'string' } },
      { query: 'p=%' },
      '/query/p',
      'has malformed percent-encoding',
    ],
    [
      { in: 'query', schema: { type: 'string' } },
      { query: 'p=%ff' },
      '/query/p',
      'has malformed percent-encoding',
    ],
    [
      { in: 'query', schema: { type: 'string' } },
      { query: 'p=%ED%A0%80' },
      '/query/p',
      'has malformed percent-encoding',
    ],
    [{ in: 'query', schema: { type: 'string' } }, { query: 'p=' }, '/query/p', 'must not be empty'],
    [{ in: 'query', schema: { type: 'number' } }, { query: 'p' }, '/query/p', 'must not be empty'],
    [
      { in: 'query', schema: { type: 'number' } },
      { query: 'p=9007199254740993' },
      '/query/p',
      'is a number that cannot be kept as it is written',
    ],
    [
      { in: 'query', schema: { type: 'integer' } },
      { query: 'p=%' },
      '/query/p',
      'must be an integer in decimal digits',
    ],
    [
      { in: 'query', schema: { type: 'integer' } },
      { query: 'p=9007199254740993' },
      '/query/p',
      'must be an integer from -9007199254740991 to 9007199254740991',
    ],
    [
      { in: 'query', schema: { type: 'integer' } },
      { query: 'p=-9007199254740992' },
      '/query/p',
      'must be an integer from -9007199254740991 to 9007199254740991',
    ],
    [
      { in: 'query', schema: list },
      { query: 'p=1&p=x' },
      '/query/p/1',
      'must be an integer in decimal digits',
    ],
    [
      { in: 'query', explode: false, schema: list },
      { query: 'p=1&p=2' },
      '/query/p',
      'is given more than once',
    ],
    [
      { in: 'query', content: { 'application/json': { schema: deep } } },
      { query: 'p={' },
      '/query/p',
      'is not valid JSON',
    ],
    [
      { in: 'query', content: { 'application/json': {} } },
      { query: 'p={"a":1,"a":2}' },
      '/query/p',
      'has two members with one name',
    ],
    [
      { in: 'query', content: { 'application/json': {} } },
      { query: `p=${'['.repeat(101)}${']'.repeat(101)}` },
      '/query/p',
      'must not nest more than 100 levels deep',
    ],
    [
      { in: 'header', content: { 'application/json': {} } },
      { header: `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}` },
      '/headers/p',
      'must not nest more than 100 levels deep',
    ],
    [
      { in: 'path', schema: { type: 'string' } },
      { path: '%e0%a4' },
      '/path/p',
      'has malformed percent-encoding',
    ],
    [{ in: 'path', style: 'label', schema: list }, { path: '1' }, '/path/p', 'must begin with "."'],
    [
      { in: 'path', style: 'matrix', schema: list },
      { path: ';q=1' },
      '/path/p',
      'must begin with ";p"',
    ],
    [
      { in: 'header', schema: record },
      { header: 's,a,i' },
      '/headers/p',
      'must be names and values in turn',
    ],
    [
      { in: 'header', explode: true, schema: record },
      { header: 's' },
      '/headers/p',
      'must be name=value pairs',
    ],
    [
      { in: 'cookie', schema: scalars.string },
      { cookie: 'p=1; q=3; p=2' },
      '/cookies/p',
      'is given more than once',
    ],
    [
      { in: 'cookie', explode: false, schema: list },
      { cookie: 'p=1,2; p=3' },
      '/cookies/p',
      'is given more than once',
    ],
    [
      { in: 'header', explode: true, schema: record },
      { header: 's=1,s=2' },
      '/headers/p/s',
      'is given more than once',
    ],
  ])('%j %j', (parameter, sent, path, message) => {
    const read = readerOf(parameter);
    expect(refusal(() => read(sent))).toEqual([{ path, message }]);
  });

  it('a text that has an encoded percent sign is none of these', () => {
    const read = readerOf({ in: 'path', schema: { type: 'string' } });
    expect(read({ path: '100%25' })).toBe('100%');
  });
});

describe('other ways of writing', () => {
  it.each<[string, Unnamed, Sent, unknown]>([
    [
      'delimiters may be encoded',
      { in: 'query', explode: false, schema: Object({ type: 'array' }) },
      { query: 'p=a%2Cb' },
      ['a', 'b'],
    ],
    [
      'a plus is a space',
      { in: 'query', style: 'spaceDelimited', explode: false, schema: Object({ type: 'array' }) },
      { query: 'p=a+b%20c' },
      ['a', 'b', 'c'],
    ],
    [
      'spaces surround the commas of a header',
      { in: 'header', schema: Object({ type: 'array', items: { type: 'integer' } }) },
      { header: '1 ,2,\t3' },
      [1, 2, 3],
    ],
    ['a list of nothing', { in: 'header', schema: Object({ type: 'array' }) }, { header: '' }, []],
    [
      'JSON',
      { in: 'query', content: { 'application/json': {} } },
      { query: 'p=%7B%22a%22:[1,null]%7D' },
      { a: [1, null] },
    ],
    [
      'JSON of a hundred levels',
      { in: 'query', content: { 'application/json': {} } },
      { query: `p=${'['.repeat(100)}${']'.repeat(100)}` },
      JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`),
    ],
    [
      'text of another media type',
      { in: 'query', content: { 'text/plain': {} } },
      { query: 'p=a,b' },
      'a,b',
    ],
    [
      'an empty value',
      { in: 'query', allowEmptyValue: true, schema: { type: 'string' } },
      { query: 'p' },
      '',
    ],
    [
      'a cookie among others',
      { in: 'cookie', schema: { type: 'string' } },
      { cookie: 'a=1; p=x=y; b' },
      'x=y',
    ],
    ['a quoted cookie', { in: 'cookie', schema: { type: 'string' } }, { cookie: 'p="a b"' }, 'a b'],
    [
      'an encoded cookie',
      { in: 'cookie', schema: { type: 'string' } },
      { cookie: 'p=%C3%A9; q=%' },
      'é',
    ],
    [
      'a cookie that is not encoded',
      { in: 'cookie', schema: { type: 'string' } },
      { cookie: 'p=100%' },
      '100%',
    ],
    [
      'a list of cookies',
      { in: 'cookie', schema: Object({ type: 'array' }) },
      { cookie: 'p=1; q=3; p=2' },
      ['1', '2'],
    ],
    [
      'no cookie of a list',
      { in: 'cookie', schema: Object({ type: 'array' }) },
      { cookie: 'q=3' },
      undefined,
    ],
  ])('%s', (_, parameter, sent, value) => {
    expect(readerOf(parameter)(sent)).toEqual(value);
  });

  it('a key in the query is no unknown parameter', () => {
    const read = readerOf({ in: 'query', schema: { type: 'string' } }, { security: [{ key: [] }] });
    expect(read({ query: 'api_key=1&p=a' })).toBe('a');
    const strict = readerOf({ in: 'query', schema: { type: 'string' } });
    expect(refusal(() => strict({ query: 'api_key=1&p=a' }))).toHaveLength(1);
  });

  it('10,000 pairs are read', () => {
    const read = readerOf({
      in: 'query',
      schema: Object({ type: 'array', items: { type: 'integer' } }),
    });
    const numbers = Array.from({ length: 10_000 }, (_, i) => i);
    expect(read({ query: numbers.map((i) => `p=${i}`).join('&') })).toEqual(numbers);
  });
});

describe('a parameter whose schema names no type', () => {
  const self: Record<string, unknown> = { anyOf: [{ type: 'integer' }] };
  Object.assign(self, { allOf: [self] });
  it.each([
    ['anything', true, 'p=1', '1'],
    ['values', { enum: [1.5, 2, null, true] }, 'p=1.5', 1.5],
    ['a list among values', { enum: [[1], 'a'] }, 'p=a', 'a'],
    ['members', { properties: { a: { type: 'integer' } } }, 'a=1', { a: 1 }],
    ['items', { items: { type: 'integer' } }, 'p=1&p=2', [1, 2]],
    ['itself', self, 'p=3', 3],
    [
      'items by their place',
      { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'boolean' }], items: true },
      `${'p=1&'.repeat(2)}p=x`,
      [1, '1', 'x'],
    ],
    [
      'items of two schemas',
      { allOf: [{ type: 'array', items: { type: 'integer' } }, { items: { minimum: 1 } }] },
      'p=1&'.repeat(12).slice(0, -1),
      Array.from({ length: 12 }, () => 1),
    ],
  ])('is read by what it says of %s', (_, schema, query, value) => {
    // Any schema of JSON Schema.
    const read = readerOf({ in: 'query', schema: schema as object });
    expect(read({ query })).toEqual(value);
  });
});
