import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Reading, readAnswers, valuesOf } from './answers.ts';
import { type Exchange, LAST_DATE, LAST_TAG } from './exchange.ts';

/** What came back. */
export type Outcome = {
  readonly answers: readonly Answer[];
  readonly rest: Buffer;
  readonly end: 'open' | 'closed' | 'nothing came';
};

/** A client of one server. */
export type Peer = {
  send(exchange: Exchange): Promise<Outcome>;
  close(): void;
};

// For how many milliseconds an answer, and the end of a connection that was announced, is waited for.
const LONGEST = 10_000;
const LONGEST_TO_CLOSE = 2000;

/** One request at a time, on a connection that is kept as long as the server keeps it. */
export function createPeer(port: number): Peer {
  const seen = new Map<string, Seen>();
  let kept: Socket | undefined;

  async function socketFor({ isAlone }: Exchange): Promise<Socket> {
    if (!isAlone && kept?.readable && kept.writable) return kept;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    socket.on('error', () => {});
    await once(socket, 'connect');
    if (!isAlone) kept = socket;
    return socket;
  }

  return {
    async send(exchange) {
      const { requests, isAlone } = exchange;
      const [target = ''] = requests.map((each) => each.target);
      const pieces = exchange.pieces.map((piece) => filledIn(piece, seen.get(target)));
      const socket = await socketFor(exchange);
      const outcome = await converse(socket, { ...exchange, pieces });
      if (isAlone || outcome.end !== 'open') socket.destroy();
      const [first] = outcome.answers;
      if (first) seen.set(target, seenIn(first.headers));
      return outcome;
    },
    close: () => kept?.destroy(),
  };
}

type Seen = { readonly tag: string; readonly date: string };

function seenIn(headers: readonly string[]): Seen {
  const [tag = '"none"'] = valuesOf(headers, 'etag');
  const [date = new Date(0).toUTCString()] = valuesOf(headers, 'last-modified');
  return { tag, date };
}

function filledIn(piece: Buffer, { tag, date } = seenIn([])): Buffer {
  if (!piece.includes(LAST_TAG) && !piece.includes(LAST_DATE)) return piece;
  const text = piece.toString('latin1').replaceAll(LAST_TAG, tag).replaceAll(LAST_DATE, date);
  return Buffer.from(text, 'latin1');
}

async function converse(socket: Socket, exchange: Exchange): Promise<Outcome> {
  const { requests, pieces, pace, isAlone } = exchange;
  const methods = requests.map(({ method }) => method);
  const answered = Promise.withResolvers<'answered'>();
  const closed = Promise.withResolvers<'closed'>();
  const chunks: Buffer[] = [];
  let length = 0;
  let reading: Reading = { answers: [], isComplete: false, needs: 0, rest: Buffer.alloc(0) };
  const left = [...pieces];
  const sendNext = () => {
    const next = left.shift();
    if (next) socket.write(next);
    if (left.length === 0 && next && isAlone) socket.end();
  };
  const look = (isEnded: boolean) => {
    reading = readAnswers(Buffer.concat(chunks), methods, isEnded);
    if (reading.isComplete && !isAlone) answered.resolve('answered');
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
