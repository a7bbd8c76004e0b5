import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createReader, type HttpResponse, requestText } from './http-wire.ts';

/** A response, or why there is none: no listener, closed before the response, closed within it. */
export type Outcome = HttpResponse | { readonly status: 'refused' | 'reset' | 'truncated' };

export type Connection = {
  /** Sends one request; the next one waits for its outcome. */
  send(method: string, path: string, body?: string): Promise<Outcome>;
  close(): void;
};

/** One keep-alive connection, opened on the first request and again after `Connection: close`. */
export function createConnection(url: string, localAddress?: string): Connection {
  const { port, hostname } = new URL(url);
  let socket: Socket | undefined;
  let settle: ((outcome: Outcome) => void) | undefined;

  function finish(outcome: Outcome): void {
    const resolve = settle;
    settle = undefined;
    resolve?.(outcome);
  }

  function open(): Socket {
    const opened = connect({
      ...{ port: Number(port), host: hostname, noDelay: true },
      ...(localAddress !== undefined && { localAddress }),
    });
    let isConnected = false;
    let isWithinResponse = false;
    const read = createReader({
      keepsBody: () => true,
      onResponse(response) {
        isWithinResponse = false;
        if (/\r\nconnection: close/i.test(response.head)) socket = undefined;
        finish(response);
      },
    });
    opened.once('connect', () => {
      isConnected = true;
    });
    opened.on('data', (chunk) => {
      isWithinResponse = true;
      read(chunk);
    });
    const lost = () => {
      if (socket !== opened) return;
      socket = undefined;
      finish({ status: !isConnected ? 'refused' : isWithinResponse ? 'truncated' : 'reset' });
    };
    opened.on('error', lost);
    opened.on('close', lost);
    return opened;
  }

  return {
    send(method, path, body) {
      socket ??= open();
      socket.write(requestText(method, path, body));
      return new Promise((resolve) => {
        settle = resolve;
      });
    },
    close: () => void socket?.destroy(),
  };
}

/** Whether an error has the contract's shape, and a 503 a Retry-After. */
export function isWellFormed({ head, body, status }: HttpResponse): boolean {
  try {
    const { type, title, status: said, detail, errors } = JSON.parse(body);
    const isProblem = [type, title, detail].every((each) => typeof each === 'string');
    const isGraphql = typeof errors?.[0]?.extensions?.code === 'string';
    const hasTime = status !== 503 || /\r\nretry-after: \d+/i.test(head);
    return ((isProblem && said === status) || isGraphql) && hasTime;
  } catch {
    return false;
  }
}

type BystanderOptions = {
  readonly path?: string;
  /** Opens a connection for each request, so that it also waits to be accepted. */
  readonly reconnects?: boolean;
  /** Milliseconds between two requests. */
  readonly pause?: number;
};

/** Reads one record every 20 ms while something else happens to the server; ends when called. */
export function startBystander(
  url: string,
  { path = '/books/1', reconnects = false, pause = 20 }: BystanderOptions = {},
) {
  let connection = createConnection(url);
  const other = new Map<string, number>();
  let longest = 0;
  let answered = 0;
  let isOver = false;
  const done = (async () => {
    while (!isOver) {
      const start = performance.now();
      const { status } = await connection.send('GET', path);
      longest = Math.max(longest, performance.now() - start);
      if (status === 200) answered++;
      else other.set(String(status), (other.get(String(status)) ?? 0) + 1);
      if (reconnects) {
        connection.close();
        connection = createConnection(url);
      }
      await sleep(pause);
    }
  })();
  return async () => {
    isOver = true;
    await done;
    connection.close();
    return { longest, answered, other };
  };
}
