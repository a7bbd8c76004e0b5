// engines: sqlite, postgres
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whole } from '../../../src/kit/json-text.ts';
import { collection, records } from '../../../src/kit/store/table-declarations.ts';
import { text } from '../../support/arbitrary.ts';
import { isMissing, needPostgres } from '../../support/engine.ts';
import { openTables, type TableStore } from '../../support/table-store.ts';

type Specimen = {
  readonly id: number;
  readonly text: string;
  readonly longText: string;
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly date: string;
  readonly dateTime: string;
  readonly uuid: string;
  readonly rank: 'low' | 'high';
  readonly list: readonly unknown[];
  readonly object: { readonly [name: string]: unknown };
  readonly textOrNull: string | null;
  readonly numberOrNull: number | null;
  readonly booleanOrNull: boolean | null;
  readonly timeOrNull: string | null;
  readonly listOrNull: readonly number[] | null;
  readonly textIfAny?: string;
  readonly integerIfAny?: number;
  readonly booleanIfAny?: boolean;
  readonly timeIfAny?: string;
  readonly jsonIfAny?: readonly number[] | null;
  readonly textBoth?: string | null;
  readonly count: number;
  /** Names that SQL or the store use themselves. */
  readonly version: number;
  readonly order: string;
  readonly 'it\'s $1 "quoted"': string;
};
type Input = Omit<Specimen, 'id' | 'count'> & { readonly count?: number };

const columns = {
  text: 'text',
  longText: 'long text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  dateTime: 'date-time',
  uuid: 'uuid',
  rank: 'enum',
  list: 'json',
  object: 'json',
  textOrNull: 'text | null',
  numberOrNull: 'number | null',
  booleanOrNull: 'boolean | null',
  timeOrNull: 'date-time | null',
  listOrNull: 'json | null',
  textIfAny: 'text?',
  integerIfAny: 'integer?',
  booleanIfAny: 'boolean?',
  timeIfAny: 'date-time?',
  jsonIfAny: 'json?',
  textBoth: 'text | null',
  count: { type: 'integer', default: 7 },
  version: 'integer',
  order: 'text',
  'it\'s $1 "quoted"': 'text',
} as const;
const tables = {
  specimens: collection<Specimen, Input>(columns),
  'odd "table"': records<Specimen, Input>(columns),
  nested: collection<Nested>({ list: 'json', object: 'json' }),
  flat: collection<Flat>({ at: 'date-time | null', size: 'number | null', is: 'boolean | null' }),
};
type Nested = Pick<Specimen, 'id' | 'list' | 'object'>;
type Flat = {
  readonly id: number;
  readonly at: string | null;
  readonly size: number | null;
  readonly is: boolean | null;
};

const plain: Input = {
  text: '',
  longText: '',
  integer: 0,
  number: 0,
  boolean: false,
  date: '2026-11-16',
  dateTime: '2026-11-16T04:00:00Z',
  uuid: '00000000-0000-0000-0000-000000000000',
  rank: 'low',
  list: [],
  object: {},
  textOrNull: null,
  numberOrNull: null,
  booleanOrNull: null,
  timeOrNull: null,
  listOrNull: null,
  version: 1,
  order: 'by',
  'it\'s $1 "quoted"': '',
};

