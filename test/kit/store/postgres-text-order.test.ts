// engines: postgres
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { openStore } from '../../../src/kit/store/open-store.ts';
import { records } from '../../../src/kit/store/table-declarations.ts';
import { needPostgres, newDatabase } from '../../support/engine.ts';

needPostgres();

type Word = { readonly id: number; readonly text: string };

it('text is compared by code point, whatever the collation of its column', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'accord-order-'));
  mkdirSync(join(folder, 'postgres'));
  const sql = `CREATE TABLE words (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text COLLATE "und-x-icu" NOT NULL);
    CREATE INDEX words_by_text ON words (text COLLATE "C" NULLS FIRST, id)`;
  writeFileSync(join(folder, 'postgres', '001-words.sql'), sql);
  const tables = { words: records<Word>({ text: 'text' }, { filter: ['text'], sort: ['text'] }) };
  const migrations = pathToFileURL(`${folder}/`);
  const { store, ready } = await openStore(await newDatabase(), { tables, migrations });
  await ready;
  for (const text of ['b', 'á', 'B', '😀', 'a', '\uffff']) await store.words.create({ text });
  const sort = [{ field: 'text' }] as const;
  const texts = async (page: object) =>
    (await store.words.page({ sort, limit: 10, ...page })).map(({ text }) => text);
  expect(await texts({})).toEqual(['B', 'a', 'b', 'á', '\uffff', '😀']);
  expect(await texts({ where: { text: { gt: 'b' } } })).toEqual(['á', '\uffff', '😀']);
  const [, second] = await store.words.page({ sort, limit: 2 });
  expect(await texts({ after: second })).toEqual(['b', 'á', '\uffff', '😀']);
  await store.close();
  rmSync(folder, { recursive: true });
});
