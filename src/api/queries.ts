import { pagesOf, pagesOfCollection } from '../kit/graphql/pages.ts';
import { byId } from '../kit/graphql/record-id.ts';
import { fromJson } from '../kit/json-text.ts';
import { whenThere } from '../kit/maybe-promise.ts';
import type { Book, Todo, User } from '../kit/store/store.ts';
import type { ResolverMap } from './resolver-map.ts';

/** Every read. */
export const queries: ResolverMap['Query'] = {
  user: (_, { id }, { store }) => byId(id, store.users.get),
  users: (_, __, { store, budget }) =>
    budget().readAll<User>({
      name: 'Query.users',
      read: pagesOf(store.users.list),
      lengthOf: ({ name, email }) => name.length + email.length,
    }),
  book: (_, { id }, { store }) =>
    whenThere(byId(id, store.books.get), (book) => book && fromJson(book.json)),
  books: (_, __, { store, budget }) =>
    budget().readAll<Book>({
      name: 'Query.books',
      read: pagesOfCollection(store.books),
      lengthOf: ({ title }) => title.length,
    }),
  todos: (_, __, { store, budget }) =>
    budget().readAll<Todo>({
      name: 'Query.todos',
      read: pagesOf(store.todos.list),
      lengthOf: ({ title }) => title.length,
    }),
};
