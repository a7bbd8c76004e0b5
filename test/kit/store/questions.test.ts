// engines: sqlite, postgres
// long: asks thousands of generated questions
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromJson, whole } from '../../../src/kit/json-text.ts';
import type { MaybePromise } from '../../../src/kit/maybe-promise.ts';
import type { Cursor, Listing, Question, Sort } from '../../../src/kit/store/store.ts';
import { collection, records } from '../../../src/kit/store/table-declarations.ts';
import { isMissing, needPostgres } from '../../support/engine.ts';
import { answerOf } from '../../support/question-model.ts';
import { openTables, type TableStore } from '../../support/table-store.ts';

type Light = {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly weight: number | null;
  readonly done: boolean;
  readonly on?: string;
  readonly at: string | null;
  readonly key: string;
  readonly kind: 'a' | 'B' | 'b';
  readonly wide?: boolean;
  readonly count?: number;
};
type Heavy = Light & { readonly body: string; readonly tags: readonly string[] };

const columns = {
  name: 'text',
  size: 'integer',
  weight: 'number | null',
  done: 'boolean',
  on: 'date?',
  at: 'date-time | null',
  key: 'uuid',
  kind: 'enum',
  wide: 'boolean?',
  count: 'integer?',
} as const;
const fields = [
  ...(['name', 'size', 'weight', 'done', 'on', 'at', 'key', 'kind', 'wide', 'count'] as const),
];
type Kid = Light & { readonly plainId: number };
const plainId = { type: 'integer', references: { table: 'plain', onDelete: 'cascade' } } as const;
const tables = {
  light: collection<Light>(columns, { filter: fields, sort: fields }),
  heavy: collection<Heavy>(
    { ...columns, body: 'long text', tags: 'json' },
    { filter: [...fields, 'body'], sort: fields },
  ),
  plain: records<Light>(columns, { filter: fields, sort: fields }),
  kids: records<Kid>({ ...columns, plainId }, { filter: fields, sort: fields }),
};

// Few values, so that many records are equal in some; text in the order of code points is in no other.
const values = {
  name: ['', 'a', 'A', 'B', 'á', 'ab', 'a%', 'a_', '%', '\uffff', '😀', '\u{10ffff}', 'z'],
  size: [-1, 0, 1, 2, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
  weight: [0, -0, 0.1, -1.5, 1e308, -1e308, 5e-324, 2, 10, 1e21],
  done: [true, false],
  on: ['0000-01-01', '2026-02-28', '9999-12-31'],
  at: [
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00.5Z',
    '2026-01-01T02:00:00.5+02:00',
    '2026-01-01T00:00:00.49Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:60Z',
  ],
  key: ['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-8fff-ffffffffffff'],
  kind: ['a', 'B', 'b'],
  wide: [true, false],
  count: [1, 2, 3],
} as const;
type Field = keyof typeof values;
const isAbsent = { weight: null, at: null, on: undefined, wide: undefined, count: undefined };

const anyOf = (field: Field) => fc.constantFrom<unknown>(...values[field]);
const anyRecord = fc.record(
  Object.fromEntries(
    fields.map((field) => [
      field,
      field in isAbsent
        ? fc.option(anyOf(field), { nil: Object(isAbsent)[field], freq: 3 })
        : anyOf(field),
    ]),
  ),
);
const comparison = (field: Field) =>
  fc.record(
    {
      eq: field in isAbsent ? fc.option(anyOf(field)) : anyOf(field),
      in: fc.array(anyOf(field), { maxLength: 4 }),
      gt: anyOf(field),
      gte: anyOf(field),
      lt: anyOf(field),
      lte: anyOf(field),
      ...(field === 'name' && { contains: fc.constantFrom('a', '%', '_', '', 'A', '😀', 'é') }),
    },
    { requiredKeys: [] },
  );
// Most questions have one condition, and it is met by some records.
const where = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 5, arbitrary: fc.constantFrom(...fields).chain((field) => one(field)) },
  {
    weight: 2,
    arbitrary: fc
      .uniqueArray(fc.constantFrom(...fields), { maxLength: 3 })
      .chain((chosen) =>
        fc.record(Object.fromEntries(chosen.map((field) => [field, comparison(field)]))),
      ),
  },
);
const one = (field: Field) =>
  comparison(field).map((tests) => ({
    [field]: Object.fromEntries(Object.entries(tests).slice(0, 2)),
  }));
const sort = fc.array(
  fc.record({ field: fc.constantFrom(...fields, 'id' as const), isDescending: fc.boolean() }),
  { maxLength: 3 },
);
// The values are of the fields' types; their record is not told.
const question = fc.record({ where, sort }) as unknown as fc.Arbitrary<Question<Light>>;

