import type { GraphQLResolveInfo } from 'graphql';
import type { Book as BookRecord, User as UserRecord, Post as PostRecord, Comment as CommentRecord, Todo as TodoRecord } from '../src/api/tables.ts';
import type { Context } from '../src/api/access.ts';
export type Maybe<T> = T | null | undefined;
export type InputMaybe<T> = T | null | undefined;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string | number; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
};

/** A book. Books are one resource: those under `/books` are the same. */
export type Book = {
  __typename?: 'Book';
  /** Where a list continues after this one: what `after` takes. */
  cursor: Scalars['String']['output'];
  /** The book's id, which is never given to another book. */
  id: Scalars['ID']['output'];
  /** How many pages the book has. */
  pages: Scalars['Int']['output'];
  /** The title of the book. */
  title: Scalars['String']['output'];
};


/** A book. Books are one resource: those under `/books` are the same. */
export type BookCursorArgs = {
  sort?: InputMaybe<Array<BookSort>>;
};

/** Conditions, all of which hold for the books of a list. */
export type BookFilter = {
  /** How many pages the book has. */
  pages?: InputMaybe<IntComparison>;
  /** The title. */
  title?: InputMaybe<TextComparison>;
};

/** What books are sorted by; those that are equal are in order of id, in the direction of the last field. */
export type BookSort =
  /** By the id, from the lowest on. */
  | 'ID'
  /** By the id, from the highest on. */
  | 'ID_DESC'
  /** By `pages`, from the lowest on. */
  | 'PAGES'
  /** By `pages`, from the highest on. */
  | 'PAGES_DESC'
  /** By `title`, from the lowest on. */
  | 'TITLE'
  /** By `title`, from the highest on. */
  | 'TITLE_DESC';

/** Conditions on what is true or false. */
export type BooleanComparison = {
  /** It is this. */
  eq?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Something said about a post. */
export type Comment = {
  __typename?: 'Comment';
  /** The text of the comment. */
  body: Scalars['String']['output'];
  /** Where a list continues after this one: what `after` takes. */
  cursor: Scalars['String']['output'];
  /** The comment's id, which is never given to another comment. */
  id: Scalars['ID']['output'];
};


/** Something said about a post. */
export type CommentCursorArgs = {
  sort?: InputMaybe<Array<CommentSort>>;
};

/** Conditions, all of which hold for the comments of a list. */
export type CommentFilter = {
  /** The text. */
  body?: InputMaybe<LongTextComparison>;
};

/** What comments are sorted by; those that are equal are in order of id, in the direction of the last field. */
export type CommentSort =
  /** By the id, from the lowest on. */
  | 'ID'
  /** By the id, from the highest on. */
  | 'ID_DESC';

/** Conditions on a number; null is refused. */
export type IntComparison = {
  /** It is this number. */
  eq?: InputMaybe<Scalars['Int']['input']>;
  /** It is higher than this number. */
  gt?: InputMaybe<Scalars['Int']['input']>;
  /** It is this number or higher. */
  gte?: InputMaybe<Scalars['Int']['input']>;
  /** It is lower than this number. */
  lt?: InputMaybe<Scalars['Int']['input']>;
  /** It is this number or lower. */
  lte?: InputMaybe<Scalars['Int']['input']>;
};

/** Conditions on a long text. */
export type LongTextComparison = {
  /** It contains this text, in this case. */
  contains?: InputMaybe<Scalars['String']['input']>;
};

/** Every write. Each returns the object it created or changed. */
export type Mutation = {
  __typename?: 'Mutation';
  /** Adds a comment to a post; fails with the code `NOT_FOUND` when there is no such post. */
  addComment: Comment;
  /** Adds a todo, which is not done yet. */
  addTodo: Todo;
  /** Creates a post written by a user; fails with the code `NOT_FOUND` when there is no such user. */
  createPost: Post;
  /** Creates a user; fails with the code `CONFLICT` when another user has the same address. */
  createUser: User;
  /** Marks a todo as done or as not done; null when there is no such todo. */
  setTodoDone: Maybe<Todo>;
};


/** Every write. Each returns the object it created or changed. */
export type MutationAddCommentArgs = {
  body: Scalars['String']['input'];
  postId: Scalars['ID']['input'];
};


/** Every write. Each returns the object it created or changed. */
export type MutationAddTodoArgs = {
  title: Scalars['String']['input'];
};


/** Every write. Each returns the object it created or changed. */
export type MutationCreatePostArgs = {
  body: Scalars['String']['input'];
  title: Scalars['String']['input'];
  userId: Scalars['ID']['input'];
};


/** Every write. Each returns the object it created or changed. */
export type MutationCreateUserArgs = {
  email: Scalars['String']['input'];
  name: Scalars['String']['input'];
};


/** Every write. Each returns the object it created or changed. */
export type MutationSetTodoDoneArgs = {
  done: Scalars['Boolean']['input'];
  id: Scalars['ID']['input'];
};

/** Something a user has written. */
export type Post = {
  __typename?: 'Post';
  /** The text of the post, which may be empty. */
  body: Scalars['String']['output'];
  /** What has been said about the post, oldest first or as `sort` says. */
  comments: Array<Comment>;
  /** Where a list continues after this one: what `after` takes. */
  cursor: Scalars['String']['output'];
  /** The post's id, which is never given to another post. */
  id: Scalars['ID']['output'];
  /** The headline. */
  title: Scalars['String']['output'];
};


/** Something a user has written. */
export type PostCommentsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<Array<CommentSort>>;
  where?: InputMaybe<CommentFilter>;
};


