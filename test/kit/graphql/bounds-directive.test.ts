import { buildSchema, graphql } from 'graphql';
import { describe, expect, it } from 'vitest';
import { enforceBounds } from '../../../src/kit/graphql/bounds.ts';

const full = `directive @bounds(
    minLength: Int, maxLength: Int, format: Format, minimum: Float, maximum: Float, minItems: Int, maxItems: Int
  ) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
  enum Format { EMAIL }
  scalar Own
  enum Colour { RED }
  input Box { n: Int }`;

/** What a call with this literal for its argument `v` is refused for; undefined where it is answered. */
async function judged(directive: string, type: string, value: string): Promise<string | undefined> {
  const schema = buildSchema(`${directive} type Query { echo(v: ${type}): String }`);
  enforceBounds(schema);
  const rootValue = { echo: () => 'reached' };
  const { data, errors } = await graphql({ schema, rootValue, source: `{ echo(v: ${value}) }` });
  expect(data).toEqual({ echo: errors ? null : 'reached' });
  expect(errors?.[0]?.extensions).toEqual(errors && { code: 'BAD_USER_INPUT' });
  return errors?.[0]?.message;
}

const starts = (directive: string, argument: string) => () =>
  enforceBounds(buildSchema(`${directive} type Query { echo(v: ${argument}): String }`));

