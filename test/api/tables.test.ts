// engines: sqlite
import { expect, it } from 'vitest';
import { tables } from '../../src/api/tables.ts';
import { openTables } from '../support/table-store.ts';

it('a user whose address another has is refused also where the declarations alone made the tables', async () => {
  const { store, close } = await openTables(tables);
  const email = 'ada@example.com';
  await store.users.create({ name: 'Ada', email });
  await expect(store.users.create({ name: 'Another', email })).rejects.toMatchObject({
    code: 'conflict',
  });
  await store.users.create({ name: 'Ada', email: 'other@example.com' });
  await close();
});
