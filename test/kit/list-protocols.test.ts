// engines: sqlite, postgres
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { present } from '../../src/kit/errors.ts';
import { fromJson } from '../../src/kit/json-text.ts';
import type { Question } from '../../src/kit/store/store.ts';
import { isMissing, needPostgres, newDatabase } from '../support/engine.ts';
import { comparisons, type Part, serveLists, type Thing } from '../support/list-server.ts';
import { answerOf } from '../support/question-model.ts';

// Over two protocols and two engines together.
const QUESTIONS = Number(process.env.LIST_QUESTIONS ?? 480) / 4;
const COUNT = 90;

// Few values, so that many records are equal in some.
const values = {
  name: ['a', 'A', 'é', 'a b', '%', '&=?#', '😀', '\u{10ffff}', '"', "'", ']'],
  size: [-2, 0, 1, 7, 2 ** 31 - 1],
  weight: [-1.5, 0, 0.1, 1e21, 3],
  isDone: [true, false],
  seenAt: ['2026-01-01T00:00:00Z', '2026-01-01T02:00:00.5+02:00', '1999-12-31T23:59:59.25Z'],
  kind: ['A', 'B', 'b'],
  body: ['', 'x', 'the long text'],
} as const;
type Field = keyof typeof values;
const fields = Object.keys(values) as Field[];
const nullable = ['weight', 'seenAt'];
const sortable = ['id', ...fields.filter((field) => field !== 'body')] as const;

const any = (field: Field) => fc.constantFrom<unknown>(...values[field]);
const stored = fc.record(
  Object.fromEntries(
    fields.map((field) => [field, nullable.includes(field) ? fc.option(any(field)) : any(field)]),
  ),
);
const texts = fc.constantFrom('a', '%', '😀', 'e', ' ', 'long', '&');
const operand = (field: Field, operator: string): fc.Arbitrary<unknown> => {
  if (operator === 'contains') return texts;
  if (operator === 'in') return fc.array(any(field), { minLength: 1, maxLength: 3 });
  // REST has no text for a time that is not there.
  return operator === 'eq' && field === 'weight' ? fc.option(any(field)) : any(field);
};
const comparison = (field: Field) =>
  fc.record(Object.fromEntries(comparisons[field].map((each) => [each, operand(field, each)])), {
    requiredKeys: [],
  });
const where = fc
  .uniqueArray(fc.constantFrom(...fields), { maxLength: 2 })
  .chain((chosen) =>
    fc.record(
      Object.fromEntries(
        chosen.map((field) => [
          field,
          comparison(field).map((all) => Object.fromEntries(Object.entries(all).slice(0, 2))),
        ]),
      ),
    ),
  );
const sort = fc.array(
  fc.record({ field: fc.constantFrom(...sortable), isDescending: fc.boolean() }),
  { maxLength: 3 },
);
// The values are of the fields' types; their record is not told.
const question = fc.record({ where, sort }) as unknown as fc.Arbitrary<Question<Thing>>;

needPostgres();
let server: Awaited<ReturnType<typeof serveLists>>;
let things: Thing[];
let parts: Part[];
beforeAll(async () => {
  if (isMissing()) return;
  server = await serveLists({ url: await newDatabase() });
  things = [];
  parts = [];
  for (const [i, each] of fc.sample(stored, { numRuns: COUNT, seed: 3 }).entries()) {
    const input = each as unknown as Omit<Thing, 'id'>;
    things.push(fromJson((await server.store.things.create(input)).json));
    const thingId = 1 + (i % 4);
    if (i >= 4) parts.push(fromJson((await server.store.parts.create({ ...input, thingId })).json));
  }
});
afterAll(() => server?.stop());

