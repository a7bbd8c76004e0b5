import { afterAll, beforeAll } from 'vitest';
import { present } from '../../src/kit/errors.ts';
import type {
  JsonAsked,
  JsonColumn,
  JsonMember,
  JsonQuery,
  JsonRoom,
} from '../../src/kit/store/json-query.ts';
import { type ReadJson, readJson } from '../../src/kit/store/read-json.ts';
import { collection, records, type StoreOf } from '../../src/kit/store/table-declarations.ts';
import { isMissing, needPostgres } from './engine.ts';
import { openTables, type TableStore } from './table-store.ts';

type Maker = { readonly id: number; readonly name: string; readonly since: string | null };
type Thing = {
  readonly id: number;
  readonly makerId: number | null;
  readonly name: string;
  readonly note: string | null;
  readonly body: string;
  readonly size: number;
  readonly count: number | null;
  readonly weight: number;
  readonly done: boolean;
  readonly at: string;
  readonly mark: 'A' | 'b' | 'C';
};
export type Part = { readonly id: number; readonly thingId: number; readonly size: number };

const refersTo = (table: string) => ({ table, onDelete: 'cascade' }) as const;
const tables = {
  makers: records<Maker>({ name: 'text', since: 'date-time | null' }),
  things: collection<Thing>(
    {
      makerId: { type: 'integer | null', references: refersTo('makers') },
      ...{ name: 'text', note: 'text | null', body: 'long text', size: 'integer' },
      ...{
        count: 'integer | null',
        weight: 'number',
        done: 'boolean',
        at: 'date-time',
        mark: 'enum',
      },
    },
    { filter: ['name', 'size'], sort: ['name', 'size'] },
  ),
  parts: records<Part>(
    { thingId: { type: 'integer', references: refersTo('things') }, size: 'integer' },
    { filter: ['size'], sort: ['size'] },
  ),
};

async function fill({ makers, things, parts }: StoreOf<typeof tables>): Promise<void> {
  await makers.create({ name: 'Ann', since: '2026-01-01T00:00:00.5Z' });
  await makers.create({ name: 'Bo', since: null });
  await makers.create({ name: 'x'.repeat(16_385), since: null });
  const thing = {
    note: null,
    body: '',
    count: null,
    at: '2026-01-01T00:00:00Z',
    mark: 'A',
  } as const;
  await things.create({
    ...{ makerId: 1, name: 'é"', note: 'n', body: 'x'.repeat(16_384), size: 2 ** 31 - 1 },
    ...{ count: -(2 ** 31), weight: 1e21, done: true, at: '2026-01-01T00:00:00.5Z', mark: 'b' },
  });
  await things.create({
    ...thing,
    makerId: null,
    name: '',
    size: 2 ** 31,
    weight: 0.1,
    done: false,
  });
  await things.create({
    ...{ ...thing, makerId: 2, name: 'z', size: -(2 ** 31) - 1, weight: 0, done: true, mark: 'C' },
    body: 'é'.repeat(8192).concat('x'),
  });
  for (const [thingId, size] of [
    [1, 3],
    [1, 1],
    [1, 2],
    [2, 7],
    [2, 5],
  ] as const) {
    await parts.create({ thingId, size });
  }
}

/** Reads JSON of three makers, three things and five parts, for the tests of a file. */
export function useJson() {
  let open: TableStore<typeof tables> | undefined;
  let statements = 0;
  needPostgres();
  beforeAll(async () => {
    if (isMissing()) return;
    open = await openTables(tables, { onStatement: () => statements++ });
    await fill(open.store);
  });
  afterAll(() => open?.close());
  const json = (): ReadJson => present(Object(present(open).store)[readJson]);

  return {
    json,
    isPostgres: () => present(open).url.startsWith('postgres'),
    statements: () => statements,
    /** What one statement tells; undefined where it declines. */
    async read(query: JsonQuery, asked: JsonAsked[], room = large): Promise<unknown> {
      const text = await json().read(json().prepare(query, asked, room), asked);
      return text === undefined ? undefined : JSON.parse(text);
    },
  };
}

export const large: JsonRoom = { records: 1000, bytes: 1_000_000 };
export const column = (
  field: string,
  as: JsonColumn['as'] = 'text',
  isNullable = false,
): JsonMember => ({
  key: field,
  value: { kind: 'column', field, as, isNullable },
});
export const list = (
  table: string,
  at: number,
  members: JsonQuery,
  parent?: string,
): JsonMember => ({
  key: table,
  value: { kind: 'list', table, at, members, parent },
});
export const record = (
  table: string,
  members: JsonQuery,
  isNullable = true,
  at = 0,
): JsonMember => ({
  key: 'it',
  value: { kind: 'record', table, at, members, isNullable },
});
export const maker = (members: JsonQuery, isNullable = true): JsonMember => ({
  key: 'maker',
  value: { kind: 'parent', table: 'makers', field: 'makerId', members, isNullable },
});
export const id = column('id', 'id');
export const size = column('size', 'number');
export const name = column('name');
