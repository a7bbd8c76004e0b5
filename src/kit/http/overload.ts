import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** How much a process serves at a time. */
export type Capacity = {
  /** Requests that the server is working on; those that wait for their client do not count. */
  readonly inFlight: number;
  /** Open connections, idle ones among them. */
  readonly connections: number;
};

export const defaultCapacity: Capacity = { inFlight: 1000, connections: 10_000 };

/**
 * A request in flight. A class, because V8 allocates what an object literal makes among old objects once many of them
 * have outlived a collection: each would keep its request and response until a full one.
 */
export class InFlight {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Its place in the list of all. */
  index: number;
  /** Whose it is, once that was needed. */
  client: string | undefined;
  /** When it was admitted or last measured, and its connection's bytes by then, counted when first needed. */
  seenAt: number;
  seenBytes: number | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, index: number, now: number) {
    this.request = request;
    this.response = response;
    this.index = index;
    this.client = undefined;
    this.seenAt = now;
    this.seenBytes = undefined;
  }
}

export type Overload = {
  /** Undefined when it is one too many. Called before its body is read. */
  admit(request: IncomingMessage, response: ServerResponse, now: number): InFlight | undefined;
  /** To be called for each request that is over, at `performance.now()`, also if it was not admitted. */
  leave(admitted: InFlight | undefined, now: number): void;
  /** When the last reply was over. */
  lastLeft(): number;
  /** Bounds what replies of a server wait to be read; `drop` ends an exchange. */
  watch(server: Server, drop: Drop): void;
};

/** Ends an exchange whose client is too slow, to make room for another. */
type Drop = (dropped: InFlight) => void;
type ClientOf = (request: IncomingMessage) => string;

// Beyond capacity.inFlight this share is kept for clients that hold less than a tenth of it.
const RESERVE = 0.25;
const FEW = 0.1;
// How many may wait for their client, as multiples of capacity.inFlight, before a request with a body or any
// other is refused. Each holds up to 262,144 bytes.
const MOST_WAITING = { withBody: 2, other: 3 };
// Bytes of replies that may wait to be read, in all, and how often they are counted, in milliseconds.
const MOST_UNREAD = 128_000_000;
const COUNT_EVERY = 100;
// A client is slow below so many bytes a second, over a second or more.
const LEAST_RATE = 500;

/**
 * Bounds the requests in flight. One whose body has not arrived, or whose reply is not being read, takes no
 * place from others; when there are too many of them, a slow one is dropped, or one of the client that has most.
 */
export function createOverload(
  capacity: Pick<Capacity, 'inFlight'> = defaultCapacity,
  clientOf: ClientOf = ({ socket }) => String(socket.remoteAddress),
): Overload {
  // An array: when a Set grows, its old tables keep removed entries alive until a full GC.
  const all: InFlight[] = [];
  let drop: Drop = ({ response }) => response.destroy();
  let lastLeft = 0;

  function hasRoomFor(request: IncomingMessage, now: number): boolean {
    if (all.length < capacity.inFlight) return true;
    const working = all.filter((each) => !isWaiting(each));
    if (working.length >= capacity.inFlight) return mayTakeReserve(request, working);
    const most = MOST_WAITING[hasBody(request) ? 'withBody' : 'other'] * capacity.inFlight;
    return all.length - working.length < most || dropSlowest(now) || dropOfLargest(request);
  }

  /** Drops the replies with most to read while all together take too much memory. */
  function boundUnread(): void {
    let bytes = all.reduce((sum, each) => sum + unreadOf(each), 0);
    while (bytes > MOST_UNREAD) {
      const largest = all.reduce((a, b) => (unreadOf(b) > unreadOf(a) ? b : a));
      bytes -= unreadOf(largest);
      remove(largest);
      drop(largest);
    }
  }

  function mayTakeReserve(request: IncomingMessage, working: readonly InFlight[]): boolean {
    if (working.length >= (1 + RESERVE) * capacity.inFlight) return false;
    const client = clientOf(request);
    const own = working.filter((each) => nameOf(each) === client);
    return own.length < FEW * capacity.inFlight;
  }

  /** Drops one that is slow, if any is. */
  function dropSlowest(now: number): boolean {
    const slow = all.find((each) => isWaiting(each) && isSlow(each, now));
    if (!slow) return false;
    remove(slow);
    drop(slow);
    return true;
  }

  /** Drops one of the client that most of those that wait are of, if this request's client has fewer. */
  function dropOfLargest(request: IncomingMessage): boolean {
    const waiting = Map.groupBy(all.filter(isWaiting), nameOf);
    const largest = [...waiting.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    const own = waiting.get(clientOf(request))?.length ?? 0;
    const [dropped] = largest;
    if (!dropped || largest.length <= own + 1) return false;
    remove(dropped);
    drop(dropped);
    return true;
  }

  function nameOf(each: InFlight): string {
    each.client ??= clientOf(each.request);
    return each.client;
  }

  function remove(each: InFlight): void {
    if (all[each.index] !== each) return;
    const last = all.pop();
    if (!last || last === each) return;
    last.index = each.index;
    all[each.index] = last;
  }

  return {
    admit(request, response, now) {
      if (!hasRoomFor(request, now)) return undefined;
      const admitted = new InFlight(request, response, all.length, now);
      all.push(admitted);
      return admitted;
    },
    leave(admitted, now) {
      if (admitted) remove(admitted);
      lastLeft = now;
    },
    lastLeft: () => lastLeft,
    watch(server, dropSlow) {
      drop = dropSlow;
      const counting = setInterval(boundUnread, COUNT_EVERY).unref();
      server.once('close', () => clearInterval(counting));
    },
  };
}

/** Whether its client must act: send the rest of the body, or read what was written. */
function isWaiting({ request, response }: InFlight): boolean {
  return !request.complete || response.writableEnded || response.writableNeedDrain;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Measures at most once a second. */
function isSlow(each: InFlight, now: number): boolean {
  const { seenAt, seenBytes } = each;
  if (seenBytes !== undefined && now - seenAt < 1000) return false;
  each.seenAt = now;
  each.seenBytes = bytesOver(each.request);
  if (seenBytes === undefined) return false;
  return ((each.seenBytes - seenBytes) * 1000) / (now - seenAt) < LEAST_RATE;
}

function unreadOf({ request }: InFlight): number {
  return request.socket.writableLength;
}

function bytesOver({ socket }: IncomingMessage): number {
  return socket.bytesRead + socket.bytesWritten;
}
