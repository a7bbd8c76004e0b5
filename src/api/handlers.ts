import type { components, operations } from '../../generated/openapi.d.ts';
import { collectionHandlers } from '../kit/rest/collection-handlers.ts';
import { contractHandlers } from '../kit/rest/contract-files.ts';
import type { HandlerParts, Handlers } from '../kit/rest/handler.ts';
import { readinessHandlers } from '../kit/rest/readiness.ts';
import type { Action } from './access.ts';
import { getGreeting } from './greeting.ts';
import type { Store } from './tables.ts';

type RestOperations = Omit<operations, 'executeGraphql'>;

/** The API's table of contents: which handler carries out which operation. */
export function createHandlers(parts: HandlerParts<Store>): Handlers<RestOperations, Action> {
  const { store, isDraining, metrics } = parts;
  const books = collectionHandlers('/books', store.books);
  const tasks = collectionHandlers('/tasks', store.tasks);
  const notes = collectionHandlers('/notes', store.notes);
  const items = collectionHandlers('/items', store.items);
  const file = contractHandlers<components['schemas']['Contract']>(parts);
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
