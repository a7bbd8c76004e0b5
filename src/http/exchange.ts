import type { IncomingMessage } from 'node:http';

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
export type Exchange = {
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
