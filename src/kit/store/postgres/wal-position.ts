import type { ClientBase } from 'pg';
import { present } from '../../errors.ts';
import type { Position } from '../replica-reading.ts';

/** The end of what the writer has written, in SQL. */
export const currentPositionSql = 'SELECT pg_current_wal_insert_lsn()';

/** How far the writer is; a commit that was acknowledged before is within it. */
export async function currentPosition(client: ClientBase, timeout?: number): Promise<Position> {
  const query = { text: currentPositionSql, ...(timeout && { query_timeout: timeout }) };
  return positionIn(await client.query<[string]>({ ...query, rowMode: 'array' }));
}

/** How far a replica is; undefined of a server that is none. */
export async function replayedPosition(
  client: ClientBase,
  timeout: number,
): Promise<Position | undefined> {
  const text = 'SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END';
  const query = { text, rowMode: 'array' as const, query_timeout: timeout };
  const { rows } = await client.query<[string | null]>(query);
  const lsn = rows[0]?.[0];
  return lsn ? positionOf(lsn) : undefined;
}

/** The position in the one row of `currentPositionSql`. */
export function positionIn({ rows }: { readonly rows: readonly unknown[] }): Position {
  // A row is a list, or an object where the text was sent with others.
  const [lsn] = Object.values(Object(rows[0]));
  return positionOf(String(present(lsn)));
}

/** PostgreSQL writes `16/B374D848`. */
function positionOf(lsn: string): Position {
  return lsn
    .split('/')
    .map((half) => half.padStart(8, '0'))
    .join('');
}
