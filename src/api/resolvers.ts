import type { Resolvers, ResolversParentTypes } from '../../generated/graphql.d.ts';
import { ApiError } from '../kit/errors.ts';
import { byId } from '../kit/graphql/record-id.ts';
import type { ResolverMap } from '../kit/graphql/resolver-map.ts';

export const resolvers: ResolverMap<Resolvers, ResolversParentTypes> = {
  Query: {
    user: (_, { id }, { store }) => byId(id, store.users.find),
    users: (_, __, { store, lists }) => lists.all('Query.users', store.users),
    book: (_, { id }, { store }) => byId(id, store.books.find),
    books: (_, __, { store, lists }) => lists.all('Query.books', store.books),
    todos: (_, __, { store, lists }) => lists.all('Query.todos', store.todos),
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
    email: async ({ email }, _, { authorize }) => {
      await authorize('read an e-mail address');
      return email;
    },
    posts: ({ id }, _, { store, lists }) =>
      lists.children('User.posts', store.posts.by('userId'), id),
  },

  Post: {
    comments: ({ id }, _, { store, lists }) =>
      lists.children('Post.comments', store.comments.by('postId'), id),
  },
};

function found<T>(record: T | undefined, parent: string): T {
  if (record === undefined)
    throw new ApiError('not-found', { detail: `No ${parent} has this id.` });
  return record;
}