describe('a list over HTTP', () => {
  it('has the records that a plain list in memory gives, in both protocols', async () => {
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        const expected = answerOf(things, asked);
        expect((await rest(`/things?${queryOf(asked)}`)).records).toEqual(expected);
        expect(await graphql('things', asked)).toEqual(expected);
      }),
      { numRuns: Math.ceil(QUESTIONS) },
    );
  });

  it('is the same from page to page, by the link and by the cursor', async () => {
    const size = fc.integer({ min: 1, max: 30 });
    await fc.assert(
      fc.asyncProperty(question, size, async (asked, limit) => {
        const expected = answerOf(things, asked);
        expect(await linked(`/things?${queryOf(asked)}&limit=${limit}`)).toEqual(expected);
        expect(await paged(asked, limit)).toEqual(expected);
      }),
      { numRuns: Math.ceil(QUESTIONS / 3) },
    );
  });

  it('of children is that of a filter by their parent', async () => {
    const first = fc.integer({ min: 1, max: 9 });
    await fc.assert(
      fc.asyncProperty(question, first, async (given, first) => {
        const asked = given as Question<Part>;
        const query = `query ($where: Where, $sort: [Sort!], $first: Int) { things(first: 5) {
          id parts(where: $where, sort: $sort, first: $first) { ${members} }
        } }`;
        const { data } = await post(query, { ...argumentsOf(asked), first });
        for (const { id, parts: found } of data.things) {
          const own = parts.filter(({ thingId }) => thingId === Number(id));
          const expected = answerOf(own, asked).slice(0, first);
          const listed = await rest(`/parts?${queryOf(asked)}&thingId=${id}&limit=${first}`);
          expect(listed.records).toEqual(expected);
          expect(found.map(record)).toEqual(expected.map(({ thingId: _, ...rest }) => rest));
        }
      }),
      { numRuns: Math.ceil(QUESTIONS / 6) },
    );
  });
});

type AnyQuestion = {
  readonly where?: object | undefined;
  readonly sort?: readonly AnySort[] | undefined;
};
type AnySort = { readonly field: string; readonly isDescending?: boolean | undefined };

const members = fields.concat('id' as Field).join(' ');

function queryOf({ where = {}, sort = [] }: AnyQuestion): string {
  const query = new URLSearchParams();
  for (const [field, tests] of Object.entries(where)) {
    for (const [operator, value] of Object.entries(Object(tests))) {
      query.set(operator === 'eq' ? field : `${field}[${operator}]`, String(value ?? ''));
    }
  }
  if (sort.length > 0) query.set('sort', sort.map(signed).join());
  return String(query);
}

const signed = ({ field, isDescending }: AnySort) => `${isDescending ? '-' : ''}${field}`;

function argumentsOf({ where, sort = [] }: AnyQuestion): object {
  const named = sort.map(({ field, isDescending }: AnySort) => {
    const value = String(field).replace(/[A-Z]/g, (letter) => `_${letter}`);
    return `${value.toUpperCase()}${isDescending ? '_DESC' : ''}`;
  });
  return { where, sort: named };
}

async function rest(path: string): Promise<{ records: unknown[]; link: string | null }> {
  const response = await fetch(`${server.url}${path}`);
  const records = Object(await response.json());
  if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(records)}`);
  return { records, link: response.headers.get('link') };
}

async function linked(path: string): Promise<unknown[]> {
  const { records, link } = await rest(path);
  const next = link?.match(/^<(.*)>; rel="next"$/)?.[1];
  return next === undefined ? records : [...records, ...(await linked(next))];
}

async function post(query: string, variables: object) {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const answer = Object(await response.json());
  if (answer.errors) throw new Error(JSON.stringify(answer.errors));
  return answer;
}

const list = `query ($where: Where, $sort: [Sort!], $first: Int, $after: String) {
  list: NAME(where: $where, sort: $sort, first: $first, after: $after) { ${members} cursor(sort: $sort) }
}`;

async function graphql(name: string, asked: AnyQuestion) {
  const { data } = await post(list.replace('NAME', name), argumentsOf(asked));
  return data.list.map(record);
}

async function paged(asked: AnyQuestion, first: number) {
  const found: unknown[] = [];
  for (let after: string | undefined; ; ) {
    const { data } = await post(list.replace('NAME', 'things'), {
      ...argumentsOf(asked),
      first,
      after,
    });
    found.push(...data.list.map(record));
    if (data.list.length < first) return found;
    after = present(data.list.at(-1)).cursor;
  }
}

function record({ cursor: _, id, ...rest }: { cursor?: string; id: string }): object {
  return { id: Number(id), ...rest };
}
