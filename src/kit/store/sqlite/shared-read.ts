import type { DatabaseSync } from 'node:sqlite';

export type SharedRead = {
  /** To be called before each read. */
  enter(): void;
  /** Ends what is shared, so that something can be written. */
  leave(): void;
};

// To begin and to end it takes two statements of its own, which a few reads would not be worth.
const MANY = 4;

/**
 * Lets the reads of one turn of the event loop share one look at the file, for which SQLite would take a
 * lock and release it again at each. They see the database as it is at the first of them. That is done
 * where the turn before had many.
 */
export function createSharedRead(database: DatabaseSync): SharedRead {
  const begin = database.prepare('BEGIN');
  const end = database.prepare('COMMIT');
  let reads = 0;
  let hasMany = false;
  let isShared = false;

  function leave(): void {
    if (!isShared) return;
    isShared = false;
    // After some failures of a read SQLite has ended it by itself.
    if (database.isTransaction) end.run();
  }

  function endTurn(): void {
    leave();
    hasMany = reads >= MANY;
    reads = 0;
  }

  return {
    enter() {
      if (reads++ > 0) return;
      setImmediate(endTurn);
      if (!hasMany) return;
      begin.run();
      isShared = true;
    },
    leave,
  };
}
