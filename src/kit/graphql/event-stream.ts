import type { ExecutionResult } from 'graphql';
import { print } from 'graphql-sse';
import { mediaTypeOf, splitUnquoted } from '../contract/media-type.ts';
import { preferredInUtf8 } from '../http/accept.ts';
import type { Reply } from '../http/exchange.ts';
import { TYPES } from './result-reply.ts';

const TYPE = 'text/event-stream';
// Connections without traffic for 30 s are closed.
const PING_EVERY = 12_000;
const PING = ':\n\n';

/** What an Accept header says about an event stream, which it must name. */
export function acceptsEvents(accept = ''): 'only' | 'also' | 'no' {
  const isNamed = splitUnquoted(accept, ',').some((each) => mediaTypeOf(each).name === TYPE);
  if (!isNamed || !preferredInUtf8(accept, [TYPE])) return 'no';
  return preferredInUtf8(accept, TYPES) ? 'also' : 'only';
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