const COUNT = 120;
const QUESTIONS = 1200;

needPostgres();
let open: TableStore<typeof tables>;
let stored: Light[];
let heavy: Heavy[];
let plain: Light[];
let kids: Kid[];
beforeAll(async () => {
  if (isMissing()) return;
  open = await openTables(tables);
  const { store } = open;
  stored = [];
  heavy = [];
  plain = [];
  kids = [];
  for (const each of fc.sample(anyRecord, { numRuns: COUNT, seed: 19 })) {
    const fields = each as unknown as Omit<Light, 'id'>;
    stored.push(fromJson((await store.light.create(fields)).json));
    plain.push(await store.plain.create(fields));
    kids.push(
      await store.kids.create({
        ...fields,
        plainId: 1 + (kids.length % Math.min(5, plain.length)),
      }),
    );
    const long = { body: 'x'.repeat(heavy.length % 7 === 0 ? 30_000 : 10), tags: ['t'] };
    heavy.push(fromJson((await store.heavy.create({ ...fields, ...long })).json));
  }
});
afterAll(() => open?.close());

describe('a list', () => {
  it('of short records is what a plain list in memory gives', async () => {
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        const { body } = await open.store.light.list(asked);
        expect(fromJson(await whole(body))).toEqual(answerOf(stored, asked));
      }),
      { numRuns: QUESTIONS },
    );
  });

  it('is the same in pages, from cursor to cursor', async () => {
    await fc.assert(
      fc.asyncProperty(question, fc.integer({ min: 1, max: 40 }), async (asked, limit) => {
        const expected = answerOf(stored, asked);
        expect(
          await walk((after) => open.store.light.list({ ...asked, limit, after }), limit),
        ).toEqual(expected);
      }),
      { numRuns: QUESTIONS / 4 },
    );
  });

  it('of long records is the same, in pages and whole', async () => {
    await fc.assert(
      fc.asyncProperty(question, fc.integer({ min: 1, max: 40 }), async (given, limit) => {
        const asked = given as Question<Heavy>;
        const expected = answerOf(heavy, asked);
        const { body } = await open.store.heavy.list(asked);
        expect(fromJson(await whole(body))).toEqual(expected);
        expect(
          await walk((after) => open.store.heavy.list({ ...asked, limit, after }), limit),
        ).toEqual(expected);
      }),
      { numRuns: QUESTIONS / 10 },
    );
  });

  it('of records is the same, after a record or its cursor', async () => {
    await fc.assert(
      fc.asyncProperty(question, fc.integer({ min: 0, max: COUNT }), async (asked, start) => {
        const expected = answerOf(plain, asked);
        const after = expected[start];
        const rest = after ? expected.slice(start + 1) : expected;
        const { page, cursor } = open.store.plain;
        expect(await page({ ...asked, limit: 30, after })).toEqual(rest.slice(0, 30));
        if (!after) return;
        const at = cursor(after, asked.sort);
        expect(await page({ ...asked, limit: 30, after: at })).toEqual(rest.slice(0, 30));
      }),
      { numRuns: QUESTIONS / 2 },
    );
  });

  it('of children is the same for each parent, from a place on and up to a number of them', async () => {
    const parents = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 });
    const some = fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined });
    const limit = fc.integer({ min: 1, max: 150 });
    await fc.assert(
      fc.asyncProperty(
        question,
        parents,
        some,
        some,
        limit,
        async (given, ids, first, from, limit) => {
          const asked = given as Question<Kid>;
          const { by, cursor } = open.store.kids;
          const start = from === undefined ? undefined : kids[from];
          const at = start && cursor(start, asked.sort);
          const expected = ids
            .toSorted((a, b) => a - b)
            .flatMap((id) => {
              const all = answerOf(
                kids.filter(({ plainId }) => plainId === id),
                asked,
              );
              const later = start ? all.filter((kid) => isAfter(kid, start, asked)) : all;
              return later.slice(0, first);
            });
          const found: Kid[] = [];
          for (;;) {
            const after = found.at(-1);
            const page = { ...asked, limit, after, first, start: at };
            const records = await by('plainId').ofParents(ids, page);
            found.push(...records);
            if (records.length < limit) break;
          }
          expect(found).toEqual(expected);
        },
      ),
      { numRuns: QUESTIONS / 2 },
    );
  });

  it('continues where a record was that is gone', async () => {
    const { light } = open.store;
    const asked: Question<Light> = { sort: [{ field: 'size', isDescending: true }] };
    const { next } = await light.list({ ...asked, limit: 10 });
    const expected = answerOf(stored, asked);
    await light.remove(expected[9]?.id ?? 0);
    const { body } = await light.list({ ...asked, after: next });
    expect(fromJson(await whole(body))).toEqual(expected.slice(10));
    stored = stored.filter(({ id }) => id !== expected[9]?.id);
  });
});

