import type { Resolvers, ResolversParentTypes } from '../../generated/graphql.d.ts';
import { ApiError } from '../kit/errors.ts';
import { childrenOf, cursorIn, listOf } from '../kit/graphql/list-fields.ts';
import { guarded, recordOf } from '../kit/graphql/record-fields.ts';
import { byId } from '../kit/graphql/record-id.ts';
import type { ResolverMap } from '../kit/graphql/resolver-map.ts';
import type { Store } from './tables.ts';

export const resolvers: ResolverMap<Resolvers, ResolversParentTypes> = {
  Query: {
    user: recordOf((store: Store) => store.users),
    users: listOf('Query.users', (store: Store) => store.users),
    book: recordOf((store: Store) => store.books),
    books: listOf('Query.books', (store: Store) => store.books),
    todos: listOf('Query.todos', (store: Store) => store.todos),
  },

  Mutation: {
    createUser: async (_, user, { store, authorize }) => {
      await authorize('write');
      return store.users.create(user);
    },

    createPost: async (_, { userId, title, body }, { store, authorize }) => {
      await authorize('write');
      const create = (id: number) => store.posts.create({ userId: id, title, body });
      return found(await byId(userId, create), 'user');
    },

    addComment: async (_, { postId, body }, { store, authorize }) => {
      await authorize('write');
      const create = (id: number) => store.comments.create({ postId: id, body });
      return found(await byId(postId, create), 'post');
    },

    addTodo: async (_, { title }, { store, authorize }) => {
      await authorize('write');
      return store.todos.create({ title, done: false });
    },

    setTodoDone: async (_, { id, done }, { store, authorize }) => {
      await authorize('write');
      return byId(id, (known) => store.todos.update(known, { done }));
    },
  },

  User: {
    email: guarded('email', 'read an e-mail address'),
    posts: childrenOf('User.posts', (store: Store) => store.posts.by('userId')),
    cursor: cursorIn((store: Store) => store.users),
  },

  Post: {
    comments: childrenOf('Post.comments', (store: Store) => store.comments.by('postId')),
    cursor: cursorIn((store: Store) => store.posts),
  },

  Comment: { cursor: cursorIn((store: Store) => store.comments) },
  Book: { cursor: cursorIn((store: Store) => store.books) },
  Todo: { cursor: cursorIn((store: Store) => store.todos) },
};

function found<T>(record: T | undefined, parent: string): T {
  if (record === undefined)
    throw new ApiError('not-found', { detail: `No ${parent} has this id.` });
  return record;
}