describe('Bounds hold a value', () => {
  it.each([
    ['String @bounds(maxLength: 2)', '"ab"', '"abc"', 'be at most 2 characters long'],
    ['String @bounds(maxLength: 0)', '""', '"a"', 'be at most 0 characters long'],
    ['String @bounds(minLength: 2)', '"ab"', '"a"', 'be at least 2 characters long'],
    ['String @bounds(minLength: 2, maxLength: 2)', '"ab"', '"abc"', 'be 2 to 2 characters long'],
    ['String! @bounds(minLength: 2, maxLength: 3)', '"abc"', '"a"', 'be 2 to 3 characters long'],
    ['ID @bounds(maxLength: 2)', '12', '123', 'be at most 2 characters long'],
    ['ID @bounds(maxLength: 2)', '"12"', '"123"', 'be at most 2 characters long'],
    ['ID @bounds(format: EMAIL)', '"a@b.c"', '12', 'be an e-mail address such as name@example.com'],
    ['Int @bounds(minimum: 2)', '2', '1', 'be at least 2'],
    ['Int @bounds(maximum: 2)', '2', '3', 'be at most 2'],
    ['Int @bounds(maximum: 0)', '0', '1', 'be at most 0'],
    ['Int @bounds(minimum: 2, maximum: 2)', '2', '1', 'be 2 to 2'],
    ['Int @bounds(minimum: -5, maximum: -2)', '-2', '-1', 'be -5 to -2'],
    ['Int @bounds(minimum: -5, maximum: -2)', '-5', '-6', 'be -5 to -2'],
    ['Int! @bounds(minimum: 0)', '0', '-1', 'be at least 0'],
    ['Float @bounds(minimum: 0.5, maximum: 1.5)', '0.5', '0.4', 'be 0.5 to 1.5'],
    ['Float @bounds(minimum: 0.5, maximum: 1.5)', '1.5', '1.6', 'be 0.5 to 1.5'],
    ['[Int] @bounds(minItems: 2)', '[1, 2]', '[1]', 'have at least 2 items'],
    ['[Int] @bounds(maxItems: 1)', '[1]', '[1, 2]', 'have at most 1 items'],
    ['[Int] @bounds(maxItems: 0)', '[]', '[1]', 'have at most 0 items'],
    ['[Int!]! @bounds(minItems: 1, maxItems: 2)', '[1, 2]', '[]', 'have 1 to 2 items'],
    ['[Own] @bounds(maxItems: 1)', '[1]', '[1, 2]', 'have at most 1 items'],
    ['[Colour] @bounds(minItems: 1)', '[RED]', '[]', 'have at least 1 items'],
    ['[Box] @bounds(maxItems: 1)', '{ n: 1 }', '[{ n: 1 }, { n: 1 }]', 'have at most 1 items'],
    // The bounds of items are those of the outer list.
    ['[[Int]] @bounds(maxItems: 1)', '[[1, 2, 3]]', '[[1], [2]]', 'have at most 1 items'],
    // A bound that is null is none.
    ['String @bounds(minLength: null, maxLength: 1)', '""', '"ab"', 'be at most 1 characters long'],
    [
      'String @bounds(minLength: 1, maxLength: null)',
      '"ab"',
      '""',
      'be at least 1 characters long',
    ],
    ['[Int] @bounds(minItems: 1, maxItems: null)', '[1, 2]', '[]', 'have at least 1 items'],
    ['Int @bounds(maximum: 2, maxLength: null)', '2', '3', 'be at most 2'],
  ])('%s: %s, and not %s', async (argument, fit, unfit, fault) => {
    expect(await judged(full, argument, fit)).toBeUndefined();
    if (!argument.includes('! @')) expect(await judged(full, argument, 'null')).toBeUndefined();
    expect(await judged(full, argument, unfit)).toBe(`Argument "v" must ${fault}.`);
  });

  it.each([
    ['[Int] @bounds(minimum: 1, maximum: 2)', '[1, null, 3]', 'v[2]', 'be 1 to 2'],
    ['[[Int]] @bounds(maximum: 2)', '[[1], [2, 3]]', 'v[1][1]', 'be at most 2'],
    ['[String!] @bounds(minLength: 1)', '["a", ""]', 'v[1]', 'be at least 1 characters long'],
    [
      '[ID] @bounds(format: EMAIL)',
      '["a@b.c", 5]',
      'v[1]',
      'be an e-mail address such as name@example.com',
    ],
  ])('%s in the members of a list: not %s', async (argument, value, path, fault) => {
    expect(await judged(full, argument, value)).toBe(`Argument "${path}" must ${fault}.`);
  });

  it('through input objects that lead to them', async () => {
    const inputs = `${full}
      input A { b: B, n: Int } input B { c: [C!] } input C { d: D! } input D { s: String @bounds(maxLength: 1) }
      input Also { d: D }
      input Loop { loop: Loop, a: A, n: Int @bounds(maximum: 1) }`;
    const fault = 'be at most 1 characters long.';
    const value = (text: string) => `{ b: { c: [{ d: { s: "x" } }, { d: { s: "${text}" } }] } }`;
    expect(await judged(inputs, 'A', value('a'))).toBeUndefined();
    expect(await judged(inputs, 'A', value('ab'))).toBe(`Argument "v.b.c[1].d.s" must ${fault}`);
    expect(await judged(inputs, '[A]', `[{ n: 1 }, ${value('ab')}]`)).toBe(
      `Argument "v[1].b.c[1].d.s" must ${fault}`,
    );
    expect(await judged(inputs, 'Also', '{ d: { s: "ab" } }')).toBe(
      `Argument "v.d.s" must ${fault}`,
    );
    expect(await judged(inputs, 'Loop', '{ loop: { loop: { n: 1 } } }')).toBeUndefined();
    expect(await judged(inputs, 'Loop', '{ loop: { loop: { n: 2 } } }')).toBe(
      'Argument "v.loop.loop.n" must be at most 1.',
    );
    expect(await judged(inputs, 'Loop', `{ loop: { a: ${value('ab')}, n: 2 } }`)).toBe(
      `Argument "v.loop.a.b.c[1].d.s" must ${fault} Argument "v.loop.n" must be at most 1.`,
    );
    expect(await judged(inputs, 'Box', '{ n: 5 }')).toBeUndefined();
  });

  it('in the fields of any object, and before their resolver runs', async () => {
    const schema = buildSchema(`${full}
      type Query { thing: Thing }
      type Thing { name(upTo: Int @bounds(maximum: 3)): String plain(n: Int): Int }`);
    let calls = 0;
    enforceBounds(schema);
    const name = () => `${++calls}`;
    const rootValue = { thing: { name, plain: 7 } };
    const ask = (source: string) => graphql({ schema, rootValue, source });
    expect(await ask('{ thing { name(upTo: 3) plain(n: 99) } }')).toEqual({
      data: { thing: { name: '1', plain: 7 } },
    });
    const { data, errors } = await ask('{ thing { name(upTo: 4) plain } }');
    expect(data).toEqual({ thing: { name: null, plain: 7 } });
    expect(errors?.map(({ message }) => message)).toEqual(['Argument "upTo" must be at most 3.']);
    expect(calls).toBe(1);
  });
});

it('Fields without bounds keep their resolvers', () => {
  const schema = buildSchema(`${full}
    input Bounded { n: Int @bounds(maximum: 1) }
    type Query {
      none: Int plain(n: Int): Int box(box: Box): Int
      own(n: Int @bounds(maximum: 1)): Int within(of: [Bounded]): Int
    }`);
  enforceBounds(schema);
  const guarded = Object.values(schema.getQueryType()?.getFields() ?? {})
    .filter(({ resolve }) => resolve !== undefined)
    .map(({ name }) => name);
  expect(guarded).toEqual(['own', 'within']);
});

