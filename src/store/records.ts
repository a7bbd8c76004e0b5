import { createCollection } from './collection.ts';
import type { Database } from './database.ts';
import { createGraph } from './graph.ts';
import { createOnce } from './once.ts';
import type { Graph, Records, Store } from './store.ts';
import { tables } from './tables.ts';

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
