import type { ExecutionResult } from 'graphql';
import { print } from 'graphql-sse';
import type { Reply } from '../http/exchange.ts';

const TYPE = 'text/event-stream';
// Connections without traffic for 30 s are closed.
const PING_EVERY = 12_000;
const PING = ':\n\n';

/** What an Accept header says about an event stream. */
export function acceptsEvents(accept: string | undefined): 'only' | 'also' | 'no' {
  const types = (accept ?? '').split(',').map((each) => each.split(';')[0]?.trim().toLowerCase());
  if (!types.includes(TYPE)) return 'no';
  const isOther = /^(application\/(graphql-response\+json|json|\*)|\*\/\*)$/;
  return types.some((each) => isOther.test(each ?? '')) ? 'also' : 'only';
}

/** The reply of graphql-sse's distinct connections mode: an event for each result, and one at their end. */
export function eventReply(body: AsyncIterable<string>): Reply {
  // nginx would hold the events back.
  const headers = { 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' };
  return { status: 200, headers, type: `${TYPE}; charset=utf-8`, body };
}

/** One result as a stream. */
export async function* singleEvent(result: ExecutionResult): AsyncGenerator<string> {
  yield print({ event: 'next', data: result });
  yield print({ event: 'complete', data: null });
}

/**
 * Results as events, at the reader's pace: the next result is asked for when the last one was taken. Where `signal`
 * ends it there is no `complete`, so that clients connect again.
 */
export async function* eventsOf(
  results: AsyncIterator<ExecutionResult>,
  signal: AbortSignal,
  pingEvery = PING_EVERY,
): AsyncGenerator<string> {
  yield PING;
  let next: Promise<IteratorResult<ExecutionResult>> | undefined;
  while (!signal.aborted) {
    next ??= results.next();
    const got = await firstOf(next, signal, pingEvery);
    if (got === 'aborted') return;
    if (got === 'ping') {
      yield PING;
      continue;
    }
    next = undefined;
    if (got.done) {
      yield print({ event: 'complete', data: null });
      return;
    }
    yield print({ event: 'next', data: got.value });
  }
}

// Not Promise.race with a promise of the signal: that would keep what each event left until the stream ends.
function firstOf<T>(
  next: Promise<T>,
  signal: AbortSignal,
  pingEvery: number,
): Promise<T | 'ping' | 'aborted'> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    const abort = () => {
      end();
      resolve('aborted');
    };
    const timer = setTimeout(() => {
      end();
      resolve('ping');
    }, pingEvery);
    signal.addEventListener('abort', abort);
    next.then(
      (value) => {
        end();
        resolve(value);
      },
      (error) => {
        end();
        reject(error);
      },
    );
  });
}
