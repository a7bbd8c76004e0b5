import cluster from 'node:cluster';
import {
  type RateLimiterAbstract,
  RateLimiterCluster,
  RateLimiterClusterMaster,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { responseOf } from '../contract/response-check.ts';
import type { Match } from '../contract/routes.ts';
import { ApiError } from '../errors.ts';
import { createSidePool } from '../store/postgres/side-pool.ts';
import { clientAddress } from './client-address.ts';
import type { Endpoint, Exchange, Reply } from './exchange.ts';
import { probes } from './standard-paths.ts';

/** How many requests each client may make in how many seconds. */
export type Rate = { readonly requests: number; readonly seconds: number };

export type RateLimit = {
  /** The endpoint for clients within the limit; others are refused. */
  before(endpoint: Endpoint, refuse: Refuse): Endpoint;
  close(): Promise<void>;
};

type Refuse = (error: ApiError, exchange: Exchange) => Reply;

type Options = {
  readonly rate: Rate;
  /** Where instances share the count, when that is a PostgreSQL database. */
  readonly databaseUrl: string;
  /** How many proxies stand before the server and name the client. */
  readonly proxies: number;
  readonly onFailure: (cause: unknown) => void;
};

/**
 * Limits each client, known by its address. Instances on one PostgreSQL database share one count, and so
 * do the processes of one machine; while the count is out of reach each goes by its own.
 */
export function createRateLimit(options: Options): RateLimit {
  const { requests, seconds } = options.rate;
  const { limiter, close } = createLimiter(options.rate, options.databaseUrl);
  const policy = `"default";q=${requests};w=${seconds}`;

  /** Counts a request and adds the RateLimit headers; gives the refusal of a client over its limit. */
  async function count({ request, headers }: Exchange) {
    const key = clientAddress(request, options.proxies);
    const counted = await limiter.consume(key).then(
      ({ remainingPoints, msBeforeNext }) => ({
        left: remainingPoints,
        msBeforeNext,
        isOver: false,
      }),
      (thrown: unknown) => {
        // What is thrown at those who are over the limit does not always say by how much.
        if (thrown instanceof RateLimiterRes)
          return { left: 0, msBeforeNext: thrown.msBeforeNext, isOver: true };
        options.onFailure(thrown);
        return undefined;
      },
    );
    if (!counted) return undefined;
    const wait = Math.max(1, Math.ceil(counted.msBeforeNext / 1000));
    headers.push('RateLimit-Policy', policy, 'RateLimit', `"default";r=${counted.left};t=${wait}`);
    if (!counted.isOver) return undefined;
    return new ApiError('too-many-requests', { headers: { 'Retry-After': String(wait) } });
  }

  return {
    close,
    before(endpoint, refuse) {
      const limited = async (exchange: Exchange) => {
        const refusal = await count(exchange);
        return refusal ? refuse(refusal, exchange) : endpoint(exchange);
      };
      // What the contract declares no 429 for, such as probes, is not limited.
      return (exchange) => {
        const { match, path } = exchange;
        const isFree = match ? !declaresLimit(match) : probes.has(path);
        return isFree ? endpoint(exchange) : limited(exchange);
      };
    },
  };
}

function declaresLimit({ route }: Match): boolean {
  return route.operations.values().every((each) => responseOf(each, 429) !== undefined);
}

/** Lets the processes of this machine share one count; to be called in the one that starts them. */
export function shareRateLimit(): void {
  new RateLimiterClusterMaster();
}

type Limiter = { readonly limiter: RateLimiterAbstract; close(): Promise<void> };

function createLimiter(
  { requests: points, seconds: duration }: Rate,
  databaseUrl: string,
): Limiter {
  const options = { points, duration, keyPrefix: 'accord' };
  const close = async () => {};
  if (/^postgres/.test(databaseUrl)) return createShared(options, databaseUrl);
  if (cluster.isWorker) return { limiter: new RateLimiterCluster(options), close };
  return { limiter: new RateLimiterMemory(options), close };
}

function createShared(
  options: { readonly points: number; readonly duration: number; readonly keyPrefix: string },
  databaseUrl: string,
): Limiter {
  const pool = createSidePool(databaseUrl, 'accord rate limit');
  const limiter = new RateLimiterPostgres({
    ...options,
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    // Whoever is over the limit costs the database nothing more.
    inMemoryBlockOnConsumed: options.points + 1,
    insuranceLimiter: new RateLimiterMemory(options),
  });
  return { limiter, close: () => pool.end() };
}
