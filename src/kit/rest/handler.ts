import type { Contract } from '../contract/contract.ts';
import type { Document } from '../contract/openapi-document.ts';
import type { Operation } from '../contract/operation.ts';
import type { Authorize } from '../http/authentication.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { AnyOperation, Content, Declared, StatusOf } from './handler-content.ts';
import type { Patched } from './patched-input.ts';

/** What the contract admitted. Header names are in lower case, defaults are filled in. */
export type Input<Op extends AnyOperation> = {
  readonly path: Present<Op['parameters']['path']>;
  readonly query: Present<Op['parameters']['query']>;
  readonly headers: LowerCased<Present<Op['parameters']['header']>>;
  readonly cookies: Present<Op['parameters']['cookie']>;
} & Content<Op['requestBody']>;

/**
 * A declared status with its headers and body. A range such as `2XX` takes the statuses of the range that are not
 * declared, `default` those that neither a status nor a range declares.
 */
export type Reply<Op extends AnyOperation> = {
  [Status in keyof Op['responses']]: {
    readonly status: StatusOf<Status, keyof Op['responses']>;
  } & Declared<Op['responses'][Status]>;
}[keyof Op['responses']];

/** What a handler may ask of the request beyond its input. */
export type Context<Action, Identity = unknown> = {
  readonly authorize: Authorize<Action>;
  /** Who calls, by security scheme: what the functions of `Api.security` gave. */
  readonly identity: Identity;
  /** Of the media types of the operation's successful replies the one that the client prefers. */
  readonly accept: string;
  /** Applies a merge patch (RFC 7396) to a record of the operation's resource. */
  readonly patched: Patched;
};

/** Carries out one operation; a failure is thrown as an ApiError. */
export type Handler<Op extends AnyOperation, Action, Identity = unknown> = (
  input: Input<Op>,
  context: Context<Action, Identity>,
) => MaybePromise<Reply<Op>>;

/** One handler for each operation of a contract; `Identities` says who may call each (`./security.ts`). */
export type Handlers<
  Ops extends { [Id in keyof Ops]: AnyOperation },
  Action,
  Identities = Record<never, never>,
> = {
  readonly [Id in keyof Ops]: Handler<
    Ops[Id],
    Action,
    Id extends keyof Identities ? Identities[Id] : unknown
  >;
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

/** A reply as a handler gives it, whatever its operation. */
export type AnyReply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
  /** Which of the declared media types the body has; needed where there are several. */
  readonly type?: string | undefined;
  readonly body?: unknown;
};

/** Handlers as the endpoint calls them: the contract admits their input, the compiler their reply. */
export type AnyHandlers = Readonly<Record<string, AnyHandler>>;

type AnyHandler = {
  (input: never, context: never): MaybePromise<AnyReply>;
  /** Called at start where the handler serves some operations only. */
  readonly checkOperation?: CheckOperation;
};

/** Throws where a handler cannot carry out an operation. */
export type CheckOperation = (operation: Operation, document: Document) => void;

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
