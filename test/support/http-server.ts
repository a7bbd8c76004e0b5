import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { createRefuse } from '../../src/kit/api-endpoint.ts';
import { createClients } from '../../src/kit/http/clients.ts';
import {
  type ConnectionShares,
  createConnectionShares,
} from '../../src/kit/http/connection-shares.ts';
import type { Endpoint, Exchange, Tap } from '../../src/kit/http/exchange.ts';
import { createOverload, type Overload } from '../../src/kit/http/overload.ts';
import { createServer, type Timeouts } from '../../src/kit/http/server.ts';
import { createProblems } from '../../src/kit/rest/problem-reply.ts';

type Options = {
  readonly overload?: Overload;
  /** The most connections. */
  readonly connections?: number;
  readonly timeouts?: Timeouts;
  readonly taps?: readonly Tap[];
  /** Runs each answer. */
  readonly within?: (exchange: Exchange, answer: () => void) => void;
};

type HttpServer = {
  readonly server: Server;
  readonly url: string;
  readonly port: number;
  readonly shares: ConnectionShares;
  /** What it would log as failures. */
  readonly failures: string[];
};

/** The kit's HTTP server with an endpoint of the test's own, on a port of its own. */
export function useHttpServer(
  endpoint: Endpoint,
  { overload = createOverload(), connections, timeouts, taps = [], within }: Options = {},
): HttpServer {
  const contract = { operations: [], schemas: () => Object.assign(() => true) };
  const failures: string[] = [];
  const onFailure = (_: string, cause: unknown) => void failures.push(String(cause));
  const problems = createProblems({ contract, onFailure });
  const { fail } = problems;
  const refuse = createRefuse(problems);
  const shares = createConnectionShares(connections);
  const clients = createClients(shares, { proxies: 0, hasCallers: false });
  const given = { endpoint, refuse, fail, taps, within, overload, shares, clients };
  const parts = { routes: () => undefined, headers: [], ...given };
  const server = createServer(parts, timeouts);
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const portOf = () => (server.address() as AddressInfo).port;
  return {
    server,
    shares,
    failures,
    get port() {
      return portOf();
    },
    get url() {
      return `http://127.0.0.1:${portOf()}`;
    },
  };
}
