import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { valuesOf } from './answers.ts';
import { type Exchange, LAST_DATE, LAST_TAG } from './compared-exchange.ts';
import { converse, type Outcome } from './conversation.ts';

/** A client of one server. */
export type Peer = {
  send(exchange: Exchange): Promise<Outcome>;
  close(): void;
};

/** One request at a time, on a connection that is kept as long as the server keeps it. */
export function createPeer(port: number): Peer {
  const seen = new Map<string, Seen>();
  let kept: Socket | undefined;

  async function socketFor({ connection }: Exchange): Promise<Socket> {
    if (connection === 'kept' && kept?.readable && kept.writable) return kept;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    socket.on('error', () => {});
    await once(socket, 'connect');
    if (connection === 'kept') kept = socket;
    return socket;
  }

  return {
    async send(exchange) {
      const { requests, connection } = exchange;
      const [target = ''] = requests.map((each) => each.target);
      const pieces = exchange.pieces.map((piece) => filledIn(piece, seen.get(target)));
      const socket = await socketFor(exchange);
      const outcome = await converse(socket, { ...exchange, pieces });
      if (connection !== 'kept' || outcome.end !== 'open') socket.destroy();
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
