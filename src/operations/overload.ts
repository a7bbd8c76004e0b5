import type { Server } from 'node:http';

/** How much a process takes on at a time. */
export type Capacity = {
  /** Requests that are being read or answered. */
  readonly inFlight: number;
  /** Open connections, idle ones among them. */
  readonly connections: number;
};

export const defaultCapacity: Capacity = { inFlight: 1000, connections: 10_000 };

export type Overload = {
  /** Whether a further request is one too many; called before the body of it is read. */
  isOver(): boolean;
  /** Whether there are more connections than there may be, so that one must go. */
  isCrowded(): boolean;
  enter(): void;
  /** To be told when an answer is over, by `performance.now()`. */
  leave(now: number): void;
  /** When the last answer was over. */
  lastLeft(): number;
  /** Counts the connections of a server, and lets no more in than there may be. */
  watch(server: Server): void;
};

// Connections beyond the bound that are still let in, to be told so in an answer.
const REFUSABLE = 256;
const ALWAYS_ANSWERED = new Set(['/healthz', '/readyz', '/metrics']);

/** Who watches over the server is answered however much there is to do. */
export function isAlwaysAnswered(path: string): boolean {
  return ALWAYS_ANSWERED.has(path);
}

/** Counts what a server has under way. */
export function createOverload(capacity: Capacity = defaultCapacity): Overload {
  let inFlight = 0;
  let connections = 0;
  let lastLeft = 0;
  const isCrowded = () => connections > capacity.connections;
  return {
    isOver: () => inFlight >= capacity.inFlight || isCrowded(),
    isCrowded,
    enter: () => void inFlight++,
    leave(now) {
      inFlight--;
      lastLeft = now;
    },
    lastLeft: () => lastLeft,
    watch(server) {
      server.maxConnections = capacity.connections + REFUSABLE;
      server.on('connection', (socket) => {
        connections++;
        socket.once('close', () => connections--);
      });
    },
  };
}
