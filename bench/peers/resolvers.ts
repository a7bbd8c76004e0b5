import DataLoader from 'dataloader';
import { openGraph, type User } from './graph.ts';

const { query, mutation, postsOf } = await openGraph();

export type Context = { readonly posts: ReturnType<typeof createContext>['posts'] };

/** A loader for each request: the posts of all its users are read in one statement. */
export function createContext() {
  return { posts: new DataLoader(postsOf) };
}

export const resolvers = {
  Query: query,
  Mutation: mutation,
  User: { posts: (user: User, _: unknown, { posts }: Context) => posts.load(user.id) },
};
