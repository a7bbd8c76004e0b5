import { createCollection } from './collection.ts';
import type { Database } from './database.ts';
import { createGraph } from './graph.ts';
import type { Graph, Records, Store } from './store.ts';
import { tables } from './tables.ts';

/** Everything that a store holds, on either engine. */
export function createRecords(db: Database): Pick<Store, keyof Records | keyof Graph> {
  return {
    books: createCollection(db, 'books', tables.books),
    tasks: createCollection(db, 'tasks', tables.tasks),
    notes: createCollection(db, 'notes', tables.notes),
    items: createCollection(db, 'items', tables.items),
    ...createGraph(db),
  };
}
