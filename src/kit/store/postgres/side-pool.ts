import type { QueryConfig, QueryResult } from 'pg';
import { postgresAddress } from '../database-address.ts';
import { createWriterPool } from './writer-pool.ts';

const TIMEOUT = 1000;

export type SidePool = {
  query(query: QueryConfig): Promise<QueryResult>;
  end(): Promise<void>;
};

/** A small pool with short time-outs, for what may fail while the database is away. */
export function createSidePool(url: string, name: string): SidePool {
  const { hasNames } = postgresAddress(url);
  const { use, end } = createWriterPool(url, {
    application_name: name,
    max: 4,
    connectionTimeoutMillis: TIMEOUT,
    query_timeout: TIMEOUT,
  });
  return {
    query: ({ name, ...query }) =>
      use((client) => client.query({ ...query, ...(hasNames && name && { name }) })),
    end,
  };
}
