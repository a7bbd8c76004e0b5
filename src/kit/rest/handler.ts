import type { Contract } from '../contract/contract.ts';
import type { Authorize } from '../http/authentication.ts';
import type { Reply as AnyReply } from '../http/exchange.ts';
import type { Json, JsonStream } from '../json-text.ts';
import type { MaybePromise } from '../maybe-promise.ts';

/** An operation as openapi-typescript writes it. */
type AnyOperation = {
  readonly parameters: {
    readonly path?: unknown;
    readonly query?: unknown;
    readonly header?: unknown;
  };
  readonly requestBody?: unknown;
  readonly responses: object;
};

/** What the contract admitted. Header names are in lower case, defaults are filled in. */
export type Input<Op extends AnyOperation> = {
  readonly path: Present<Op['parameters']['path']>;
  readonly query: Present<Op['parameters']['query']>;
  readonly headers: LowerCased<Present<Op['parameters']['header']>>;
  readonly body: Content<Op['requestBody']>;
};

/** A declared status with its body and headers. */
export type Reply<Op extends AnyOperation> = {
  [Status in keyof Op['responses']]: {
    readonly status: Status;
    readonly headers: Headers<Op['responses'][Status]>;
    readonly body: Body<Op['responses'][Status]>;
  };
}[keyof Op['responses']];

/** What a handler may ask of the request beyond its input. */
export type Context<Action> = { readonly authorize: Authorize<Action> };

/** Carries out one operation; a failure is thrown as an ApiError. */
export type Handler<Op extends AnyOperation, Action> = (
  input: Input<Op>,
  context: Context<Action>,
) => MaybePromise<Reply<Op>>;

/** One handler for each operation of a contract. */
export type Handlers<Ops extends { [Id in keyof Ops]: AnyOperation }, Action> = {
  readonly [Id in keyof Ops]: Handler<Ops[Id], Action>;
};

/** An input, whatever its operation. */
export type AnyInput = {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly cookies: Readonly<Record<string, unknown>>;
  /** Where the contract declares several: the one of the body as the contract writes it, of a range the one sent. */
  readonly mediaType?: string | undefined;
  readonly body: unknown;
};

/** Handlers as the endpoint calls them: the contract admits their input, the compiler their reply. */
export type AnyHandlers = Readonly<
  Record<string, (input: never, context: never) => MaybePromise<AnyReply>>
>;

/** What the handlers of an API are made of. */
export type HandlerParts<Store> = {
  readonly store: Store;
  readonly contract: Contract;
  readonly sdl: string;
  /** Whether clients may read the contracts. */
  readonly arePublic: boolean;
  readonly isDraining: () => boolean;
  /** The metrics in Prometheus' text format. */
  readonly metrics: () => Promise<string>;
};

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
