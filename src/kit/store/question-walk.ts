import { fairTurn } from '../fair-turn.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { checkTime } from '../semaphore.ts';
import { isLong, type Value } from './columns.ts';
import type { Database } from './database.ts';
import type { Asked, Position, Test } from './question.ts';
import type { Row, Run } from './question-shapes.ts';
import { conditionSql, questionSql } from './question-sql.ts';
import type { Table } from './table.ts';

/** A record that meets all conditions: its place, and how many bytes its long columns have. */
export type Hit = Position & { readonly bytes: number };

// Fewer records than this are found by the index of a condition and then sorted.
const FEW = 2000;
// A statement looks at 1,000 records in 2 to 3 ms where they are all over the file.
const FIRST_WINDOW = 100;
const MOST_WINDOW = 2000;

/**
 * SQLite runs a statement to its end while everybody waits, and conditions that few records meet could make it
 * look at all of them. There an index of few records is used, or the list is walked in windows.
 */
export function createWalk({ dialect, scans }: Database, table: Table, run: Run, bytes = '0') {
  /** The first condition that only few records meet. */
  function rareOf([test, ...others]: readonly Test[]): MaybePromise<Test | undefined> {
    if (!test) return undefined;
    if (test.operator === 'contains' || isLong(test.column)) return rareOf(others);
    const values: Value[] = [];
    const bound = (value: Value, type: string) => `CAST($${values.push(value)} AS ${type})`;
    const condition = conditionSql(dialect, test, true, bound);
    const sql = `SELECT count(*), 0 FROM (SELECT 1 FROM ${table.sql} WHERE ${condition} LIMIT ${FEW})`;
    return andThen(run({ sql, values }), ([row]) =>
      (row?.[0] ?? 0) < FEW ? test : rareOf(others),
    );
  }

  /** Looks at records in their order, window by window, until enough of them meet the other conditions. */
  async function walk(
    asked: Asked,
    others: readonly Test[],
    start: Position | undefined,
    enough: number,
    until: number,
  ): Promise<Hit[]> {
    const windows = windowsOf(asked, others, start);
    const hits: Hit[] = [];
    let leave: (() => void) | undefined;
    try {
      for (let window = FIRST_WINDOW; ; window = Math.min(2 * window, MOST_WINDOW)) {
        // The first windows are small, so that lists which end there need not wait for others.
        if (window === MOST_WINDOW) leave ??= await scans.enter(until);
        checkTime(until);
        const { found, isLast } = await windows(window);
        hits.push(...found);
        if (hits.length >= enough || isLast) return hits.slice(0, enough);
        await fairTurn();
      }
    } finally {
      leave?.();
    }
  }

  /** Reads one window after another. */
  function windowsOf(asked: Asked, others: readonly Test[], start: Position | undefined) {
    const conditions = asked.conditions.filter((test) => !others.includes(test));
    let after = start;
    return async (window: number): Promise<{ found: Hit[]; isLast: boolean }> => {
      const statement = questionSql({
        ...{ dialect, table, after, limit: window },
        asked: { ...asked, conditions },
        payload: (bound) => {
          const tests = others.map((test) => conditionSql(dialect, test, false, bound));
          return `CASE WHEN ${tests.join(' AND ')} THEN ${bytes} ELSE -1 END`;
        },
      });
      const rows = await run(statement);
      const found: Hit[] = [];
      for (const [id, size, ...values] of rows) {
        if (Number(size) >= 0) found.push({ id, values, bytes: Number(size) });
      }
      const last = rows.at(-1);
      after = last && placeOf(last);
      return { found, isLast: rows.length < window };
    };
  }

  return { rareOf, walk };
}

export function placeOf([id, , ...values]: Row): Position {
  return { id, values };
}
