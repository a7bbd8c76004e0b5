import { secondsOf } from './errors.js';

/** What came of one attempt. */
export type Outcome =
  | { readonly kind: 'lost' }
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: string | null };

/**
 * How often a request may be carried out:
 * - `any`: it changes nothing, or the same again
 * - `keyed`: a POST whose `Idempotency-Key` keeps the server from carrying it out twice
 * - `versioned`: a write held to a version. Sent again after it was carried out, it would be refused as
 *   if somebody else had written, so it is not sent again once that is possible
 * - `once`: everything else
 */
export type Repeatable = 'any' | 'keyed' | 'versioned' | 'once';

const BASE_DELAY = 200;
const LONGEST_BACKOFF = 8_000;

/** After how many milliseconds to try again; undefined when that is not safe or has no prospect. */
export function delayBefore(
  repeatable: Repeatable,
  outcome: Outcome,
  { attempt, mayHaveHappened }: { attempt: number; mayHaveHappened: boolean },
  maxDelay: number,
): number | undefined {
  if (repeatable === 'once' || !isTransient(repeatable, outcome, mayHaveHappened)) return undefined;
  const seconds = outcome.kind === 'answered' ? secondsOf(outcome.retryAfter) : undefined;
  const backoff = Math.min(LONGEST_BACKOFF, BASE_DELAY * 2 ** (attempt - 1)) * Math.random();
  const delay = seconds === undefined ? backoff : seconds * 1000;
  return delay <= maxDelay ? delay : undefined;
}

function isTransient(repeatable: Repeatable, outcome: Outcome, mayHaveHappened: boolean): boolean {
  if (outcome.kind === 'lost') return repeatable !== 'versioned';
  switch (outcome.status) {
    case 429:
    case 503:
      return true;
    case 408:
    case 502:
    case 504:
      return repeatable !== 'versioned';
    case 409:
      // The twin of this request, sent before it, may still be on its way.
      return repeatable === 'keyed' && mayHaveHappened;
    default:
      return false;
  }
}

/** Whether the server may have carried the request out although nobody said so. */
export function isUncertain(outcome: Outcome): boolean {
  return outcome.kind === 'lost' || [408, 502, 504].includes(outcome.status);
}

export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