const deep = JSON.parse('['.repeat(1200) + ']'.repeat(1200));
const edges: Partial<Input>[] = [
  {},
  { textIfAny: '', integerIfAny: 0, booleanIfAny: false, jsonIfAny: [], count: 0 },
  { jsonIfAny: null, textBoth: 'x', listOrNull: [] },
  { textOrNull: '', numberOrNull: 0, booleanOrNull: false, timeOrNull: '0000-01-01T00:00:00Z' },
  { integer: Number.MAX_SAFE_INTEGER },
  { integer: Number.MIN_SAFE_INTEGER, integerIfAny: -0 },
  ...[1e308, Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, -0, 0.1, 0.1 + 0.2, 1e21, 1e-7, 1e15].map(
    (number) => ({ number, numberOrNull: number, list: [number], object: { number } }),
  ),
  { date: '0000-01-01' },
  { date: '9999-12-31', timeIfAny: '9999-12-31T23:59:60Z' },
  { dateTime: '0000-01-01T00:00:00.000000001Z', timeOrNull: '9999-12-31T23:59:59.999999999999Z' },
  { list: deep, object: { deep } },
  { list: [null, '', 0, -0, false, [], {}, '\ud800', '\0', '"', 1e21] },
  { object: { '': null, a: { b: [1.5, 'é'] }, 'it\'s "': "'" } },
  ...['\u0001\u001f\b\f\n\r\t"\\/', '\u007f\u0080\u2028\u2029\ufeff\ufffd\uffff', 'e\u0301é'].map(
    all,
  ),
  // A character of every plane.
  all(
    Array.from({ length: 17 }, (_, plane) => String.fromCodePoint(plane * 0x10000 + 0xfffd)).join(
      '',
    ),
  ),
  all("'; DROP TABLE specimens; -- $1 ?1 {}"),
];

function all(value: string): Partial<Input> {
  return { text: value, longText: value, textOrNull: value, textIfAny: value, list: [value] };
}

/** What a record is expected to be: absent input takes its default, or null where the column shows it. */
function expected(id: number, input: Input): Specimen {
  const given = { count: 7, ...input, textBoth: input.textBoth ?? null };
  const fields = Object.keys(columns).flatMap((field) => {
    const value = given[field as keyof Input];
    return value === undefined ? [] : [[field, value]];
  });
  return { id, ...Object.fromEntries(fields) };
}

needPostgres();
let open: TableStore<typeof tables>;
beforeAll(async () => {
  if (!isMissing()) open = await openTables(tables);
});
afterAll(() => open?.close());

describe('a record with every type of column', () => {
  it.each(edges.map((edge) => [short(edge), edge]))(
    'comes back byte for byte: %s',
    async (_, edge) => {
      await expectSame({ ...plain, ...edge });
    },
  );

  it('comes back byte for byte, whatever it holds', async () => {
    const anyText = text(0, 20);
    const input: fc.Arbitrary<Input> = fc
      .record(
        {
          text: anyText,
          longText: anyText,
          integer: fc.maxSafeInteger(),
          number: fc.double({ noNaN: true, noDefaultInfinity: true }),
          boolean: fc.boolean(),
          date: fc
            .date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
            .map((date) => date.toISOString().slice(0, 10)),
          uuid: fc.uuid(),
          rank: fc.constantFrom('low' as const, 'high' as const),
          list: fc.array(fc.jsonValue()),
          object: fc.dictionary(fc.string(), fc.jsonValue()),
          textOrNull: fc.option(anyText),
          numberOrNull: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
          booleanOrNull: fc.option(fc.boolean()),
          listOrNull: fc.option(fc.array(fc.integer())),
          textIfAny: anyText,
          integerIfAny: fc.maxSafeInteger(),
          booleanIfAny: fc.boolean(),
          jsonIfAny: fc.option(fc.array(fc.integer())),
          textBoth: fc.option(anyText),
          count: fc.integer(),
        },
        { requiredKeys: [] },
      )
      .map((edge) => ({ ...plain, ...edge }));
    await fc.assert(fc.asyncProperty(input, expectSame), { numRuns: 150 });
  });

  async function expectSame(input: Input): Promise<void> {
    const { specimens, 'odd "table"': others } = open.store;
    const made = await specimens.create(input);
    const { id } = made;
    const json = JSON.stringify(expected(id, input));
    expect(made.json).toBe(json);
    expect((await specimens.get(id))?.json).toBe(json);
    expect(await whole((await specimens.list({ limit: 1, after: id - 1 })).body)).toBe(`[${json}]`);
    expect(await whole((await specimens.list({ where: { id: { eq: id } } })).body)).toBe(
      `[${json}]`,
    );
    const value = JSON.parse(json);
    expect(await specimens.find(id)).toEqual(value);
    expect(await specimens.findAll([id])).toEqual([value]);
    const other = await others.create(input);
    expect(other).toEqual({ ...value, id: other.id });
    expect(await others.find(other.id)).toEqual(other);
    expect(await others.page({ limit: 1, after: other.id - 1 })).toEqual([other]);
    const replaced = await specimens.replace(id, plain);
    expect(replaced?.json).toBe(JSON.stringify(expected(id, plain)));
    expect((await specimens.replace(id, input))?.json).toBe(json);
  }
});

