import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { createSemaphore } from '../../semaphore.ts';
import { PoolBusy } from './postgres-failure.ts';
import { databaseSocket } from './session.ts';

/** Connections to one host, made on demand. While all are in use, the clients take turns at the next one. */
export type HostPool = {
  connect(): Promise<Borrowed>;
  end(): Promise<void>;
};

export type Borrowed = {
  readonly client: PoolClient;
  release(isBroken: boolean): void;
};

type Config = PoolConfig & { readonly max: number; readonly connectionTimeoutMillis: number };

export function createHostPool(config: Config): HostPool {
  const { max, connectionTimeoutMillis: patience } = config;
  const enter = createSemaphore(max, () => new PoolBusy('all connections are in use'));
  const pool = new Pool({ ...config, stream: databaseSocket });
  // Broken connections fail their query; without listeners these events would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    async connect() {
      const leave = await enter(performance.now() + patience);
      const client = await pool.connect().catch((error: unknown) => {
        leave();
        throw error;
      });
      const release = (isBroken: boolean) => {
        client.release(isBroken);
        leave();
      };
      return { client, release };
    },
    // It ends when the last connection is released.
    end: () => pool.end(),
  };
}