/** Something a user has written. */
export type PostCursorArgs = {
  sort?: InputMaybe<Array<PostSort>>;
};

/** Conditions, all of which hold for the posts of a list. */
export type PostFilter = {
  /** The text. */
  body?: InputMaybe<LongTextComparison>;
  /** The title. */
  title?: InputMaybe<TextComparison>;
};

/** What posts are sorted by; those that are equal are in order of id, in the direction of the last field. */
export type PostSort =
  /** By the id, from the lowest on. */
  | 'ID'
  /** By the id, from the highest on. */
  | 'ID_DESC'
  /** By `title`, from the lowest on. */
  | 'TITLE'
  /** By `title`, from the highest on. */
  | 'TITLE_DESC';

/** Every read. */
export type Query = {
  __typename?: 'Query';
  /** The book with this id, or null when there is none. */
  book: Maybe<Book>;
  /** The books, in the order of their ids or as `sort` says; the same books as under `/books`. */
  books: Array<Book>;
  /** The todos, in the order of their ids or as `sort` says. */
  todos: Array<Todo>;
  /** The user with this id, or null when there is none. */
  user: Maybe<User>;
  /** The users, in the order of their ids or as `sort` says. */
  users: Array<User>;
};


/** Every read. */
export type QueryBookArgs = {
  id: Scalars['ID']['input'];
};


/** Every read. */
export type QueryBooksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<Array<BookSort>>;
  where?: InputMaybe<BookFilter>;
};


/** Every read. */
export type QueryTodosArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<Array<TodoSort>>;
  where?: InputMaybe<TodoFilter>;
};


/** Every read. */
export type QueryUserArgs = {
  id: Scalars['ID']['input'];
};


/** Every read. */
export type QueryUsersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<Array<UserSort>>;
  where?: InputMaybe<UserFilter>;
};

/** Conditions on a short text. */
export type TextComparison = {
  /** It contains this text, in this case. */
  contains?: InputMaybe<Scalars['String']['input']>;
  /** It is exactly this text. */
  eq?: InputMaybe<Scalars['String']['input']>;
};

/** The forms that @bounds can ask a text to have. */
export type TextFormat =
  /**
   * An e-mail address such as `name@example.com`: one `@`, a name before it and a domain with at
   * least one dot after it, without spaces or control characters.
   */
  | 'EMAIL';

/** Something to do. */
export type Todo = {
  __typename?: 'Todo';
  /** Where a list continues after this one: what `after` takes. */
  cursor: Scalars['String']['output'];
  /** Whether it is done. */
  done: Scalars['Boolean']['output'];
  /** The todo's id, which is never given to another todo. */
  id: Scalars['ID']['output'];
  /** What there is to do. */
  title: Scalars['String']['output'];
};


/** Something to do. */
export type TodoCursorArgs = {
  sort?: InputMaybe<Array<TodoSort>>;
};

/** Conditions, all of which hold for the todos of a list. */
export type TodoFilter = {
  /** Whether it is done. */
  done?: InputMaybe<BooleanComparison>;
  /** The title. */
  title?: InputMaybe<TextComparison>;
};

/** What todos are sorted by; those that are equal are in order of id, in the direction of the last field. */
export type TodoSort =
  /** By `done`, from the lowest on. */
  | 'DONE'
  /** By `done`, from the highest on. */
  | 'DONE_DESC'
  /** By the id, from the lowest on. */
  | 'ID'
  /** By the id, from the highest on. */
  | 'ID_DESC'
  /** By `title`, from the lowest on. */
  | 'TITLE'
  /** By `title`, from the highest on. */
  | 'TITLE_DESC';

/** Someone who writes posts. */
export type User = {
  __typename?: 'User';
  /** Where a list continues after this one: what `after` takes. */
  cursor: Scalars['String']['output'];
  /** Where the user can be reached. */
  email: Scalars['String']['output'];
  /** The user's id, which is never given to another user. */
  id: Scalars['ID']['output'];
  /** What the user is called. */
  name: Scalars['String']['output'];
  /** What the user has written, in the order of the posts' ids or as `sort` says. */
  posts: Array<Post>;
};


/** Someone who writes posts. */
export type UserCursorArgs = {
  sort?: InputMaybe<Array<UserSort>>;
};


/** Someone who writes posts. */
export type UserPostsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<Array<PostSort>>;
  where?: InputMaybe<PostFilter>;
};

/** Conditions, all of which hold for the users of a list. */
export type UserFilter = {
  /** What the user is called. */
  name?: InputMaybe<TextComparison>;
};

