import type { components } from '../../../generated/openapi.d.ts';
import type { Json, JsonStream } from '../json-text.ts';
import type { Soon } from '../maybe-promise.ts';

type Schemas = components['schemas'];

/** The record of each collection, as the contract writes it. */
export type Records = {
  books: Schemas['Book'];
  tasks: Schemas['Task'];
  notes: Schemas['Note'];
  items: Schemas['Item'];
};

/** The collections by name, and what both engines offer beside them. */
export type Store = {
  readonly [Name in keyof Records]: Collection<Records[Name]>;
} & Graph & {
    /** Resolves when the database answers. */
    ping(): Promise<void>;
    close(): Promise<void>;
  };

export type Book = Records['books'];
export type User = { readonly id: number; readonly name: string; readonly email: string };
export type Post = {
  readonly id: number;
  readonly userId: number;
  readonly title: string;
  readonly body: string;
};
export type Comment = { readonly id: number; readonly postId: number; readonly body: string };
export type Todo = { readonly id: number; readonly title: string; readonly done: boolean };

/** At most `limit` records of a list, from its start or after a record that was read before. */
export type Page<R> = { readonly limit: number; readonly after?: R | undefined };

/**
 * What only GraphQL serves. Lists are in order of id; children are read for many parents at once, in the
 * order of the parents' ids and then of their own.
 */
export type Graph = {
  readonly users: {
    list(page: Page<User>): Soon<User[]>;
    get(id: number): Soon<User | undefined>;
    /** An address that another user has is a conflict. */
    create(user: Omit<User, 'id'>): Promise<User>;
  };
  readonly posts: {
    ofUsers(ids: readonly number[], page: Page<Post>): Soon<Post[]>;
    /** Undefined when there is no such user. */
    create(post: Omit<Post, 'id'>): Promise<Post | undefined>;
  };
  readonly comments: {
    ofPosts(ids: readonly number[], page: Page<Comment>): Soon<Comment[]>;
    /** Undefined when there is no such post. */
    create(comment: Omit<Comment, 'id'>): Promise<Comment | undefined>;
  };
  readonly todos: {
    list(page: Page<Todo>): Soon<Todo[]>;
    create(todo: Pick<Todo, 'title'>): Promise<Todo>;
    setDone(id: number, done: boolean): Promise<Todo | undefined>;
  };
};

/** A store that can be asked at once; until it is ready it may be unavailable. */
export type Opened = {
  readonly store: Store;
  /** Resolves when the tables are up to date; whether the database was made just now. */
  readonly ready: Promise<{ readonly isNew: boolean }>;
};

export type StoreOptions = {
  /** How many connections it may hold, where it holds more than one. */
  readonly poolSize: number;
  /** Whether it may bring the tables up to date. */
  readonly mayMigrate: boolean;
  /** The folder with the migrations of each engine. */
  readonly migrations: URL;
  /** For how many milliseconds the answer to a write under a key is kept. */
  readonly keyLifetime: number;
  /** Told of every statement it runs. */
  readonly onStatement: () => void;
  readonly onTimed: OnTimed;
  /** Told, now and then, why it is still waiting for its database. */
  readonly onWaiting: (cause: unknown) => void;
};

/** Told when a statement was begun and how many milliseconds it took, whether it succeeded or not. */
export type OnTimed = (kind: 'read' | 'write', start: number, ms: number) => void;

/** One kind of record. What is not there is `undefined`; only a broken rule throws. */
export type Collection<R extends { id: number }> = {
  list(range: Range): Soon<Listing<R>>;
  get(id: number): Soon<Stored<R> | undefined>;
  /** Under a key that was used before with the same fields, the record as it was stored then. */
  create(fields: Omit<R, 'id'>, key?: Key): Promise<Stored<R>>;
  /** A record that is there but does not meet the condition is precondition-failed. */
  replace(id: number, fields: Omit<R, 'id'>, condition?: Condition): Promise<Stored<R> | undefined>;
  /** Whether there was such a record. */
  remove(id: number, condition?: Condition): Promise<boolean>;
};

/** A caller's own name for a write, under which it is made once. */
export type Key = { readonly caller: string; readonly key: string };

/** A record as it is stored; its version changes with every write. */
export type Stored<R> = { readonly id: number; readonly version: number; readonly json: Json<R> };

/** Which versions of a record a write may change: one among these, and none of those. */
export type Condition = {
  readonly among: readonly number[] | undefined;
  readonly notAmong: readonly number[] | 'any';
};

export type Range = { readonly after?: number | undefined; readonly limit?: number | undefined };

/**
 * Records in order of id. A long list comes in pieces read one after another, so that it takes little
 * memory and holds up no writer: it shows each record as it was when its piece was read.
 */
export type Listing<R> = {
  readonly body: Json<R[]> | JsonStream<R[]>;
  /** The id to continue after, when the limit left records out. */
  readonly next: number | undefined;
};
