import type { Contract } from '../kit/contract/contract.ts';
import { collectionHandlers } from '../kit/rest/collection-handlers.ts';
import { contractHandlers, privateContractHandlers } from '../kit/rest/contract-files.ts';
import type { Handlers } from '../kit/rest/handler.ts';
import { readinessHandlers } from '../kit/rest/readiness.ts';
import type { Store } from '../kit/store/store.ts';
import { getGreeting } from './greeting.ts';

/** What the handlers work with. */
export type Parts = {
  readonly contract: Contract;
  readonly sdl: string;
  /** Whether clients may read the contracts. */
  readonly arePublic: boolean;
  readonly store: Store;
  readonly isDraining: () => boolean;
  /** What the server counts, as text for Prometheus. */
  readonly metrics: () => Promise<string>;
};

/** The API's table of contents: which handler carries out which operation. */
export function createHandlers(parts: Parts): Handlers {
  const { contract, sdl, arePublic, store, isDraining, metrics } = parts;
  const books = collectionHandlers('/books', store.books);
  const tasks = collectionHandlers('/tasks', store.tasks);
  const notes = collectionHandlers('/notes', store.notes);
  const items = collectionHandlers('/items', store.items);
  const file = arePublic ? contractHandlers(contract, sdl) : privateContractHandlers();
  const { getHealth, getReadiness } = readinessHandlers(store, isDraining);

  return {
    listBooks: books.list,
    createBook: books.create,
    getBook: books.get,
    replaceBook: books.replace,
    deleteBook: books.remove,

    listTasks: tasks.list,
    createTask: tasks.create,
    getTask: tasks.get,
    replaceTask: tasks.replace,
    deleteTask: tasks.remove,

    listNotes: notes.list,
    createNote: notes.create,
    getNote: notes.get,
    replaceNote: notes.replace,
    deleteNote: notes.remove,

    listItems: items.list,
    createItem: items.create,
    getItem: items.get,
    replaceItem: items.replace,
    deleteItem: items.remove,

    getGreeting,

    getContractYaml: file.yaml,
    getContractJson: file.json,
    getGraphqlSchema: file.graphql,

    getHealth,
    getReadiness,
    getMetrics: async () => ({ status: 200, headers: {}, body: await metrics() }),
  };
}
