/** What waits, by client. */
export type ClientQueue<T> = {
  push(client: string | undefined, item: T): void;
  /** The next item; the clients take turns, and the items of one come in their order. */
  shift(): T | undefined;
  remove(client: string | undefined, item: T): void;
  isEmpty(): boolean;
};

export function createClientQueue<T>(): ClientQueue<T> {
  // In the order of the clients' turns.
  const waiting = new Map<string | undefined, Set<T>>();

  function remove(client: string | undefined, item: T): void {
    const own = waiting.get(client);
    own?.delete(item);
    if (own?.size === 0) waiting.delete(client);
  }

  return {
    push(client, item) {
      const own = waiting.get(client);
      if (own) own.add(item);
      else waiting.set(client, new Set([item]));
    },
    shift() {
      for (const [client, own] of waiting) {
        waiting.delete(client);
        for (const item of own) {
          own.delete(item);
          if (own.size > 0) waiting.set(client, own);
          return item;
        }
      }
      return undefined;
    },
    remove,
    isEmpty: () => waiting.size === 0,
  };
}
