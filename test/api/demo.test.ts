// engines: sqlite, postgres
import { describe, expect, it } from 'vitest';
import { seedDemo } from '../../src/api/demo.ts';
import { type Store, tables } from '../../src/api/tables.ts';
import { readContract } from '../../src/kit/contract/contract.ts';
import { useServer } from '../support/api-server.ts';

const { api, graphql } = useServer({ SEED_DEMO: 'true' });

describe('the demo', () => {
  it.each([
    [
      'books',
      [
        { id: 1, title: 'The Left Hand of Darkness', pages: 304 },
        { id: 2, title: 'Invisible Cities', pages: 165 },
        { id: 3, title: 'A Wizard of Earthsea', pages: 205 },
      ],
    ],
    [
      'tasks',
      [
        { id: 1, title: 'Write the contract', done: true },
        { id: 2, title: 'Generate the types', done: true },
        { id: 3, title: 'Fill in the handlers', done: false },
      ],
    ],
    [
      'notes',
      [
        { id: 1, title: 'Welcome', body: 'The contract is at /openapi.yaml.' },
        { id: 2, title: 'Ideas', body: '' },
        { id: 3, title: 'Café', body: 'Text comes back as it was sent: naïve, 你好, 👋🏽.' },
      ],
    ],
    [
      'items',
      [
        { id: 1, name: 'Notebook', quantity: 12 },
        { id: 2, name: 'Pencil', quantity: 144 },
        { id: 3, name: 'Eraser', quantity: 0 },
      ],
    ],
  ])('has a few %s', async (name, records) => {
    expect((await api({ path: `/${name}` })).json).toEqual(records);
  });

  it('has people who write, and things to do', async () => {
    const { json } = await graphql(
      '{ users { name email posts { title body comments { body } } } todos { title done } }',
    );
    const comments = [{ body: 'Like a loom weaves flowers!' }];
    const engine = {
      title: 'On the Analytical Engine',
      body: 'It weaves algebraical patterns.',
      comments,
    };
    const machines = { title: 'On machines', body: 'Can they think?', comments: [] };
    expect(json.data).toEqual({
      users: [
        { name: 'Ada', email: 'ada@example.com', posts: [engine] },
        { name: 'Alan', email: 'alan@example.com', posts: [machines] },
      ],
      todos: [{ title: 'Read both contracts', done: false }],
    });
  });

  it('fails where any of its records cannot be created', async () => {
    const contract = await readContract(new URL('../../openapi.yaml', import.meta.url));
    /** A store that fails at one of its writes; nothing is missing in it. */
    const seeded = async (failing: number) => {
      let writes = 0;
      const create = async () => {
        if (++writes === failing) throw new Error('the disk is full');
        return { id: writes };
      };
      const table = { create, page: async () => [{}] };
      const store = Object.fromEntries(Object.keys(tables).map((name) => [name, table]));
      // As much of a store as the demo uses.
      await seedDemo(store as unknown as Store, contract);
      return writes;
    };
    const writes = await seeded(0);
    expect(writes).toBe(18);
    for (let i = 1; i <= writes; i++) await expect(seeded(i)).rejects.toThrow('the disk is full');
  });
});
