import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from '../contract/operation.ts';
import type { Match } from '../contract/routes.ts';

/** One request with what is known about it. The request itself is never written to. */
export type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The id under which it is logged; the reply carries it. */
  readonly id: string;
  readonly method: string;
  /** The target's path and query, without scheme and host. */
  readonly path: string;
  readonly query: string;
  /** The route that the path names, looked up once. */
  readonly match: Match | undefined;
  /** The operation of that route for this method; for HEAD that of GET, unless the contract declares HEAD. */
  readonly operation: Operation | undefined;
  /** By `performance.now()`. */
  readonly start: number;
  /** Headers that the reply carries whoever makes it: names and values in turn. */
  readonly headers: string[];
  /** The bytes of the request's body, once they were read. */
  body: Buffer | undefined;
  /** The name that the client gave its GraphQL operation. */
  graphql: string | undefined;
};

/** An answer as a value. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  /** The media type of the body; JSON when it is not said. */
  readonly type?: string | undefined;
  readonly body: string | Buffer | AsyncIterable<string> | undefined;
};

/** Answers an exchange. What it throws becomes a problem. */
export type Endpoint = (exchange: Exchange) => Reply | Promise<Reply>;

/**
 * Told of each reply once it is sent, or of a client that went away before (`isSent` is false). `text` is the
 * body as it was sent; undefined where it came in pieces of more than 65,536 characters in all.
 */
export type Tap = (
  exchange: Exchange,
  reply: Reply,
  sent: { readonly isSent: boolean; readonly text: string | undefined },
) => void;

/** What those who answer a request note on it, for the log, the metrics and the traces. */
export type Noted = IncomingMessage & {
  /** The id under which it is known. */
  id?: string;
  /** The operation of the REST contract that it asks for. */
  operation?: string;
  /** The name that the client gave its GraphQL operation. */
  graphql?: string | undefined;
};

/** An exchange that is over. */
export type FinishedExchange = {
  readonly id: string;
  /** What was asked for: an operation of the contract, `docs`, or `none`. */
  readonly operation: string;
  readonly graphql: string | undefined;
  readonly method: string;
  /** The path and the query, as the client sent them. */
  readonly target: string;
  /** `aborted` when the client went away before it was answered. */
  readonly status: number | 'aborted';
  readonly ms: number;
};
