import { expect, it } from 'vitest';
import { useServer } from '../../support/api-server.ts';

const { graphql } = useServer({ SEED_DEMO: 'true' });
const query = 'query ($id: ID!) { user(id: $id) { id } }';

/** The user with this id, executed and by one statement. */
async function usersWith(id: string | number): Promise<unknown[]> {
  const users: unknown[] = [];
  for (let i = 0; i < 3; i++) users.push((await graphql(query, { id })).json.data.user);
  return users;
}

it.each([
  ...['', '0', '-1', '+1', '01', '1.0', '1e0', '0x1', ' 1', '1 ', '1\n', 'x', 'User-1'],
  ...['9007199254740992', '9999999999999999', '10000000000000000'],
])('%j is the id of no record', async (id) => {
  expect(await usersWith(id)).toEqual([null, null, null]);
});

it.each(['1', 1])('%j is the id of a record', async (id) => {
  expect(await usersWith(id)).toEqual(Array(3).fill({ id: '1' }));
});
