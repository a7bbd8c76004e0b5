import type { Socket } from 'node:net';
import { currentClient, currentReading, withinContext } from '../request-context.ts';
import { later, type Position, type Reading } from '../store/replica-reading.ts';
import type { Exchange } from './exchange.ts';

/** The header of a write's answer that tells its position, and of a read that demands it. */
export const POSITION = 'Accord-Position';

// After every position.
const UNKNOWN = 'G';

/** What clients have written, so that replicas give them nothing older. */
export type ReadPositions = {
  within(exchange: Exchange, answer: () => void): void;
  readonly current: () => Reading | undefined;
  /** What is answered from here on is a read, which a replica may answer. */
  mayLag(): void;
};

/**
 * A client that sends no position reads what was written on its connection or with its credentials: that is known
 * for as many milliseconds as a replica may lag, and to this process alone.
 */
export function createReadPositions(
  lag: number,
  credentialsOf: (exchange: Exchange) => string | undefined,
): ReadPositions {
  const byConnection = new WeakMap<Socket, Position>();
  // In the order of the writes.
  const byCredentials = new Map<string, { readonly position: Position; readonly at: number }>();

  function note(credentials: string, position: Position): void {
    const at = performance.now();
    byCredentials.delete(credentials);
    byCredentials.set(credentials, { position, at });
    for (const [each, written] of byCredentials) {
      if (at - written.at <= lag) break;
      byCredentials.delete(each);
    }
  }

  function readingOf(exchange: Exchange): Reading {
    const { request, headers } = exchange;
    const { socket } = request;
    const credentials = credentialsOf(exchange);
    const written = later(
      byConnection.get(socket) ?? '',
      (credentials !== undefined && byCredentials.get(credentials)?.position) || '',
    );
    const reading: Reading = {
      mayLag: false,
      least: later(written, demanded(request.headers['accord-position'])),
      onWrite(position) {
        reading.least = later(reading.least, position);
        byConnection.set(socket, position);
        if (credentials !== undefined) note(credentials, position);
        const place = headers.indexOf(POSITION);
        if (place < 0) headers.push(POSITION, position);
        else headers[place + 1] = position;
      },
    };
    return reading;
  }

  return {
    within(exchange, answer) {
      const reading = readingOf(exchange);
      withinContext({ client: currentClient(), reading }, answer);
    },
    current: currentReading,
    mayLag() {
      const reading = currentReading();
      if (reading) reading.mayLag = true;
    },
  };
}

/** What is no position demands all that was written: the writer answers. */
function demanded(given: string | string[] | undefined): Position {
  if (given === undefined) return '';
  return /^[0-9A-Fa-f]{16}$/.test(String(given)) ? String(given).toUpperCase() : UNKNOWN;
}
