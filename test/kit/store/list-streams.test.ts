import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromJson, type Json, whole } from '../../../src/kit/json-text.ts';
import { collection } from '../../../src/kit/store/table-declarations.ts';
import { recordTables } from '../../support/recorded-tables.ts';

type Short = { readonly id: number; readonly name: string };
type Long = { readonly id: number; readonly body: string };
const tables = {
  short: collection<Short>({ name: 'text' }),
  long: collection<Long>({ body: 'long text' }),
};

let open: ReturnType<typeof recordTables<typeof tables>>;
beforeEach(() => {
  open = recordTables(tables);
});
afterEach(() => open.close());

describe('a list that is streamed while records are removed', () => {
  it('ends where there are none after its first piece any more', async () => {
    const { store, database } = open;
    for (let i = 1; i <= 101; i++) await store.short.create({ name: `${i}` });
    const { body } = await store.short.list({});
    let text = '';
    for await (const piece of body) {
      text += piece;
      database.exec('DELETE FROM short WHERE id > 100');
    }
    const names = fromJson(text as Json<Short[]>).map(({ name }) => name);
    expect([names.length, names.at(-1)]).toEqual([100, '100']);
  });

  it('goes on where those of a part are gone', async () => {
    const { store, database } = open;
    for (const letter of 'abc') await store.long.create({ body: letter.repeat(70_000) });
    for (const [gone, left] of [
      [1, 'bc'],
      [3, 'b'],
      [2, ''],
    ] as const) {
      const { body } = await store.long.list({ limit: 3 });
      database.exec(`DELETE FROM long WHERE id = ${gone}`);
      const records = fromJson(await whole(body));
      expect(records.map(({ body }) => body[0]).join('')).toBe(left);
    }
  });
});

it('the highest id there may be is listed as any other', async () => {
  const { store, database } = open;
  const highest = Number.MAX_SAFE_INTEGER;
  const add = database.prepare('INSERT INTO short (id, name) VALUES (?, ?)');
  for (const id of [highest - 2, highest - 1, highest]) add.run(id, 'x');
  const ids = async (limit: number, after?: number) => {
    const { body, next } = await store.short.list({ limit, after });
    return [fromJson(await whole(body)).map(({ id }) => id), next];
  };
  expect(await ids(9)).toEqual([[highest - 2, highest - 1, highest], undefined]);
  expect(await ids(2)).toEqual([[highest - 2, highest - 1], highest - 1]);
  expect(await ids(1, highest - 1)).toEqual([[highest], undefined]);
});
