import { performance } from 'node:perf_hooks';
import type { DatabaseSync } from 'node:sqlite';
import { whenGathered } from '../gathering.ts';
import { apiError, isBusy, PATIENCE } from './sqlite-failure.ts';

/** Runs a write; resolves to its result once it is on disk. */
export type Commit = <T>(write: () => T) => Promise<T>;

export type GroupCommit = {
  readonly commit: Commit;
  /** Commits what is pending. */
  flush(): void;
};

type Fault = { readonly cause: unknown };

/** A write that waits for its commit, and its outcome. */
type Pending = {
  readonly write: () => unknown;
  readonly since: number;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
  value: unknown;
  fault: Fault | undefined;
};

/**
 * Group commit: writes that arrive in a row of turns of the event loop share a transaction and its fsync. A write that
 * fails by itself leaves the others; when the transaction fails, each write is retried in one of its own.
 */
export function createGroupCommit(database: DatabaseSync, beforeWrites: () => void): GroupCommit {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const end = database.prepare('COMMIT');
  const undo = database.prepare('ROLLBACK');
  let waiting: Pending[] = [];
  const size = () => waiting.length;

  function commit<T>(write: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const since = performance.now();
      waiting.push({ write, since, resolve, reject, value: undefined, fault: undefined });
      if (waiting.length === 1) whenGathered(size, flush);
    });
  }

  function flush(): void {
    if (waiting.length === 0) return;
    try {
      beforeWrites();
      begin.run();
    } catch (error) {
      if (isBusy(error)) waitOn(error);
      else failAll(error);
      return;
    }
    const group = waiting;
    waiting = [];
    const fault = finish(group);
    for (const each of group) {
      if (!fault) settle(each);
      else if (group.length === 1) fail(each, fault.cause);
      else alone(each);
    }
  }

  /** Runs writes in the open transaction and commits; the fault when the transaction failed. */
  function finish(group: readonly Pending[]): Fault | undefined {
    for (const each of group) {
      run(each);
      // SQLite rolls back by itself when the disk is full or fails.
      if (each.fault && !database.isTransaction) return each.fault;
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
      fail(write, error);
      return;
    }
    const fault = finish([write]);
    if (fault) fail(write, fault.cause);
    else settle(write);
  }

  function settle(write: Pending): void {
    if (write.fault) fail(write, write.fault.cause);
    // `commit` promised the type that this write returns.
    else write.resolve(write.value as never);
  }

  function fail({ reject }: Pending, cause: unknown): void {
    reject(apiError(cause));
  }

  /** SQLite's own busy timeout would block the event loop. */
  function waitOn(error: unknown): void {
    const latest = performance.now() - PATIENCE;
    for (const each of waiting) if (each.since < latest) fail(each, error);
    waiting = waiting.filter(({ since }) => since >= latest);
    setTimeout(flush, 1 + Math.random() * 10);
  }

  function failAll(error: unknown): void {
    for (const each of waiting) fail(each, error);
    waiting = [];
  }

  return { commit, flush };
}

function run(write: Pending): void {
  write.fault = undefined;
  try {
    write.value = write.write();
  } catch (cause) {
    write.fault = { cause };
  }
}