describe('a list of many records, of which few meet the conditions,', () => {
  const MANY = 6000;
  let many: Light[];
  beforeAll(async () => {
    if (isMissing()) return;
    const { plain: table } = open.store;
    const sampled = fc.sample(anyRecord, { numRuns: MANY, seed: 7 });
    for (let i = 0; i < MANY; i += 500) {
      const creating = sampled
        .slice(i, i + 500)
        .map((each) => table.create(each as unknown as Omit<Light, 'id'>));
      await Promise.all(creating);
    }
    many = await table.page({ limit: 2 * MANY });
    expect(many.length).toBe(MANY + COUNT);
  });

  it('is what a plain list in memory gives', async () => {
    const { page } = open.store.plain;
    await fc.assert(
      fc.asyncProperty(
        question,
        fc.integer({ min: 0, max: MANY }),
        fc.integer({ min: 1, max: 300 }),
        async (asked, start, limit) => {
          const expected = answerOf(many, asked);
          const after = expected[start];
          const rest = after ? expected.slice(start + 1) : expected;
          expect(await page({ ...asked, limit, after })).toEqual(rest.slice(0, limit));
        },
      ),
      { numRuns: QUESTIONS / 6 },
    );
  });

  it('does not hold up the event loop until it has looked at all of them', async () => {
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const where = { name: { contains: 'nobody' } };
    expect(await open.store.plain.page({ where, sort: [{ field: 'size' }], limit: 20 })).toEqual(
      [],
    );
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(0);
  });
});

describe('a cursor', () => {
  const bySize: Sort<Light> = [{ field: 'size' }];

  it.each([
    ['no cursor at all', 'x'],
    ['a number', 7],
    ['empty', ''],
    ['JSON of another kind', encoded({ id: 1 })],
    ['one of another table', encoded(['heavy size,id', 1, 1])],
    ['one of another order', encoded(['light -size,-id', 1, 1])],
    ['one with a value too few', encoded(['light size,id', 1])],
    ['one with a value of another type', encoded(['light size,id', '1', 1])],
    ['one with null where there is none', encoded(['light size,id', null, 1])],
    ['one with an id that is none', encoded(['light size,id', 1, 1.5])],
  ])('that is %s is refused', async (_, after) => {
    await expect(async () =>
      open.store.light.list({ sort: bySize, after, limit: 1 }),
    ).rejects.toMatchObject({
      code: 'invalid-request',
      errors: [{ path: '/after', message: 'is not a cursor of this list' }],
    });
  });

  it.each(['x', -1, 1.5, 'size'])('of a list in order of id is an id, not %s', async (after) => {
    await expect(async () => open.store.light.list({ after, limit: 1 })).rejects.toMatchObject({
      code: 'invalid-request',
    });
  });
});

describe('a question', () => {
  it('by a field that is not declared is a fault of the server', async () => {
    const { heavy } = open.store;
    await expect(async () => heavy.list({ where: { tags: { eq: [] } } })).rejects.toThrow(
      'heavy does not declare the filter tags',
    );
    await expect(async () => heavy.list({ sort: [{ field: 'body' }] })).rejects.toThrow(
      'heavy does not declare the sort field body',
    );
  });

  it.each([
    { name: { eq: 'a\0' } },
    { name: { contains: '\ud800' } },
    { size: { gt: 1.5 } },
    { at: { lt: 'now' } },
  ])('with a value that no record can have is refused: %j', async (where) => {
    await expect(async () => open.store.light.list({ where })).rejects.toMatchObject({
      code: 'invalid-request',
    });
  });

  it('takes integers of any size', async () => {
    const { body } = await open.store.light.list({ where: { size: { gt: 1e300 } } });
    expect(body).toBe('[]');
    const all = await open.store.light.list({ where: { size: { lt: 1e300 } } });
    expect(fromJson(await whole(all.body)).length).toBe(stored.length);
  });
});

/** Whether one record comes after another in the order of a question. */
function isAfter(one: Kid, other: Kid, { sort }: Question<Kid>): boolean {
  return one !== other && answerOf([one, other], { sort })[0] === other;
}

async function walk<R>(
  list: (after: Cursor | undefined) => MaybePromise<Listing<R>>,
  limit: number,
): Promise<R[]> {
  const found: R[] = [];
  let after: Cursor | undefined;
  do {
    const { body, next } = await list(after);
    const page = fromJson(await whole(body));
    if (next !== undefined) expect(page.length).toBe(limit);
    found.push(...page);
    after = next;
  } while (after !== undefined);
  return found;
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
