import { createCollection } from '../kit/store/collection.ts';
import type { Database } from '../kit/store/database.ts';
import { createOnce } from '../kit/store/idempotency.ts';
import type { Graph, Records, Store } from '../kit/store/store.ts';
import { tables } from './tables.ts';
import { createGraph } from './users-and-posts.ts';

/** Everything that a store holds, on either engine. */
export function createRecords(
  db: Database,
  keyLifetime: number,
): Pick<Store, keyof Records | keyof Graph> {
  const once = createOnce(db, keyLifetime);
  return {
    books: createCollection(db, once, 'books', tables.books),
    tasks: createCollection(db, once, 'tasks', tables.tasks),
    notes: createCollection(db, once, 'notes', tables.notes),
    items: createCollection(db, once, 'items', tables.items),
    ...createGraph(db),
  };
}
