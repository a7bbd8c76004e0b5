// engines: sqlite, postgres
import { expect, it } from 'vitest';
import { api } from '../../../src/api/api.ts';
import { tables } from '../../../src/api/tables.ts';
import { readContract } from '../../../src/kit/contract/contract.ts';
import { createLog } from '../../../src/kit/observe/log.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { createExamples, exampleRecords } from '../../../src/kit/rest/example-records.ts';
import { serve } from '../../../src/kit/serve.ts';
import { atOnce } from '../../../tools/support/server-process.ts';
import { needPostgres, newDatabase } from '../../support/engine.ts';

needPostgres();

it('a demo creates in each empty collection what the contract shows of it', async () => {
  const settings = readSettings({
    ...{ ...atOnce, PORT: '0', SEED_DEMO: 'true' },
    DATABASE_URL: await newDatabase(),
  });
  const own = { title: 'Own', pages: 1 };
  const { url, stop } = await serve(
    {
      ...api,
      demo: async (store: never, contract) => {
        // The tables are this API's.
        const { books } = store as { books: { create(book: object): Promise<object> } };
        await books.create(own);
        await createExamples(contract, tables, store);
      },
    },
    { settings, log: createLog('silent', () => {}) },
  );
  const listed = async (path: string) => Object(await (await fetch(url + path)).json());
  const contract = await readContract(api.openapi);
  try {
    expect(await listed('/books')).toEqual([{ id: 1, ...own }]);
    for (const path of ['/tasks', '/notes', '/items']) {
      const shown = exampleRecords(contract, path);
      expect(shown.length).toBeGreaterThan(0);
      expect(await listed(path)).toEqual(shown.map((record, i) => ({ ...record, id: i + 1 })));
    }
  } finally {
    await stop();
  }
});

it('a path without a list has no examples', async () => {
  expect(exampleRecords(await readContract(api.openapi), '/graphql')).toEqual([]);
  expect(exampleRecords(await readContract(api.openapi), '/none')).toEqual([]);
});
