import type { DatabaseSync } from 'node:sqlite';
import { isBusy, PATIENCE } from './failure.ts';

/** Runs a write, and resolves to what it gave when that is on disk. */
export type Commit = <T>(write: () => T) => Promise<T>;

export type GroupCommit = {
  readonly commit: Commit;
  /** Commits at once what waits for its turn. */
  flush(): void;
};

type Fault = { readonly cause: unknown };

/** A write that waits for its commit. */
type Pending = {
  /** Says what it threw, if it did. */
  readonly run: () => Fault | undefined;
  readonly since: number;
  /** The write is on disk, or has failed by itself: whoever waits for it hears so. */
  settle(): void;
  fail(cause: unknown): void;
};

/**
 * Lets the writes of one turn of the event loop share one transaction, so that one flush of the disk
 * serves them all. One that fails alone fails alone; where all fail together, each gets a try of its own.
 */
export function createGroupCommit(database: DatabaseSync): GroupCommit {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const end = database.prepare('COMMIT');
  const undo = database.prepare('ROLLBACK');
  let waiting: Pending[] = [];

  function commit<T>(write: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      let settle = () => {};
      const run = () => {
        try {
          const value = write();
          settle = () => resolve(value);
          return undefined;
        } catch (cause) {
          settle = () => reject(cause);
          return { cause };
        }
      };
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ run, since: performance.now(), settle: () => settle(), fail: reject });
    });
  }

  function flush(): void {
    if (waiting.length === 0) return;
    try {
      begin.run();
    } catch (error) {
      if (isBusy(error)) waitOn(error);
      else failAll(error);
      return;
    }
    const group = waiting;
    waiting = [];
    const fault = finish(group);
    if (!fault) for (const each of group) each.settle();
    else if (group.length === 1) group[0]?.fail(fault.cause);
    else for (const each of group) alone(each);
  }

  /** Runs writes within the transaction that has begun, and ends it; says why none of them holds. */
  function finish(group: readonly Pending[]): Fault | undefined {
    for (const each of group) {
      const fault = each.run();
      // SQLite undoes a transaction by itself when the disk is full or fails.
      if (fault && !database.isTransaction) return fault;
    }
    try {
      end.run();
      return undefined;
    } catch (cause) {
      if (database.isTransaction) undo.run();
      return { cause };
    }
  }

  function alone(write: Pending): void {
    try {
      begin.run();
    } catch (error) {
      write.fail(error);
      return;
    }
    const fault = finish([write]);
    if (fault) write.fail(fault.cause);
    else write.settle();
  }

  /** SQLite would wait for another process by standing still, and everybody here with it. */
  function waitOn(error: unknown): void {
    const latest = performance.now() - PATIENCE;
    for (const each of waiting) if (each.since < latest) each.fail(error);
    waiting = waiting.filter(({ since }) => since >= latest);
    if (waiting.length > 0) setTimeout(flush, 1 + Math.random() * 10);
  }

  function failAll(error: unknown): void {
    for (const each of waiting) each.fail(error);
    waiting = [];
  }

  return { commit, flush };
}
