import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from '../contract/operation.ts';
import type { Match } from '../contract/routes.ts';

/** One request and what is known about it, passed along instead of writing to the request. */
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
  /** The route's operation for the method: for HEAD that of GET, unless the contract declares HEAD. */
  readonly operation: Operation | undefined;
  /** By `performance.now()`. */
  readonly start: number;
  /** What the reply carries whoever makes it: names and values in turn. */
  readonly headers: string[];
  /** The most bytes of a body with files, or of one that is streamed. */
  readonly uploadLimit: number;
  /** The bytes of the request's body, once they were read. */
  body: Buffer | undefined;
  /** The name that the client gave its GraphQL operation. */
  graphql: string | undefined;
  /** Who calls, by security scheme, once the contract's credentials were checked. */
  identity: object;
};

/** The header that says of an answer that it, or a part of it, is mocked. */
export const MOCKED = 'Accord-Mock';

/** An answer as a value. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, HeaderValue>>;
  /** The media type of the body; JSON when it is not said. */
  readonly type?: string | undefined;
  /** Text or bytes; in pieces, they are sent at the client's pace. */
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | undefined;
};

/**
 * The value of a header. A list is sent with commas, of Set-Cookie each in a header of its own; an object as its names
 * and values in turn, with commas; undefined not at all.
 */
export type HeaderValue =
  | Scalar
  | undefined
  | readonly Scalar[]
  | Readonly<Record<string, Scalar | undefined>>;
type Scalar = string | number | boolean | null;

/** Answers an exchange. What it throws becomes a problem. */
export type Endpoint = (exchange: Exchange) => Reply | Promise<Reply>;

/** Told of each exchange that is over. */
export type Tap = (exchange: Exchange, outcome: Outcome) => void;

export type Outcome = {
  /** Undefined when the client went away before there was one. */
  readonly reply: Reply | undefined;
  /** Whether all of it was sent. */
  readonly isSent: boolean;
  /** The body as it was sent; undefined where it came in pieces of more than 65,536 characters. */
  readonly text: string | undefined;
};
