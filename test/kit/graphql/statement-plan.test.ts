import { describe, expect, it } from 'vitest';
import { createSchema } from '../../../src/kit/graphql/executable-schema.ts';
import { createOneStatement } from '../../../src/kit/graphql/one-statement.ts';
import { repeated } from '../../support/graphql-refusals.ts';
import { foreignSchema, useAsking } from '../../support/statement-asking.ts';
import * as foreign from '../../support/statement-contract.ts';

const asking = useAsking();

const plain = '{ things(first: 1) { id } }';
const found = { things: [{ id: '1' }] };

describe('An operation', () => {
  it('has a statement from its second use on, which is prepared once', async () => {
    const { ask, counts } = asking();
    expect(await ask(plain)).toBeUndefined();
    expect(counts).toEqual({ prepared: 0, read: 0 });
    for (let i = 1; i < 4; i++) {
      expect(await ask(plain)).toEqual(found);
      expect(counts).toEqual({ prepared: 1, read: i });
    }
  });

  it('has none where it changes something, or its variables do not fit', async () => {
    const on = createSchema(`${foreign.sdl} type Mutation { thing(id: ID!): Thing }`, {
      ...foreign.resolvers,
      Mutation: { thing: foreign.resolvers.Query.thing },
    });
    const { ask, counts } = asking({ on });
    const query = 'query ($id: ID!) { thing(id: $id) { id } }';
    for (let i = 0; i < 3; i++) {
      expect(await ask('mutation { thing(id: 1) { id } }')).toBeUndefined();
      expect(await ask(query, { id: {} })).toBeUndefined();
    }
    expect(counts.read).toBe(0);
    expect(await ask(query, { id: '1' })).toEqual({ thing: { id: '1' } });
  });

  it.each([
    [
      '60 fields of an object',
      `{ things(first: 1) { ${repeated(60, (i) => `a${i}: id`)} } }`,
      true,
    ],
    [
      '61 fields of an object',
      `{ things(first: 1) { ${repeated(61, (i) => `a${i}: id`)} } }`,
      false,
    ],
    [
      '100 fields',
      `{ things(first: 1) { ${repeated(49, (i) => `a${i}: id`)} } makers { ${repeated(49, (i) => `a${i}: id`)} } }`,
      true,
    ],
    [
      '101 fields',
      `{ things(first: 1) { ${repeated(50, (i) => `a${i}: id`)} } makers { ${repeated(49, (i) => `a${i}: id`)} } }`,
      false,
    ],
    [
      'a cursor in the order of ids',
      '{ things { cursor a: cursor(sort: []) b: cursor(sort: [ID, NAME]) } }',
      true,
    ],
    ['a cursor in the other order', '{ things { cursor(sort: [ID_DESC]) } }', false],
    ['a cursor in another order', '{ things { cursor(sort: [NAME, ID]) } }', false],
    ['a field that no table has', '{ things { id shout } }', false],
    ['an object that no table has', '{ things { id data { a } } }', false],
    ['introspection', '{ things { id } __schema { description } }', false],
    ['only a name of a type', '{ __typename }', true],
  ])('with %s: %s', async (_, query, isStated) => {
    const { ask } = asking();
    await ask(query);
    expect((await ask(query)) !== undefined).toBe(isStated);
  });

  it.each([
    [
      'a type that its resolvers tell apart',
      foreign.sdl,
      { Thing: { ...foreign.resolvers.Thing, __isTypeOf: () => true } },
      plain,
    ],
    [
      'a cursor that is no text',
      foreign.sdl.replace(
        'extend type Thing { cursor(sort: [ThingSort!]): String! }',
        'extend type Thing { cursor(sort: [ThingSort!]): ID! }',
      ),
      {},
      '{ things { cursor } }',
    ],
    [
      'the cursor of another table',
      foreign.sdl,
      { Part: { ...foreign.resolvers.Part, cursor: foreign.resolvers.Thing.cursor } },
      '{ parts { cursor } }',
    ],
    [
      'an enum with values of its own',
      foreign.sdl,
      { Mark: { A: 'A', B: 'b', b: 'B' } },
      '{ things { mark } }',
    ],
    [
      'a fragment on another type',
      `${foreign.sdl} interface Named { name: String! } extend type Thing implements Named`,
      {},
      '{ things { ... on Named { name } } }',
    ],
    [
      'a spread of one',
      `${foreign.sdl} interface Named { name: String! } extend type Thing implements Named`,
      {},
      '{ things { id ...N } } fragment N on Named { name }',
    ],
  ])('has none with %s', async (_, sdl, resolvers, query) => {
    const { ask, counts } = asking({
      on: createSchema(sdl, { ...foreign.resolvers, ...resolvers }),
    });
    for (let i = 0; i < 3; i++) expect(await ask(query)).toBeUndefined();
    expect(counts.read).toBe(0);
  });

  it('has one whose answer takes all that an answer may, and no more', async () => {
    // 11 fields, each 1.5 as a record of two fields is 3; 111 characters, and 14 that may be unread, are 2.5.
    const query = '{ parts(first: 5) { id size } }';
    for (const fields of [18, 19]) {
      const { ask } = asking({ fields });
      await ask(query);
      expect((await ask(query)) !== undefined).toBe(fields === 19);
    }
  });

  it('has one that answers later', async () => {
    const { ask } = asking({ read: async () => JSON.stringify(found) });
    await ask(plain);
    expect(await ask(plain)).toEqual(found);
  });

  it('has one wherever its resolvers are', async () => {
    const { Query, ...others } = foreign.resolvers;
    const { ask } = asking({ on: createSchema(foreign.sdl, [others, { Query }]) });
    await ask(plain);
    expect(await ask(plain)).toEqual(found);
  });

  it('has none for arguments out of their bounds', async () => {
    const bounded = `directive @bounds(maximum: Int) on ARGUMENT_DEFINITION
      ${foreign.sdl.replace('first: Int,', 'first: Int @bounds(maximum: 2),')}`;
    const { ask } = asking({ on: createSchema(bounded, foreign.resolvers) });
    const query = 'query ($n: Int) { things(first: $n) { id } }';
    for (const n of [1, 1, 3, 2, 4]) {
      const isFit = n <= 2;
      const answer = Object(await ask(query, { n })).things?.length;
      if (n !== 1) expect(answer).toBe(isFit ? n : undefined);
      await ask(`{ things(first: ${n}) { id } }`);
      expect((await ask(`{ things(first: ${n}) { id } }`)) !== undefined).toBe(isFit);
    }
  });
});

it('There are no statements on a store that has none', () => {
  for (const store of [undefined, null, {}, 'store']) {
    expect(createOneStatement(foreignSchema, store, { fields: 1 })).toBeUndefined();
  }
});
