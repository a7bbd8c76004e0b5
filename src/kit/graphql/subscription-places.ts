import type { ServerResponse } from 'node:http';

export type SubscriptionBounds = {
  /** How many run at a time. */
  readonly most: number;
  /** How long one runs at most, in milliseconds; its client then connects again. */
  readonly life: number;
};

/** Ends when the client goes, the server drains, or its life is over. */
export type Place = { readonly signal: AbortSignal };

/** Gives subscriptions a place until their response is closed; undefined where all are taken. */
export function createSubscriptionPlaces(
  { most, life }: SubscriptionBounds,
  draining: AbortSignal,
): (response: ServerResponse) => Place | undefined {
  const open = new Set<AbortController>();
  draining.addEventListener('abort', () => {
    for (const each of open) each.abort();
  });

  return (response) => {
    if (open.size >= most || draining.aborted) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), life).unref();
    const leave = () => {
      clearTimeout(timer);
      open.delete(controller);
      controller.abort();
    };
    open.add(controller);
    // A body that nobody reads is never started, so that its end cannot free the place.
    if (response.closed || response.destroyed) leave();
    else response.once('close', leave);
    return { signal: controller.signal };
  };
}
