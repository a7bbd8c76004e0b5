import { performance } from 'node:perf_hooks';
import { createClientQueue } from '../client-queue.ts';
import { withinContext } from '../request-context.ts';
import type { Clients } from './clients.ts';
import type { Answer } from './pipelining.ts';

// Milliseconds of answering in a turn of the event loop: some 15 reads of a record.
const LONGEST = 0.5;

/** Lets the requests of several clients begin in turn; while there is but one client, at once. */
export function inTurns<C>(clients: Clients, begin: Answer<C>): Answer<C> {
  const run = createTurns();
  return (request, response, connection) => {
    const client = clients.ofMany(request);
    if (client === undefined) {
      begin(request, response, connection);
      return;
    }
    run(client, () => {
      // The connection broke, or its byte stream was refused meanwhile.
      if (!request.socket.writable || response.headersSent) return;
      const context = { client, reading: undefined };
      withinContext(context, () => begin(request, response, connection));
    });
  };
}

/**
 * Runs work at once, until that of one turn of the event loop has taken long. The rest waits until new requests were
 * read too; then each client has one begun in turn.
 */
function createTurns(): (client: string, work: () => void) => void {
  const waiting = createClientQueue<() => void>();
  let isScheduled = false;
  let end = 0;

  function schedule(): void {
    isScheduled = true;
    setImmediate(goOn);
  }

  function goOn(): void {
    isScheduled = false;
    end = performance.now() + LONGEST;
    do waiting.shift()?.();
    while (performance.now() < end && !waiting.isEmpty());
    if (!waiting.isEmpty() && !isScheduled) schedule();
  }

  return (client, work) => {
    if (!isScheduled) {
      end = performance.now() + LONGEST;
      schedule();
    }
    if (waiting.isEmpty() && performance.now() < end) work();
    else waiting.push(client, work);
  };
}
