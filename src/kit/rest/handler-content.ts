import type { Readable } from 'node:stream';
import type { UploadedFile } from '../http/upload-spool.ts';
import type { Json, JsonStream } from '../json-text.ts';

/** An operation as openapi-typescript writes it. */
export type AnyOperation = {
  readonly parameters: {
    readonly path?: unknown;
    readonly query?: unknown;
    readonly header?: unknown;
    readonly cookie?: unknown;
  };
  readonly requestBody?: unknown;
  readonly responses: object;
};

/**
 * The body of a request: the value of JSON or a form, the text of text, otherwise a stream. Where several media
 * types are declared, or a range such as `image/*`, `mediaType` says which was sent.
 */
export type Content<Body> = [NonNullable<Body>] extends [never]
  ? { readonly body: undefined }
  : NonNullable<Body> extends { content: infer Media }
    ? ReceivedAs<Media> | Absent<Body, IsOne<keyof Media>>
    : { readonly body: undefined };

type ReceivedAs<Media> = {
  [Type in keyof Media]: (IsOne<keyof Media> extends true
    ? unknown
    : { readonly mediaType: Concrete<Type> }) & { readonly body: Received<Type, Media[Type]> };
}[keyof Media];

/** Without a body, where it may be left out. */
type Absent<Body, IsOnly> = undefined extends Body
  ? IsOnly extends true
    ? { readonly body: undefined }
    : { readonly mediaType: undefined; readonly body: undefined }
  : never;

/** In a range there may be media types of each kind. */
type Received<Type, Value> = Type extends JsonType | `application/x-www-form-urlencoded${string}`
  ? Without<Value, '$read', '$write'>
  : Type extends `multipart/${string}`
    ? PartsOf<Without<Value, '$read', '$write'>>
    : Type extends `${string}*`
      ? unknown
      : Type extends TextType
        ? string
        : Readable;

type PartsOf<Value> = { readonly [Name in keyof Value]: Part<Value[Name]> };

/** `format: binary`, which the generator writes as text with this mark. */
type Part<Value> = Value extends readonly (infer Each)[]
  ? Part<Each>[]
  : Value extends string
    ? 'format' extends keyof Value
      ? UploadedFile
      : Value
    : Value;

/** Headers and body of a response. Both may be left out where nothing in them is needed. */
export type Declared<Response> = HeadersOf<Response> & BodyOf<Response>;

type HeadersOf<Response> =
  Record<never, never> extends DeclaredHeaders<Response>
    ? { readonly headers?: Exact<DeclaredHeaders<Response>> }
    : { readonly headers: DeclaredHeaders<Response> };

// openapi-typescript adds an index signature to each set of headers; only the declared ones count.
type DeclaredHeaders<Response> = Response extends { headers: infer H }
  ? { readonly [Name in keyof H as string extends Name ? never : Exclude<Name, OfServer>]: H[Name] }
  : Record<never, never>;

/** No header where none is declared. */
type Exact<H> = [keyof H] extends [never] ? Readonly<Record<string, never>> : H;

/** Headers that the server itself puts on every answer; OpenAPI ignores a declared Content-Type. */
type OfServer =
  | 'X-Request-Id'
  | 'Contract-Digest'
  | 'X-Content-Type-Options'
  | 'Content-Type'
  | 'content-type';

export type BodyOf<Response> = Response extends { content: infer Media }
  ? [keyof Media] extends [never]
    ? NoBody
    : {
        [Type in keyof Media]: (IsOne<keyof Media> extends true
          ? { readonly type?: Type }
          : { readonly type: Concrete<Type> }) & { readonly body: Sent<Type, Media[Type]> };
      }[keyof Media]
  : NoBody;

type NoBody = { readonly type?: undefined; readonly body?: undefined };

// The schema of a media type other than JSON is of the data in the text, which is sent as it is.
type Sent<Type, Value> = Type extends JsonType
  ? JsonOf<Without<Value, '$write', '$read'>>
  : string | Uint8Array | AsyncIterable<string | Uint8Array>;

type JsonOf<Value> =
  | Json<Value>
  | Plain<Value>
  | ([Value] extends [readonly unknown[]] ? JsonStream<Value> : never);

/**
 * A value without its members that are marked `Gone`, and without the other mark. The generator marks what is
 * read-only with `$read`, which requests do not have, and what is write-only with `$write`, which replies do not have.
 */
type Without<Value, Gone extends Mark, Kept extends Mark> = unknown extends Value
  ? Value
  : Value extends string | number | boolean | null | undefined
    ? Value
    : Value extends { readonly [Name in Kept]: infer Inner }
      ? Without<Inner, Gone, Kept>
      : Value extends readonly unknown[]
        ? { [Index in keyof Value]: Without<Value[Index], Gone, Kept> }
        : {
            [Name in keyof Value as IsMarked<Value[Name], Gone> extends true
              ? never
              : Name]: Without<Value[Name], Gone, Kept>;
          };

type Mark = '$read' | '$write';
type IsMarked<Value, Name extends Mark> = [NonNullable<Value>] extends [never]
  ? false
  : NonNullable<Value> extends { readonly [Each in Name]: unknown }
    ? true
    : false;

/** What the kit makes JSON text of. A string is taken for JSON text, so that a value that may be one needs `json()`. */
type Plain<Value> = unknown extends Value
  ? object | number | boolean | null
  : Exclude<Value, string>;

/** The statuses of a response: itself, its range, or for `default` all; less those that are declared. */
export type StatusOf<Status, All> = Status extends number
  ? Status
  : Status extends Range
    ? Exclude<InRange<Status>, All>
    : Status extends 'default'
      ? Exclude<InRange<'2XX' | '3XX' | '4XX' | '5XX'>, All | InRange<All>>
      : never;

type Range = `${1 | 2 | 3 | 4 | 5}${'XX' | 'xx'}`;
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type InRange<Status> = Status extends `${infer First}${'XX' | 'xx'}`
  ? NumberOf<`${First}${Digit}${Digit}`>
  : never;
type NumberOf<Text> = Text extends `${infer N extends number}` ? N : never;

type JsonType = `${string}/json${string}` | `${string}+json${string}`;
type TextType = `text/${string}` | `application/xml${string}` | `${string}+xml${string}`;

/** A range stands for each of its media types. */
type Concrete<Type> = Type extends '*/*'
  ? `${string}/${string}`
  : Type extends `${infer Start}*`
    ? `${Start}${string}`
    : Type;

/** Whether a contract declares one media type, and no range. */
type IsOne<Type> = [Extract<Type, `${string}*`>] extends [never]
  ? [Type] extends [Only<Type>]
    ? true
    : false
  : false;

/** The type itself where it is no union. */
type Only<Type, Each = Type> = Each extends unknown
  ? [Type] extends [Each]
    ? Each
    : never
  : never;
