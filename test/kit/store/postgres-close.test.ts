// engines: postgres
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { api } from '../../../src/api/api.ts';
import { openStore } from '../../../src/kit/store/open-store.ts';
import { blocked } from '../../support/blocked-session.ts';
import { samples } from '../../support/collections.ts';
import { newDatabase } from '../../support/engine.ts';

it('a store is closed once what was asked of it is answered', async () => {
  const url = await newDatabase();
  const { store, ready } = await openStore(url, api);
  await ready;
  const other = new Client({ connectionString: url });
  await other.connect();
  await other.query('BEGIN; LOCK TABLE books');
  const done: string[] = [];
  const writing = store.books.create(samples.books.input).then(() => done.push('written'));
  await blocked(other);
  const closing = store.close().then(() => done.push('closed'));
  await other.query('COMMIT');
  await Promise.all([writing, closing]);
  expect(done).toEqual(['written', 'closed']);
  await other.end();
});
