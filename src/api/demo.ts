import type { Contract } from '../kit/contract/contract.ts';
import { createExamples } from '../kit/rest/example-records.ts';
import { type Store, tables } from './tables.ts';

/** Sample records for a new database; of other collections, those that the contract shows. */
export async function seedDemo(store: Store, contract: Contract): Promise<void> {
  await store.books.create({ title: 'The Left Hand of Darkness', pages: 304 });
  await store.books.create({ title: 'Invisible Cities', pages: 165 });
  await store.books.create({ title: 'A Wizard of Earthsea', pages: 205 });
  await store.tasks.create({ title: 'Write the contract', done: true });
  await store.tasks.create({ title: 'Generate the types', done: true });
  await store.tasks.create({ title: 'Fill in the handlers', done: false });
  await store.notes.create({ title: 'Welcome', body: 'The contract is at /openapi.yaml.' });
  await store.notes.create({ title: 'Ideas', body: '' });
  await store.notes.create({
    title: 'Café',
    body: 'Text comes back as it was sent: naïve, 你好, 👋🏽.',
  });
  await store.items.create({ name: 'Notebook', quantity: 12 });
  await store.items.create({ name: 'Pencil', quantity: 144 });
  await store.items.create({ name: 'Eraser', quantity: 0 });
  const ada = await store.users.create({ name: 'Ada', email: 'ada@example.com' });
  const alan = await store.users.create({ name: 'Alan', email: 'alan@example.com' });
  const engine = await store.posts.create({
    userId: ada.id,
    title: 'On the Analytical Engine',
    body: 'It weaves algebraical patterns.',
  });
  await store.posts.create({ userId: alan.id, title: 'On machines', body: 'Can they think?' });
  await store.comments.create({ postId: engine.id, body: 'Like a loom weaves flowers!' });
  await store.todos.create({ title: 'Read both contracts', done: false });
  await createExamples(contract, tables, store);
}
