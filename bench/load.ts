import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createReader, type HttpResponse } from '../tools/support/http-wire.ts';

/** Requests as bytes; each client sends the next one after its response. */
export type Load = {
  readonly requests: readonly Buffer[];
  /** Throws when a response is wrong. */
  readonly check: (answer: HttpResponse, index: number) => void;
  /** Whether `check` wants bodies. */
  readonly keepsBodies: boolean;
};

export type Timing = {
  /** Seconds from the first request to the last answer. */
  readonly elapsed: number;
  /** Milliseconds that each answer took, in ascending order. */
  readonly latencies: Float64Array;
};

/** Open connections, so that connecting is not measured. */
export type Connections = {
  run(load: Load): Promise<Timing>;
  close(): void;
};

// More than a server's backlog holds would wait a second and try again.
const AT_ONCE = 100;

export async function openConnections(port: number, count: number): Promise<Connections> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const length = Math.min(AT_ONCE, count - sockets.length);
    const opened = Array.from({ length }, () =>
      connect({ port, host: '127.0.0.1', noDelay: true }),
    );
    await Promise.all(opened.map((socket) => once(socket, 'connect')));
    sockets.push(...opened);
  }
  return {
    run: (load) => run(sockets, load),
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function run(sockets: readonly Socket[], { requests, check, keepsBodies }: Load): Promise<Timing> {
  const latencies = new Float64Array(requests.length);
  const { promise, resolve, reject } = Promise.withResolvers<Timing>();
  let sent = 0;
  let answered = 0;
  const start = performance.now();

  for (const socket of sockets) {
    let index = -1;
    let since = 0;
    const next = () => {
      if (sent === requests.length) return;
      index = sent++;
      since = performance.now();
      socket.write(requests[index] ?? '');
    };
    const onResponse = (answer: HttpResponse) => {
      const now = performance.now();
      latencies[index] = now - since;
      check(answer, index);
      if (++answered === requests.length)
        resolve({ elapsed: (now - start) / 1000, latencies: latencies.sort() });
      else next();
    };
    const read = createReader({ keepsBody: () => keepsBodies, onResponse });
    socket.removeAllListeners();
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a connection')));
    socket.on('data', (data) => {
      try {
        read(data);
      } catch (error) {
        reject(error);
      }
    });
    next();
  }
  return promise;
}
