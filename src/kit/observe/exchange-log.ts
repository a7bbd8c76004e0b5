import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Routes } from '../contract/routes.ts';
import { carry } from '../http/common-headers.ts';
import type { FinishedExchange, Noted } from '../http/exchange.ts';
import { splitTarget } from '../http/target.ts';
import { createRequestIds } from './request-id.ts';

/** Follows each exchange from its first to its last moment. */
export type Watch = {
  /** Gives a request its id, which the answer carries; to be told when it is over, by `performance.now()`. */
  exchange(request: IncomingMessage, response: ServerResponse): (now: number) => void;
  /** What was refused before it was a request; gives the id for the answer. */
  unreadable(status: number): string;
};

/** Told of every exchange that is over; without a request when it was not one. */
export type OnEnd = (exchange: FinishedExchange, request: IncomingMessage | undefined) => void;

export function createWatch(routes: Routes, onEnd: OnEnd): Watch {
  const idOf = createRequestIds();
  return {
    exchange(request: Noted, response) {
      const id = idOf(request.headers['x-request-id']);
      request.id = id;
      carry(response, 'X-Request-Id', id);
      // Those who answer may change both.
      const { method = '', url = '' } = request;
      const start = performance.now();
      return (now) => {
        const exchange = {
          id,
          operation: request.operation ?? operationOf(routes, method, splitTarget(url)[0]),
          graphql: request.graphql,
          method,
          target: url,
          status: response.writableFinished ? response.statusCode : 'aborted',
          ms: now - start,
        } as const;
        onEnd(exchange, request);
      };
    },
    unreadable(status) {
      const id = idOf(undefined);
      const exchange = { id, operation: 'none', graphql: undefined, method: '', target: '' };
      onEnd({ ...exchange, status, ms: 0 }, undefined);
      return id;
    },
  };
}

/** A name out of a bounded set, whatever the client sent. */
export function operationOf(routes: Routes, method: string, path: string): string {
  const operations = routes(path)?.route.operations;
  if (!operations) {
    return path === '/' || path === '/docs' || path.startsWith('/docs/') ? 'docs' : 'none';
  }
  return operations.get(method)?.id ?? 'none';
}