describe('a record with nothing that can be left out', () => {
  it('comes back byte for byte', async () => {
    const { flat } = open.store;
    for (const fields of [
      { at: null, size: null, is: null },
      { at: '2026-01-01T00:00:00.5Z', size: -1.5e-300, is: false },
      { at: '0000-01-01T00:00:00Z', size: 1e308, is: true },
    ]) {
      const { id } = await flat.create(fields);
      const json = JSON.stringify({ id, ...fields });
      expect((await flat.get(id))?.json).toBe(json);
      expect(await whole((await flat.list({ limit: 1, after: id - 1 })).body)).toBe(`[${json}]`);
    }
  });
});

it('a record with nothing but JSON comes back byte for byte', async () => {
  const { nested } = open.store;
  for (const list of [[], [1.5, 'é'], deep]) {
    const { id } = await nested.create({ list, object: { list } });
    const json = JSON.stringify({ id, list, object: { list } });
    expect((await nested.get(id))?.json).toBe(json);
    expect(await whole((await nested.list({ limit: 1, after: id - 1 })).body)).toBe(`[${json}]`);
  }
});

describe('an instant', () => {
  it.each([
    ['2026-01-01T00:00:00+02:00', '2025-12-31T22:00:00Z'],
    ['2026-01-01t23:30:00.500-01:30', '2026-01-02T01:00:00.5Z'],
    ['2026-06-30T23:59:60.10Z', '2026-06-30T23:59:60.1Z'],
    ['2016-12-31T18:59:60-05:00', '2016-12-31T23:59:60Z'],
    ['0099-03-01T00:30:00+01:00', '0099-02-28T23:30:00Z'],
    ['2026-01-01T00:00:00.000z', '2026-01-01T00:00:00Z'],
  ])('%s is %s', async (given, shown) => {
    const { json } = await open.store.flat.create({ at: given, size: null, is: null });
    expect(JSON.parse(json).at).toBe(shown);
  });

  it.each(['0000-01-01T00:00:00+00:01', '9999-12-31T23:59:00-00:01', 'yesterday'])(
    '%s is refused',
    async (at) => {
      const creating = open.store.flat.create({ at, size: null, is: null });
      await expect(creating).rejects.toMatchObject({
        code: 'invalid-request',
        errors: [{ path: '/body/at' }],
      });
    },
  );
});

it('an integer that no JSON number holds exactly is refused', async () => {
  const creating = open.store.specimens.create({ ...plain, integer: 2 ** 53 });
  await expect(creating).rejects.toMatchObject({ errors: [{ path: '/body/integer' }] });
});

it('JSON of more levels than JavaScript can write is refused', async () => {
  const list = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  const creating = open.store.specimens.create({ ...plain, list });
  await expect(creating).rejects.toMatchObject({ errors: [{ path: '/body/list' }] });
});

it('a UUID is shown in lower case', async () => {
  const uuid = 'ABCDEFAB-CDEF-4BCD-8FAB-CDEFABCDEFAB';
  const { json } = await open.store.specimens.create({ ...plain, uuid });
  expect(JSON.parse(json).uuid).toBe(uuid.toLowerCase());
});

function short(edge: Partial<Input>): string {
  return JSON.stringify(edge).slice(0, 60);
}
