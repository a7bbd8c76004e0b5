// engines: sqlite, postgres
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromJson, whole } from '../../../src/kit/json-text.ts';
import type { Cursor, Question } from '../../../src/kit/store/store.ts';
import { collection } from '../../../src/kit/store/table-declarations.ts';
import { ENOUGH_CONNECTIONS, isMissing, needPostgres } from '../../support/engine.ts';
import { answerOf } from '../../support/question-model.ts';
import { openTables, type TableStore } from '../../support/table-store.ts';

type Thing = {
  readonly id: number;
  readonly name: string;
  readonly size: number | null;
  readonly body: string;
};
const fields = ['name', 'size'] as const;
const tables = {
  things: collection<Thing>(
    { name: 'text', size: 'integer | null', body: 'text' },
    { filter: fields, sort: fields },
  ),
  longThings: collection<Thing>(
    { name: 'text', size: 'integer | null', body: 'long text' },
    { filter: fields, sort: fields },
  ),
};

const WRITERS = 12;
const ROUNDS = 25;
const LIMIT = 7;
const questions: Question<Thing>[] = [
  {},
  { sort: [{ field: 'name' }] },
  { sort: [{ field: 'size', isDescending: true }] },
  { sort: [{ field: 'size' }, { field: 'name', isDescending: true }] },
  { where: { size: { gte: 2 } }, sort: [{ field: 'name', isDescending: true }] },
  { where: { size: { eq: null } } },
];

needPostgres();
let open: TableStore<typeof tables>;
beforeAll(async () => {
  if (!isMissing()) open = await openTables(tables, { poolSize: ENOUGH_CONNECTIONS });
});
afterAll(() => open?.close());

describe.each(['things', 'longThings'] as const)(
  'pages of %s while 12 others insert and delete',
  (name) => {
    it.each(questions.map((question) => [question]))(
      'show no record twice, and each that was there throughout: %j',
      async (question) => {
        const table = open.store[name];
        const body = 'x'.repeat(name === 'things' ? 10 : 20_000);
        const fields = () => ({
          name: `${Math.floor(Math.random() * 20)}`,
          size: Math.random() < 0.3 ? null : Math.floor(Math.random() * 5),
          body,
        });
        const lasting: Thing[] = [];
        for (let i = 0; i < 40; i++) lasting.push(fromJson((await table.create(fields())).json));
        let writing = WRITERS;
        async function write(): Promise<void> {
          for (let i = 0; i < ROUNDS; i++) {
            const [one, other] = await Promise.all([
              table.create(fields()),
              table.create(fields()),
            ]);
            await Promise.all([table.remove(one.id), table.remove(other.id)]);
          }
          writing--;
        }

        const expected = answerOf(lasting, question).map(({ id }) => id);
        const isLasting = new Set(lasting.map(({ id }) => id));
        const faults: string[] = [];
        async function read(): Promise<void> {
          while (writing > 0) {
            const seen: Thing[] = [];
            let after: Cursor | undefined;
            do {
              // SQLite reads synchronously: without this nobody would write.
              await nextTurn();
              const { body, next } = await table.list({ ...question, limit: LIMIT, after });
              seen.push(...fromJson(await whole(body)));
              after = next;
            } while (after !== undefined);
            const ids = seen.map(({ id }) => id);
            if (new Set(ids).size < ids.length) faults.push(`twice: ${ids}`);
            const there = ids.filter((id) => isLasting.has(id));
            if (there.join() !== expected.join()) faults.push(`${there}, not ${expected}`);
            const order = answerOf(seen, question).map(({ id }) => id);
            if (ids.join() !== order.join()) faults.push(`order: ${ids}`);
          }
        }
        await Promise.all([...Array.from({ length: WRITERS }, write), read(), read()]);
        expect(faults).toEqual([]);
        for (const { id } of lasting) await table.remove(id);
      },
    );
  },
);
