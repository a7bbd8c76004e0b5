import { AsyncLocalStorage } from 'node:async_hooks';
import type { Reading } from './store/replica-reading.ts';

/** What is known of a request wherever work is done for it. */
export type RequestContext = {
  /** Whose request it is, where there are several clients: an address, until it is known who calls. */
  client: string | undefined;
  /** What its reads may be answered by, where there are replicas. */
  readonly reading: Reading | undefined;
};

// Of this process, like the event loop and the places that clients share. A request without a context costs nothing.
const storage = new AsyncLocalStorage<RequestContext>();

export function withinContext(context: RequestContext, work: () => void): void {
  storage.run(context, work);
}

/** Of the request that work is being done for. */
export function currentClient(): string | undefined {
  return storage.getStore()?.client;
}

/** The request is of a caller whose credentials were verified. */
export function nameClient(name: string): void {
  const context = storage.getStore();
  if (context?.client !== undefined) context.client = name;
}

export function currentReading(): Reading | undefined {
  return storage.getStore()?.reading;
}
