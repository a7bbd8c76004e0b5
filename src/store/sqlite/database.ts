import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Steps, Value } from '../database.ts';
import type { StoreOptions } from '../store.ts';
import { sqliteDialect } from './dialect.ts';
import { apiError, isBusy } from './failure.ts';
import { createGroupCommit } from './group-commit.ts';

/** For how long, in milliseconds, a read waits for the process that holds the database. */
const PATIENCE = 1000;

export type Connected = { readonly db: Database; close(): void };

/** Statements on one file; what the database refuses is thrown as the API knows it, where it does. */
export function connect(
  database: DatabaseSync,
  { onStatement, onTimed }: Pick<StoreOptions, 'onStatement' | 'onTimed'>,
): Connected {
  const { commit, flush } = createGroupCommit(database);
  const prepared = new Map<string, StatementSync>();

  function prepare(sql: string): StatementSync {
    const known = prepared.get(sql);
    if (known) return known;
    // SQLite numbers a parameter by its text only when it is written with a question mark.
    const statement = database.prepare(sql.replace(/\$(\d)/g, '?$1'));
    prepared.set(sql, statement);
    return statement;
  }

  function run(statement: StatementSync, given: readonly Value[]): unknown[] {
    onStatement();
    // SQLite has no booleans.
    const values = given.map((value) => (typeof value === 'boolean' ? Number(value) : value));
    // `all` steps to the end, so that a failure throws; `get` would stop at the first row and go on
    // while it resets the statement, where node:sqlite ignores a failure.
    return statement.all(...values);
  }

  /** Steps that fail are undone, and leave the other writes of the transaction as they are. */
  function runSteps<T>(steps: Steps<T>): T {
    prepare('SAVEPOINT steps').run();
    try {
      let next = steps.next();
      while (!next.done) {
        const { statement, values } = next.value;
        next = steps.next(run(prepare(statement), values));
      }
      prepare('RELEASE steps').run();
      return next.value;
    } catch (error) {
      // After some failures SQLite has undone the whole transaction by itself.
      if (database.isTransaction) {
        prepare('ROLLBACK TO steps').run();
        prepare('RELEASE steps').run();
      }
      throw error;
    }
  }

  const db: Database = {
    read<Row>(sql: string) {
      const statement = prepare(sql);
      return async (...values: Value[]) => {
        const start = performance.now();
        for (;;) {
          try {
            // The columns named in the statement make the row.
            const rows = run(statement, values) as Row[];
            onTimed('read', start, performance.now() - start);
            return rows;
          } catch (error) {
            // SQLite would wait by standing still, and everybody here with it.
            if (!isBusy(error) || performance.now() - start > PATIENCE) throw apiError(error);
            await sleep(1 + Math.random() * 10);
          }
        }
      };
    },
    write<Row>(sql: string) {
      const statement = prepare(sql);
      return (...values: Value[]) => commit(() => run(statement, values) as Row[]).catch(rethrow);
    },
    writeAll: (steps) => commit(() => runSteps(steps())).catch(rethrow),
    dialect: sqliteDialect,
  };

  return {
    db,
    close() {
      flush();
      database.close();
    },
  };
}

function rethrow(error: unknown): never {
  throw apiError(error);
}
