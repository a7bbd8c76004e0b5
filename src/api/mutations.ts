import { ApiError } from '../kit/errors.ts';
import { byId } from '../kit/graphql/record-id.ts';
import type { ResolverMap } from './resolver-map.ts';

/** Every write. Each asks whether the caller may write. */
export const mutations: ResolverMap['Mutation'] = {
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

  addTodo: async (_, todo, { store, authorize }) => {
    await authorize('write');
    return store.todos.create(todo);
  },

  setTodoDone: async (_, { id, done }, { store, authorize }) => {
    await authorize('write');
    return byId(id, (known) => store.todos.setDone(known, done));
  },
};

function found<T>(record: T | undefined, parent: string): T {
  if (record === undefined)
    throw new ApiError('not-found', { detail: `No ${parent} has this id.` });
  return record;
}
