// engines: postgres
import { expect, it } from 'vitest';
import { connect } from '../../../src/kit/store/postgres/postgres-statements.ts';
import { needPostgres, newDatabase } from '../../support/engine.ts';

needPostgres();

it('a connection keeps a bounded number of statements, however many there are', async () => {
  const options = { poolSize: 1, onStatement: () => {}, isReady: () => true, listTimeout: 10_000 };
  const { db, close } = connect(await newDatabase(), options);
  const only = ([column]: [number]) => column;
  for (let i = 0; i < 1100; i++) expect(await db.read(`SELECT ${i}`, only)()).toEqual([i]);
  const count = await db.read('SELECT count(*) FROM pg_prepared_statements', only)();
  expect(count).toEqual([1000]);
  await close();
});
