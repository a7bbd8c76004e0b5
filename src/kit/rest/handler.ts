import type { operations } from '../../../generated/openapi.d.ts';
import type { Authorize } from '../http/authentication.ts';
import type { Json, JsonStream } from '../json-text.ts';

/** Operations of the contract that are answered before they reach the handlers. */
export const answeredElsewhere = ['executeGraphql'] as const;

/** The name of a REST operation. */
export type OperationId = Exclude<keyof operations, (typeof answeredElsewhere)[number]>;

/** What the contract admitted. Header names are in lower case, defaults are filled in. */
export type Input<Id extends OperationId> = {
  readonly path: Present<operations[Id]['parameters']['path']>;
  readonly query: Present<operations[Id]['parameters']['query']>;
  readonly headers: LowerCased<Present<operations[Id]['parameters']['header']>>;
  readonly body: Content<operations[Id]['requestBody']>;
};

/** A declared status with its body and headers. */
export type Reply<Id extends OperationId> = {
  [Status in keyof operations[Id]['responses']]: {
    readonly status: Status;
    readonly headers: Headers<operations[Id]['responses'][Status]>;
    readonly body: Body<operations[Id]['responses'][Status]>;
  };
}[keyof operations[Id]['responses']];

/** What a handler may ask of the request beyond its input. */
export type Context = { readonly authorize: Authorize };

/** Carries out one operation; a failure is thrown as an ApiError. */
export type Handler<Id extends OperationId> = (
  input: Input<Id>,
  context: Context,
) => Reply<Id> | Promise<Reply<Id>>;

/** One handler for each operation of the contract. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };

type Present<T> = [NonNullable<T>] extends [never] ? Record<never, never> : NonNullable<T>;

type LowerCased<T> = { [Name in keyof T as Lowercase<Name & string>]: T[Name] };

type Content<T> = T extends { content: infer Media } ? Media[keyof Media] : undefined;

// openapi-typescript adds an index signature to each set of headers; only the declared ones count.
type Headers<T> = T extends { headers: infer H }
  ? { readonly [Name in keyof H as string extends Name ? never : Exclude<Name, OfServer>]: H[Name] }
  : Record<never, never>;

/** Headers that the server itself puts on every answer. */
type OfServer = 'X-Request-Id' | 'Contract-Digest';

type Body<T> = T extends { content: { 'application/json': infer Value } }
  ? Json<Value> | (Value extends readonly unknown[] ? JsonStream<Value> : never)
  : // The schema of another media type is of the data in the text, which is sent as it is.
    T extends { content: unknown }
    ? string
    : undefined;
