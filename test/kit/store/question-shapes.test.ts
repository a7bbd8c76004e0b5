import { expect, it } from 'vitest';
import type { Database } from '../../../src/kit/store/database.ts';
import { createShapes, type Row } from '../../../src/kit/store/question-shapes.ts';

/** Runs statements that give back the text and the values that they were given. */
function shapes() {
  const prepared: string[] = [];
  // What it uses of a database.
  const db = {
    read(sql: string, make: (row: Row) => Row) {
      prepared.push(sql);
      return (...values: number[]) => [make([values[0] ?? 0, 0, sql])];
    },
  } as unknown as Database;
  const run = createShapes(db);
  return { prepared, run: async (sql: string) => run({ sql, values: [7] }) };
}

it('a statement is prepared once, and run with its own values', async () => {
  const { prepared, run } = shapes();
  for (const sql of ['a', 'b', 'a', 'b', 'a']) expect(await run(sql)).toEqual([[7, 0, sql]]);
  expect(prepared).toEqual(['a', 'b']);
});

it('of more than 100 shapes the one that was not used for longest is forgotten', async () => {
  const { prepared, run } = shapes();
  const names = Array.from({ length: 100 }, (_, i) => `shape ${i}`);
  for (const sql of [...names, ...names]) await run(sql);
  expect(prepared).toEqual(names);
  // Used again, it is the youngest.
  await run('shape 0');
  await run('another');
  expect(prepared).toEqual([...names, 'another']);
  for (const sql of ['shape 0', 'shape 2', 'shape 99', 'another']) await run(sql);
  expect(prepared.length).toBe(101);
  expect(await run('shape 1')).toEqual([[7, 0, 'shape 1']]);
  expect(prepared.length).toBe(102);
});