describe('Bounds that a directive declares as defaults', () => {
  const preset =
    'directive @bounds(minLength: Int = 1, maxLength: Int = 2, minimum: Int = 5, maximum: Float, maxItems: Int = 1) on ARGUMENT_DEFINITION';

  it('hold what they fit, and say nothing of other types', async () => {
    expect(await judged(preset, 'String @bounds', '"abc"')).toMatch(/be 1 to 2 characters/);
    expect(await judged(preset, 'String @bounds', '"ab"')).toBeUndefined();
    expect(await judged(preset, 'Int @bounds', '5')).toBeUndefined();
    expect(await judged(preset, 'Int @bounds', '4')).toMatch(/be at least 5/);
    expect(await judged(preset, '[Int] @bounds', '[5, 5]')).toMatch(/have at most 1 items/);
    expect(await judged(preset, 'Boolean @bounds', 'true')).toBeUndefined();
    expect(await judged(preset, 'String', '"abc"')).toBeUndefined();
    expect(await judged(preset, 'Int @bounds(maximum: 7)', '8')).toMatch(/be 5 to 7/);
  });

  it('are written at a place where they cannot hold', () => {
    for (const type of ['Boolean', 'Boolean @deprecated']) {
      expect(starts(preset, `${type} @bounds(maxLength: 2)`)).toThrow('wants a String.');
    }
    expect(starts(preset, 'Boolean @bounds')).not.toThrow();
  });
});

describe('The directive stops the start', () => {
  it.each([
    ...['minLength: 1', 'maxLength: 1', 'format: EMAIL'].flatMap((bound) =>
      ['Int', 'Boolean', 'Own', 'Colour', 'Box', '[Int]'].map((type) => [type, bound, 'a String']),
    ),
    ...['minimum: 1', 'maximum: 1'].flatMap((bound) =>
      ['String', 'ID', 'Own', 'Colour', '[String]'].map((type) => [
        type,
        bound,
        'an Int or a Float',
      ]),
    ),
    ...['minItems: 1', 'maxItems: 1'].flatMap((bound) =>
      ['String', 'Int!', 'Box', 'Own'].map((type) => [type, bound, 'a list']),
    ),
    ['String', 'minLength: 3, maxLength: 2', '0 <= minLength <= maxLength'],
    ['String', 'minLength: -1', '0 <= minLength <= maxLength'],
    ['String', 'maxLength: -1', '0 <= minLength <= maxLength'],
    ['[Int]', 'minItems: 3, maxItems: 2', '0 <= minItems <= maxItems'],
    ['[Int]', 'minItems: -1', '0 <= minItems <= maxItems'],
    ['[Int]', 'maxItems: -1', '0 <= minItems <= maxItems'],
    ['Int', 'minimum: 3, maximum: 2', 'minimum <= maximum'],
    ['Float', 'minimum: -1, maximum: -2', 'minimum <= maximum'],
  ])('where %s has %s', (type = '', bound = '', wanted = '') => {
    const message = `@bounds on Query.echo(v:) wants ${wanted}.`;
    expect(starts(full, `${type} @bounds(${bound})`)).toThrow(message);
    const input = `${full} input I { v: ${type} @bounds(${bound}) }`;
    expect(starts(input, 'I')).toThrow(`@bounds on I.v wants ${wanted}.`);
    expect(starts(input, 'Int')).toThrow(`@bounds on I.v wants ${wanted}.`);
  });

  it.each([
    'max: Int',
    'maxLength: [Int]',
    'maxLength: Float',
    'maxLength: String',
    'minItems: Float',
    'minimum: String',
    'format: String',
    'format: Other',
    'toString: Int',
    'maxLength: Int, pattern: String',
  ])('not where it is the API’s own: %s', async (args) => {
    const own = `directive @bounds(${args}) on ARGUMENT_DEFINITION enum Other { EMAIL URL }`;
    expect(starts(own, 'Int @bounds')).not.toThrow();
    const long = args.startsWith('maxLength: Int,') ? 'String @bounds(maxLength: 1)' : 'String';
    expect(await judged(own, long, '"long"')).toBeUndefined();
  });

  it.each(['maxLength: Int!', 'minimum: Int', 'maximum: Float!', 'format: Form!'])(
    'only where it is this one: %s',
    (args) => {
      const own = `directive @bounds(${args}) on ARGUMENT_DEFINITION enum Form { EMAIL }`;
      const [name = ''] = args.split(':');
      const use = `Boolean @bounds(${name}: ${name === 'format' ? 'EMAIL' : 1})`;
      expect(starts(own, use)).toThrow(/wants an? /);
    },
  );
});
