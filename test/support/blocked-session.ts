import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

/** Resolves when another session on this database waits for a lock. */
export async function blocked(other: Client): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  for (;;) {
    // A transaction sees the sessions as they were when it first looked.
    await other.query('SELECT pg_stat_clear_snapshot()');
    if ((await other.query(waiting)).rows.length > 0) return;
    await sleep(10);
  }
}
