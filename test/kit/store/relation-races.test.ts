import { describe, expect, it } from 'vitest';
import { ApiError, present } from '../../../src/kit/errors.ts';
import { brokenReference, type Database } from '../../../src/kit/store/database.ts';
import { createRelations } from '../../../src/kit/store/relations.ts';
import { tablesOf } from '../../../src/kit/store/table.ts';
import { records } from '../../../src/kit/store/table-declarations.ts';

type House = {
  readonly id: number;
  readonly ownerId: number;
  readonly tenantId: number | null;
  readonly address: string;
  readonly code: string | null;
};
const refersTo = { table: 'owners', onDelete: 'restrict' } as const;
const tables = tablesOf({
  owners: records<{ id: number }>({}),
  houses: records<House>(
    {
      ownerId: { type: 'integer', references: refersTo },
      tenantId: { type: 'integer | null', references: refersTo },
      ...{ address: 'text', code: 'text | null' },
    },
    { unique: ['address', 'code'] },
  ),
});
const [owners, houses] = [present(tables[0]), present(tables[1])];
const house = { ownerId: 1, tenantId: null, address: 'a', code: null };

/** A database whose statements find what others have left there: the number of rows, by what they look for. */
function finding(rows: (sql: string, value: unknown) => number) {
  const read = (sql: string) => async (value: unknown) => Array(rows(sql, value)).fill(undefined);
  // What relations use of it.
  return { read } as unknown as Database;
}
/** Nobody else is there any more who could have refused the write. */
const nobody = finding((sql) => (sql.includes('FROM "owners"') ? 1 : 0));

/** A write that is refused so many times, and how often it was tried. */
function refusing(times: number, error: () => unknown = () => brokenReference(undefined)) {
  const tries = { count: 0 };
  const write = async () => {
    tries.count++;
    if (tries.count <= times) throw error();
    return 'written';
  };
  return { tries, write };
}

const ways = {
  create: (db: Database, write: () => Promise<string | undefined>) =>
    createRelations(db, houses).writing(house, write),
  change: (db: Database, write: () => Promise<string>) =>
    createRelations(db, houses).changing(house, write),
  removal: (db: Database, write: () => Promise<string>) =>
    createRelations(db, owners).removing(1, write),
};

describe.each(Object.entries(ways))(
  'a %s that others refuse without a reason that stays',
  (_, act) => {
    it.each([0, 1, 4])('is tried again: %i times refused it is made', async (times) => {
      const { tries, write } = refusing(times);
      const none = finding((sql) => (sql.includes('FROM "owners"') ? 1 : 0));
      expect(await act(none, write)).toBe('written');
      expect(tries.count).toBe(times + 1);
    });

    it('is refused the fifth time', async () => {
      const { tries, write } = refusing(9);
      await expect(act(nobody, write)).rejects.toMatchObject({
        code: 'conflict',
        detail: 'It refers to a record that is not there, or others refer to it.',
      });
      expect(tries.count).toBe(5);
    });

    it('is not tried again after another failure', async () => {
      for (const error of [new ApiError('conflict'), new ApiError('unavailable'), new Error('x')]) {
        const { tries, write } = refusing(1, () => error);
        await expect(act(nobody, write)).rejects.toBe(error);
        expect(tries.count).toBe(1);
      }
    });
  },
);

describe('a refused write is told by its reason', () => {
  const unknown = { kind: 'unknown', table: 'houses' };
  const { writing } = createRelations(nobody, houses);

  it('where no row was inserted, as where the database refused it', async () => {
    let tries = 0;
    await expect(
      writing(house, async () => {
        tries++;
        return undefined;
      }),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect(tries).toBe(5);
  });

  it.each<[string, (sql: string, value: unknown) => number, Partial<House>, object]>([
    [
      'no owner',
      () => 0,
      {},
      {
        code: 'not-found',
        detail: 'No owner has this id.',
        cause: { reference: { ...unknown, field: 'ownerId' } },
      },
    ],
    [
      'no tenant',
      (sql, value) => (sql.includes('"owners"') && value === 1 ? 1 : 0),
      { tenantId: 2 },
      {
        code: 'not-found',
        detail: 'No tenant has this id.',
        cause: { reference: { ...unknown, field: 'tenantId' } },
      },
    ],
    [
      'the same address',
      (sql) => (sql.includes('"code"') ? 0 : 1),
      {},
      { code: 'conflict', detail: undefined },
    ],
    [
      'the same code',
      (sql) => (sql.includes('"address"') ? 0 : 1),
      { code: 'c' },
      { code: 'conflict', detail: undefined },
    ],
  ])('%s', async (_, rows, fields, expected) => {
    const { tries, write } = refusing(9);
    const given = { ...house, ...fields };
    const refused = createRelations(finding(rows), houses).writing(given, write);
    await expect(refused).rejects.toMatchObject(expected);
    expect(tries.count).toBe(1);
  });

  it('a removal by the table that refers to it', async () => {
    const { write } = refusing(9);
    const refused = createRelations(
      finding(() => 1),
      owners,
    ).removing(1, write);
    await expect(refused).rejects.toMatchObject({
      ...{ code: 'conflict', detail: 'Records of houses refer to it.' },
      cause: { reference: { kind: 'referenced', table: 'houses', field: 'ownerId' } },
    });
  });

  it('but not by a record that goes with it', async () => {
    const cascading = tablesOf({
      owners: records<{ id: number }>({}),
      pets: records<{ id: number; ownerId: number }>({
        ownerId: { type: 'integer', references: { table: 'owners', onDelete: 'cascade' } },
      }),
    });
    const { write } = refusing(9);
    const { removing } = createRelations(
      finding(() => 1),
      present(cascading[0]),
    );
    await expect(removing(1, write)).rejects.not.toHaveProperty('cause.reference');
  });
});

it('only a table without rules takes plain rows', () => {
  const rows = [owners, houses].map((table) => createRelations(nobody, table).row);
  expect(rows.map(({ plain }) => plain)).toEqual([[], undefined]);
});
