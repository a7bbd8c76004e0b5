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

export async function openConnections(port: number, count: number): Promise<Connections> {
  const sockets = Array.from({ length: count }, () =>
    connect({ port, host: '127.0.0.1', noDelay: true }),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
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
