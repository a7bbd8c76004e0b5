import { performance } from 'node:perf_hooks';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { andThen } from '../../maybe-promise.ts';
import { createSemaphore } from '../../semaphore.ts';
import type { Value } from '../columns.ts';
import type { Database, Make, Steps } from '../database.ts';
import { withParameters } from '../sql-parameters.ts';
import type { StoreOptions } from '../store-options.ts';
import { createGroupCommit } from './group-commit.ts';
import { createSharedRead } from './shared-read.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { apiError, isBusy, PATIENCE } from './sqlite-failure.ts';

// Lists are asked for in many shapes. A statement that is forgotten is prepared again when it is used.
const MOST_PREPARED = 500;

// More of them would be read no sooner: SQLite runs one statement at a time.
const MOST_SCANS = 4;

type Options = Pick<StoreOptions, 'onStatement' | 'onTimed' | 'listTimeout'>;

// node:sqlite binds booleans as 0 and 1, which its types do not say.
type Bound = Exclude<Value, boolean>;

export type Connected = { readonly db: Database; close(): void };

/** Statements on one file; errors of the database that have an ApiError are thrown as such. */
export function connect(
  database: DatabaseSync,
  { onStatement, onTimed, listTimeout }: Options,
): Connected {
  const shared = createSharedRead(database);
  const { commit, flush } = createGroupCommit(database, shared.leave);
  const prepared = new Map<string, StatementSync>();

  function prepare(sql: string): StatementSync {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = database.prepare(withQuestionMarks(sql));
    // node:sqlite's row objects are slower to read than arrays.
    statement.setReturnArrays(true);
    prepared.set(sql, statement);
    const [oldest] = prepared.keys();
    if (prepared.size > MOST_PREPARED && oldest !== undefined) prepared.delete(oldest);
    return statement;
  }

  function run<Row>(statement: StatementSync, make: Make<Row, never>, values: Value[]): Row[] {
    onStatement();
    // `get` stops at the first row and finishes in sqlite3_reset, whose errors node:sqlite ignores; `all`
    // throws them. A row is an array, by setReturnArrays.
    const rows = statement.all(...(values as Bound[])) as unknown as never[];
    return rows.map(make);
  }

  /** Steps that fail are rolled back to a savepoint; the other writes of the transaction stay. */
  function runSteps<T>(steps: Steps<T>): T {
    database.exec('SAVEPOINT steps');
    try {
      let next = steps.next();
      while (!next.done) {
        const { statement, make, values } = next.value;
        next = steps.next(run(prepare(statement), make, [...values]));
      }
      database.exec('RELEASE steps');
      return next.value;
    } catch (error) {
      // Some errors make SQLite roll back the whole transaction.
      if (database.isTransaction) {
        database.exec('ROLLBACK TO steps');
        database.exec('RELEASE steps');
      }
      throw error;
    }
  }

  /** SQLite's own busy timeout would block the event loop. */
  async function readLater<T>(read: () => T, start: number): Promise<T> {
    for (;;) {
      await sleep(1 + Math.random() * 10);
      try {
        const rows = read();
        onTimed('read', start, performance.now() - start);
        return rows;
      } catch (error) {
        if (!isBusy(error) || performance.now() - start > PATIENCE) throw apiError(error);
      }
    }
  }

  const db: Database = {
    read(sql, make) {
      const statement = prepare(sql);
      return (...values: Value[]) => {
        const start = performance.now();
        try {
          shared.enter();
          const rows = run(statement, make, values);
          onTimed('read', start, performance.now() - start);
          return rows;
        } catch (error) {
          if (!isBusy(error)) throw apiError(error);
          return readLater(() => run(statement, make, values), start);
        }
      };
    },
    readOne(sql, _types, make) {
      const read = db.read(sql, make);
      return (...values: Value[]) => andThen(read(...values), ([row]) => row);
    },
    write(sql, make) {
      const statement = prepare(sql);
      return (...values: Value[]) => commit(() => run(statement, make, values));
    },
    insert(table, { sql: row }) {
      // With RETURNING SQLite would buffer the row in a temporary table.
      const statement = prepare(`INSERT INTO ${table} ${row}`);
      return (...values: Value[]) =>
        commit(() => {
          onStatement();
          const { changes, lastInsertRowid } = statement.run(...(values as Bound[]));
          return changes === 0 ? undefined : Number(lastInsertRowid);
        });
    },
    writeAll: (steps) => commit(() => runSteps(steps())),
    dialect: sqliteDialect,
    scans: { enter: createSemaphore(MOST_SCANS), longest: listTimeout },
  };

  return {
    db,
    close() {
      flush();
      shared.leave();
      database.close();
    },
  };
}

/** SQLite numbers a parameter by its text only when it is written with a question mark. */
export function withQuestionMarks(sql: string): string {
  return withParameters(sql, (number) => `?${number}`);
}
