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
  const waiting = new Map<string | undefined, T[]>();

  return {
    push(client, item) {
      const own = waiting.get(client);
      if (own) own.push(item);
      else waiting.set(client, [item]);
    },
    shift() {
      for (const [client, own] of waiting) {
        const item = own.shift();
        // Behind the others.
        waiting.delete(client);
        if (own.length > 0) waiting.set(client, own);
        return item;
      }
      return undefined;
    },
    remove(client, item) {
      const own = waiting.get(client) ?? [];
      const place = own.indexOf(item);
      if (place >= 0) own.splice(place, 1);
      if (own.length === 0) waiting.delete(client);
    },
    isEmpty: () => waiting.size === 0,
  };
}
