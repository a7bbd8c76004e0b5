import type { Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Reading, readAnswers, valuesOf } from './answers.ts';
import type { Exchange } from './compared-exchange.ts';

/** What came back. */
export type Outcome = {
  readonly answers: readonly Answer[];
  readonly rest: Buffer;
  readonly end: 'open' | 'closed' | 'nothing came';
};

// For how many milliseconds an answer, and the end of a connection that was announced, is waited for.
const LONGEST = 10_000;
const LONGEST_TO_CLOSE = 2000;
// After how many milliseconds without an answer none is expected any more, where that is not certain.
const QUIET = 100;

/** Sends an exchange and reads what comes back, to the end of the answers or of the connection. */
export async function converse(socket: Socket, exchange: Exchange): Promise<Outcome> {
  const { requests, pieces, pace, connection } = exchange;
  const methods = requests.map(({ method }) => method);
  const answered = Promise.withResolvers<'answered'>();
  const closed = Promise.withResolvers<'closed'>();
  const chunks: Buffer[] = [];
  let length = 0;
  let reading: Reading = { answers: [], isComplete: false, needs: 0, rest: Buffer.alloc(0) };
  const left = [...pieces];
  let quiet: NodeJS.Timeout | undefined;
  const sendNext = () => {
    const next = left.shift();
    if (next) socket.write(next);
    if (left.length > 0 || connection === 'kept') return;
    if (connection === 'closed at once') return void socket.end();
    clearTimeout(quiet);
    quiet = setTimeout(() => socket.end(), QUIET);
  };
  const look = (isEnded: boolean) => {
    reading = readAnswers(Buffer.concat(chunks), methods, isEnded);
    if (reading.isComplete && connection === 'kept') answered.resolve('answered');
  };
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (pace === 'after an answer') sendNext();
    if (length >= reading.needs) look(false);
  };
  const onEnd = () => {
    look(true);
    closed.resolve('closed');
  };
  socket.on('data', onData).on('end', onEnd).on('close', onEnd);
  sendNext();
  while (pace === 'in turn' && left.length > 0) {
    await setImmediate();
    sendNext();
  }
  const came = await within(LONGEST, Promise.race([answered.promise, closed.promise]));
  clearTimeout(quiet);
  const isLast = reading.answers.some(({ headers }) =>
    valuesOf(headers, 'connection').some((value) => /close/i.test(value)),
  );
  const isClosed =
    came === 'closed' ||
    (came === 'answered' &&
      isLast &&
      (await within(LONGEST_TO_CLOSE, closed.promise)) === 'closed');
  socket.off('data', onData).off('end', onEnd).off('close', onEnd);
  const { answers, rest } = reading;
  return { answers, rest, end: isClosed ? 'closed' : came ? 'open' : 'nothing came' };
}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  const over = new AbortController();
  const late = sleep(milliseconds, undefined, over).catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    over.abort();
  }
}
