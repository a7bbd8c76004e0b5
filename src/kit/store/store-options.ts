import type { ReplicaOptions } from './replica-reading.ts';
import type { Tables } from './table-declarations.ts';

/** A store that can be used at once; until it is ready it may be unavailable. */
export type Opened<Store> = {
  readonly store: Store;
  /** Resolves when the tables are up to date; whether the database was created just now. */
  readonly ready: Promise<{ readonly isNew: boolean }>;
};

export type StoreOptions = {
  readonly tables: Tables;
  /** The folder with the migrations of each engine. */
  readonly migrations: URL;
  /** The most connections that it may hold. SQLite holds one. */
  readonly poolSize: number;
  /** Whether it may bring the tables up to date. */
  readonly mayMigrate: boolean;
  /** For how many milliseconds an idempotency key is valid. */
  readonly keyLifetime: number;
  /** After how many milliseconds a list that no index serves is given up. */
  readonly listTimeout: number;
  /** Servers of PostgreSQL that answer reads in the writer's stead. */
  readonly replicas?: ReplicaOptions | undefined;
  /** Called for every statement. */
  readonly onStatement: () => void;
  readonly onTimed: OnTimed;
  /** Called every 30 s while the database cannot be reached. */
  readonly onWaiting: (cause: unknown) => void;
};

/** Called with the start and the milliseconds of a statement, whether it succeeded or not. */
export type OnTimed = (kind: 'read' | 'write', start: number, ms: number) => void;
