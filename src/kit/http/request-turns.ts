import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { createClientQueue } from '../client-queue.ts';
import { withinContext } from '../request-context.ts';
import type { Clients } from './clients.ts';
import type { Answer } from './pipelining.ts';

// Milliseconds of answering in a turn of the event loop: some 15 reads of a record.
const LONGEST = 0.5;

/**
 * Begins requests after all that arrived in the same turn of the event loop were read, each client's in turn. To read
 * several and then answer several takes a third less CPU than to answer each where it is read, with 32 clients.
 */
export function inTurns<C>(clients: Clients, begin: Answer<C>): Answer<C> {
  const run = createTurns();
  return (request, response, connection) => {
    const client = clients.ofMany(request);
    run(client, () => {
      // The connection broke, or its byte stream was refused meanwhile.
      if (!request.socket.writable || response.headersSent) return;
      if (client === undefined) begin(request, response, connection);
      else {
        const context = { client, reading: undefined };
        withinContext(context, () => begin(request, response, connection));
      }
    });
  };
}

/** Runs work for as long as a turn of the event loop may take; the rest waits until new requests were read too. */
function createTurns(): (client: string | undefined, work: () => void) => void {
  const waiting = createClientQueue<() => void>();
  // Whatever request the turn was scheduled by.
  const ofNoRequest = AsyncLocalStorage.snapshot();
  let isScheduled = false;

  function schedule(): void {
    isScheduled = true;
    setImmediate(ofNoRequest, goOn);
  }

  function goOn(): void {
    const end = performance.now() + LONGEST;
    do waiting.shift()?.();
    while (!waiting.isEmpty() && performance.now() < end);
    if (waiting.isEmpty()) isScheduled = false;
    else schedule();
  }

  return (client, work) => {
    waiting.push(client, work);
    if (!isScheduled) schedule();
  };
}
