import { fromJson, whole } from '../store/json.ts';
import { whenThere } from '../store/soon.ts';
import { byId } from './id.ts';
import type { ResolverMap } from './resolver-map.ts';

/** Every read. */
export const queries: ResolverMap['Query'] = {
  user: (_, { id }, { store }) => byId(id, store.users.get),
  users: (_, __, { store }) => store.users.list(),
  book: (_, { id }, { store }) =>
    whenThere(byId(id, store.books.get), (book) => book && fromJson(book.json)),
  books: async (_, __, { store }) => {
    const { body } = await store.books.list({});
    return fromJson(await whole(body));
  },
  todos: (_, __, { store }) => store.todos.list(),
};
