import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';

/** A connection of its own. */
export type Session = {
  readonly client: Client;
  /** Closes it, also where the server does not. */
  end(): Promise<void>;
};

const FAREWELL = 1000;

export function createSession(config: ClientConfig): Session {
  const socket = databaseSocket();
  const client = new Client({ application_name: 'accord', ...config, stream: () => socket });
  // Without a listener a broken connection would end the process.
  client.on('error', () => {});
  return {
    client,
    async end() {
      const over = new AbortController();
      const late = sleep(FAREWELL, undefined, { signal: over.signal }).catch(() => {});
      await Promise.race([client.end().catch(() => {}), late]);
      over.abort();
      socket.destroy();
    },
  };
}

/**
 * A socket that is closed where a listener throws: the driver's parser does where it reads something else than
 * PostgreSQL's protocol, and would end the process. Under TLS the driver reads from a socket of its own.
 */
export function databaseSocket(): Socket {
  const socket = new Socket();
  const emit = socket.emit.bind(socket);
  return Object.assign(socket, {
    emit(event: string, ...values: unknown[]): boolean {
      try {
        return emit(event, ...values);
      } catch (error) {
        const { message } = Object(error);
        socket.destroy(
          new Error(`the host does not speak PostgreSQL's protocol: ${message}`, { cause: error }),
        );
        return true;
      }
    },
  });
}
