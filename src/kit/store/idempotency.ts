import { createHash } from 'node:crypto';
import { ApiError, present } from '../errors.ts';
import { type Database, type Steps, step } from './database.ts';

/** The parts of an idempotency key, and the request that it came with. */
type Attempt = { readonly key: readonly string[]; readonly request: readonly unknown[] };

/**
 * Runs a write once per idempotency key: the first attempt runs it, each further one is given its stored
 * result, which JSON can hold. Another request under the same key is refused.
 */
export type Idempotent = <T>(attempt: Attempt, write: () => Steps<T>) => Promise<T>;

// Expired keys are ignored at once; they are purged every 100th write, to free space.
const PURGE_EVERY = 100;
const PURGE_AT_MOST = 1000;

/** Stores results in the table `first_answers`, for as many milliseconds as are given. */
export function createIdempotent(db: Database, lifetime: number): Idempotent {
  // Of two concurrent claims the second waits here for the first; an expired key is free again.
  const claim = step(
    `INSERT INTO first_answers (key, request, expires) VALUES ($1, $2, $3)
     ON CONFLICT (key) DO UPDATE SET request = excluded.request, expires = excluded.expires
     WHERE first_answers.expires <= $4 RETURNING id`,
    ([id]: [number]) => id,
  );
  const load = step(
    'SELECT request, answer FROM first_answers WHERE key = $1',
    ([request, answer]: [string, string]) => ({ request, answer }),
  );
  const save = step('UPDATE first_answers SET answer = $2 WHERE key = $1', () => {});
  const purge = db.write(
    `DELETE FROM first_answers WHERE id IN
     (SELECT id FROM first_answers WHERE expires <= $1 ORDER BY expires LIMIT ${PURGE_AT_MOST})`,
    () => {},
  );
  let count = 0;

  return async <T>(attempt: Attempt, write: () => Steps<T>): Promise<T> => {
    const key = digest(attempt.key);
    const request = digest(attempt.request);
    const now = Date.now();
    // A purge that fails fails no request; the next one deletes the same rows.
    if (count++ % PURGE_EVERY === 0) await purge(now).catch(() => {});
    return db.writeAll(function* () {
      const claimed = yield* claim(key, request, now + lifetime, now);
      if (claimed.length === 0) {
        const first = present((yield* load(key))[0]);
        if (first.request !== request) throw new ApiError('key-reused');
        // The same request under the same key stored it, so it is the JSON text of this write's result.
        return JSON.parse(first.answer) as T;
      }
      const result = yield* write();
      yield* save(key, JSON.stringify(result));
      return result;
    });
  };
}

/** Keys and requests are only compared, and may be long or private. */
function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