/** What users are sorted by; those that are equal are in order of id, in the direction of the last field. */
export type UserSort =
  /** By the id, from the lowest on. */
  | 'ID'
  /** By the id, from the highest on. */
  | 'ID_DESC'
  /** By `name`, from the lowest on. */
  | 'NAME'
  /** By `name`, from the highest on. */
  | 'NAME_DESC';



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;





/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Book: ResolverTypeWrapper<BookRecord>;
  BookFilter: BookFilter;
  BookSort: BookSort;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  BooleanComparison: BooleanComparison;
  Comment: ResolverTypeWrapper<CommentRecord>;
  CommentFilter: CommentFilter;
  CommentSort: CommentSort;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  IntComparison: IntComparison;
  LongTextComparison: LongTextComparison;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Post: ResolverTypeWrapper<PostRecord>;
  PostFilter: PostFilter;
  PostSort: PostSort;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  TextComparison: TextComparison;
  TextFormat: TextFormat;
  Todo: ResolverTypeWrapper<TodoRecord>;
  TodoFilter: TodoFilter;
  TodoSort: TodoSort;
  User: ResolverTypeWrapper<UserRecord>;
  UserFilter: UserFilter;
  UserSort: UserSort;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Book: BookRecord;
  BookFilter: BookFilter;
  Boolean: Scalars['Boolean']['output'];
  BooleanComparison: BooleanComparison;
  Comment: CommentRecord;
  CommentFilter: CommentFilter;
  ID: Scalars['ID']['output'];
  Int: Scalars['Int']['output'];
  IntComparison: IntComparison;
  LongTextComparison: LongTextComparison;
  Mutation: Record<PropertyKey, never>;
  Post: PostRecord;
  PostFilter: PostFilter;
  Query: Record<PropertyKey, never>;
  String: Scalars['String']['output'];
  TextComparison: TextComparison;
  Todo: TodoRecord;
  TodoFilter: TodoFilter;
  User: UserRecord;
  UserFilter: UserFilter;
};

export type BoundsDirectiveArgs = {
  format?: Maybe<TextFormat>;
  maxItems?: Maybe<Scalars['Int']['input']>;
  maxLength?: Maybe<Scalars['Int']['input']>;
  maximum?: Maybe<Scalars['Int']['input']>;
  minLength?: Scalars['Int']['input'];
  minimum?: Maybe<Scalars['Int']['input']>;
};

export type BoundsDirectiveResolver<Result, Parent, ContextType = Context, Args = BoundsDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type BookResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Book'] = ResolversParentTypes['Book']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType, Partial<BookCursorArgs>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  pages?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CommentResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Comment'] = ResolversParentTypes['Comment']> = {
  body?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType, Partial<CommentCursorArgs>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  addComment?: Resolver<ResolversTypes['Comment'], ParentType, ContextType, RequireFields<MutationAddCommentArgs, 'body' | 'postId'>>;
  addTodo?: Resolver<ResolversTypes['Todo'], ParentType, ContextType, RequireFields<MutationAddTodoArgs, 'title'>>;
  createPost?: Resolver<ResolversTypes['Post'], ParentType, ContextType, RequireFields<MutationCreatePostArgs, 'body' | 'title' | 'userId'>>;
  createUser?: Resolver<ResolversTypes['User'], ParentType, ContextType, RequireFields<MutationCreateUserArgs, 'email' | 'name'>>;
  setTodoDone?: Resolver<Maybe<ResolversTypes['Todo']>, ParentType, ContextType, RequireFields<MutationSetTodoDoneArgs, 'done' | 'id'>>;
};

export type PostResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Post'] = ResolversParentTypes['Post']> = {
  body?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  comments?: Resolver<Array<ResolversTypes['Comment']>, ParentType, ContextType, Partial<PostCommentsArgs>>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType, Partial<PostCursorArgs>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  book?: Resolver<Maybe<ResolversTypes['Book']>, ParentType, ContextType, RequireFields<QueryBookArgs, 'id'>>;
  books?: Resolver<Array<ResolversTypes['Book']>, ParentType, ContextType, Partial<QueryBooksArgs>>;
  todos?: Resolver<Array<ResolversTypes['Todo']>, ParentType, ContextType, Partial<QueryTodosArgs>>;
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType, RequireFields<QueryUserArgs, 'id'>>;
  users?: Resolver<Array<ResolversTypes['User']>, ParentType, ContextType, Partial<QueryUsersArgs>>;
};

export type TodoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Todo'] = ResolversParentTypes['Todo']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType, Partial<TodoCursorArgs>>;
  done?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type UserResolvers<ContextType = Context, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType, Partial<UserCursorArgs>>;
  email?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  posts?: Resolver<Array<ResolversTypes['Post']>, ParentType, ContextType, Partial<UserPostsArgs>>;
};

export type Resolvers<ContextType = Context> = {
  Book?: BookResolvers<ContextType>;
  Comment?: CommentResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Post?: PostResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Todo?: TodoResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = Context> = {
  bounds?: BoundsDirectiveResolver<any, any, ContextType>;
};
