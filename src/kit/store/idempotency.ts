import { createHash } from 'node:crypto';
import { ApiError, present } from '../errors.ts';
import { type Database, type Steps, step } from './database.ts';

/** A write that may be asked for several times: what names it, and what is asked for. */
type Attempt = { readonly key: readonly string[]; readonly request: readonly unknown[] };

/**
 * Makes a write once: the first to come under a key makes it, all others are given its answer, which is
 * a value that JSON can hold. Another request under the same key is refused.
 */
export type Once = <T>(attempt: Attempt, write: () => Steps<T>) => Promise<T>;

// Forgetting is a matter of room alone, so that it need not be done at each write.
const FORGET_EVERY = 100;
const FORGET_AT_MOST = 1000;

/** Keeps the first answers in the database, for as many milliseconds as are given. */
export function createOnce(db: Database, lifetime: number): Once {
  // Of two at the same time the second waits here for the first; a key that expired is free again.
  const claim = step(
    `INSERT INTO first_answers (key, request, expires) VALUES ($1, $2, $3)
     ON CONFLICT (key) DO UPDATE SET request = excluded.request, expires = excluded.expires
     WHERE first_answers.expires <= $4 RETURNING id`,
    ([id]: [number]) => id,
  );
  const recall = step(
    'SELECT request, answer FROM first_answers WHERE key = $1',
    ([request, answer]: [string, string]) => ({ request, answer }),
  );
  const keep = step('UPDATE first_answers SET answer = $2 WHERE key = $1', () => {});
  const forget = db.write(
    `DELETE FROM first_answers WHERE id IN
     (SELECT id FROM first_answers WHERE expires <= $1 ORDER BY expires LIMIT ${FORGET_AT_MOST})`,
    () => {},
  );
  let count = 0;

  return async function once<T>(attempt: Attempt, write: () => Steps<T>): Promise<T> {
    const key = digest(attempt.key);
    const request = digest(attempt.request);
    const now = Date.now();
    // What cannot be forgotten now is forgotten another time.
    if (count++ % FORGET_EVERY === 0) await forget(now).catch(() => {});
    return db.writeAll(function* () {
      const claimed = yield* claim(key, request, now + lifetime, now);
      if (claimed.length === 0) {
        const first = present((yield* recall(key))[0]);
        if (first.request !== request) throw new ApiError('key-reused');
        // It is the JSON text of what this write gave under the same request.
        return JSON.parse(first.answer) as T;
      }
      const answer = yield* write();
      yield* keep(key, JSON.stringify(answer));
      return answer;
    });
  };
}

/** Keys and requests are only compared, and may be long or private. */
function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
