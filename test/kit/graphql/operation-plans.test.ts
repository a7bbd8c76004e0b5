import { describe, expect, it } from 'vitest';
import { repeated } from '../../support/graphql-refusals.ts';
import { useAsking } from '../../support/statement-asking.ts';

const asking = useAsking();
const plain = '{ things(first: 1) { id } }';

describe('What is kept of operations is bounded', () => {
  it('to four choices of their fields', async () => {
    const { ask } = asking();
    const query = `query ($a: Boolean!, $b: Boolean!, $c: Boolean!) {
      things(first: 1) { id size @include(if: $a) total @skip(if: $b) ... @include(if: $c) { name } }
    }`;
    const choices = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => ({
      a: !(i & 1),
      b: !(i & 2),
      c: !(i & 4),
    }));
    await ask(query, choices[0]);
    for (let round = 0; round < 2; round++) {
      for (const [i, choice] of choices.entries()) {
        const [thing] = Object(await ask(query, choice)).things ?? [];
        const names = ['id', choice.a && 'size', !choice.b && 'total', choice.c && 'name'];
        if (i < 4) expect(Object.keys(thing)).toEqual(names.filter(Boolean));
        else expect(thing).toBeUndefined();
      }
    }
  });

  it('to four statements of a choice, whatever the ids', async () => {
    const { ask, counts } = asking();
    const query =
      'query ($first: Int, $id: ID!) { things(first: $first) { id } thing(id: $id) { id } }';
    const answer = async (first: number, id: number | string = 1) =>
      Object(await ask(query, { first, id })).things?.length;
    await answer(1);
    for (let round = 0; round < 2; round++) {
      for (let first = 1; first <= 4; first++) expect(await answer(first, round + 1)).toBe(first);
    }
    expect(await answer(4, 'none')).toBe(4);
    expect(counts.prepared).toBe(4);
    expect(await answer(5)).toBe(5);
    expect(await answer(5)).toBe(5);
    expect(counts.prepared).toBe(5);
    expect(await answer(1)).toBe(1);
    expect(counts.prepared).toBe(6);
  });

  it('to the 300 that were used last', async () => {
    const { ask, counts } = asking();
    const query = (i: number) => `{ a${i}: thing(id: 1) { id } }`;
    const isStated = async (i: number) => (await ask(query(i))) !== undefined;
    for (let i = 0; i < 301; i++) {
      expect(await isStated(i)).toBe(false);
      expect(await isStated(i)).toBe(true);
    }
    expect(await isStated(1)).toBe(true);
    expect(await isStated(300)).toBe(true);
    expect(counts.prepared).toBe(301);
    expect(await isStated(0)).toBe(false);
    expect(await isStated(0)).toBe(true);
    expect(counts.prepared).toBe(302);
    // That one made room again.
    expect(await isStated(2)).toBe(false);
  });
});

describe('An operation whose statement declines', () => {
  it.each([
    ['because its answer is too large', '{ things { id name } }', { fields: 20 }],
    ['because of a value', '{ things { count } }', {}],
    [
      'because it fails',
      plain,
      {
        read: () => {
          throw new Error('broken');
        },
      },
    ],
    [
      'because it fails later',
      plain,
      {
        read: async () => {
          throw new Error('broken');
        },
      },
    ],
    ['later', plain, { read: async () => undefined }],
  ])('%s is executed fifty times before it is tried again', async (_, query, options) => {
    const { ask, counts } = asking(options);
    await ask(query);
    for (let round = 1; round <= 2; round++) {
      expect(await ask(query)).toBeUndefined();
      expect(counts.read).toBe(round);
      for (let i = 0; i < 50; i++) expect(await ask(query)).toBeUndefined();
      expect(counts.read).toBe(round);
    }
    expect(await ask(query)).toBeUndefined();
    expect(counts.read).toBe(3);
  });

  it('because it has more places with records than was thought has another at once', async () => {
    const { ask, counts } = asking();
    // Over a hundred of them, with little text that is not asked for.
    const list = (i: number) => `a${i}: parts { maker { id parts { id } } }`;
    const query = `{ ${repeated(4, list)} }`;
    expect(await ask(query)).toBeUndefined();
    expect(await ask(query)).toBeUndefined();
    expect(Object(await ask(query)).a3).toHaveLength(36);
    expect(counts).toEqual({ prepared: 2, read: 2 });
  });

  it.each([
    [32, false],
    [33, true],
  ])('and has %i places with records has another at once: %s', async (places, isNext) => {
    const { ask, counts } = asking({ fields: 4000 });
    const query = `{ ${repeated(places, (i) => `a${i}: thing(id: 1) { id }`)} }`;
    await ask(query);
    expect(await ask(query)).toBeUndefined();
    expect((await ask(query)) !== undefined).toBe(isNext);
    expect(counts.read).toBe(isNext ? 2 : 1);
  });
});
