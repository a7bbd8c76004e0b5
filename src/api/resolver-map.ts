import type {
  BookResolvers,
  CommentResolvers,
  MutationResolvers,
  PostResolvers,
  QueryResolvers,
  TodoResolvers,
  UserResolvers,
} from '../../generated/graphql.d.ts';
import type { Book, Comment, Post, Todo, User } from '../kit/store/store.ts';

/**
 * Which resolvers must exist: one for each field of Query and Mutation, and one for each field of a
 * type that its record lacks. The generated types alone would let any of them be forgotten.
 */
export type ResolverMap = {
  readonly Query: Required<QueryResolvers>;
  readonly Mutation: Required<MutationResolvers>;
  readonly User: Needed<UserResolvers, User>;
  readonly Post: Needed<PostResolvers, Post>;
  readonly Comment: Needed<CommentResolvers, Comment>;
  readonly Book: Needed<BookResolvers, Book>;
  readonly Todo: Needed<TodoResolvers, Todo>;
};

type Needed<Resolvers, Record> = Required<Omit<Resolvers, keyof Record>> & Partial<Resolvers>;
