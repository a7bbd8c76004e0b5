// engines: sqlite
import type { Readable } from 'node:stream';
import { expectTypeOf, it } from 'vitest';
import type { UploadedFile } from '../../../src/kit/http/upload-spool.ts';
import type { Json, JsonStream } from '../../../src/kit/json-text.ts';
import type { Context, Handlers, Input, Reply } from '../../../src/kit/rest/handler.ts';
import type { ProblemFunction } from '../../../src/kit/rest/problem-reply.ts';
import type { Identities, Security } from '../../../src/kit/rest/security.ts';

type Binary = string & { readonly format?: 'binary' };
type Headers = { [name: string]: unknown };
type Operation<Body, Responses extends object> = {
  parameters: {
    path: { id: number };
    query?: { tags?: string[] };
    header?: { 'X-Trace'?: string };
    cookie: { session: string };
  };
  requestBody: Body;
  responses: Responses;
};
type Put<
  Media,
  Responses extends object = { 204: { headers: Headers; content?: never } },
> = Operation<{ content: Media }, Responses>;
type Ok<Media> = Reply<Put<never, { 200: { headers: Headers; content: Media } }>>;

// The compiler checks these: `npm run check:types`.
it('an input has everything that the contract admits', () => {
  type Given = Input<Put<{ 'application/json': { a: 1 } }>>;
  expectTypeOf<Given['path']>().toEqualTypeOf<{ id: number }>();
  expectTypeOf<Given['query']>().toEqualTypeOf<{ tags?: string[] }>();
  expectTypeOf<Given['headers']>().toEqualTypeOf<{ 'x-trace'?: string }>();
  expectTypeOf<Given['cookies']>().toEqualTypeOf<{ session: string }>();
});

it('a body is what its media type says', () => {
  type Body<Type extends string, T> = Input<Put<{ [Each in Type]: T }>>['body'];
  expectTypeOf<Body<'application/merge-patch+json', number>>().toEqualTypeOf<number>();
  expectTypeOf<Body<'application/x-www-form-urlencoded', { a: 1 }>>().toEqualTypeOf<{ a: 1 }>();
  expectTypeOf<Body<'text/csv; header=present', string>>().toEqualTypeOf<string>();
  expectTypeOf<Body<'application/octet-stream', Binary>>().toEqualTypeOf<Readable>();
  expectTypeOf<Body<'image/*', Binary>>().toEqualTypeOf<unknown>();
  type Form = Body<'multipart/form-data', { a: string; b?: Binary; c: Binary[] }>;
  expectTypeOf<Form>().toEqualTypeOf<{
    readonly a: string;
    readonly b?: UploadedFile;
    readonly c: UploadedFile[];
  }>();
});

it('a body may be absent, and may have several media types', () => {
  type Optional = Input<Operation<{ content: { 'text/plain': string } } | undefined, object>>;
  expectTypeOf<Optional['body']>().toEqualTypeOf<string | undefined>();
  type Several = Input<Put<{ 'application/json': { a: 1 }; 'image/*': Binary }>>;
  type Types = 'application/json' | `image/${string}`;
  expectTypeOf<Several['mediaType']>().toEqualTypeOf<Types>();
  type OfJson = Extract<Several, { mediaType: 'application/json' }>;
  expectTypeOf<OfJson['body']>().toEqualTypeOf<{ a: 1 }>();
});

it('read-only members are not in inputs, write-only ones not in replies', () => {
  type Marked = {
    id: { readonly $read: number };
    password: { readonly $write: string };
    items?: { at: { readonly $read: string }; name: string }[];
  };
  type Given = Input<Put<{ 'application/json': Marked }>>['body'];
  expectTypeOf<Given>().toEqualTypeOf<{ password: string; items?: { name: string }[] }>();
  type Sent = Extract<Ok<{ 'application/json': Marked }>['body'], { id: unknown }>;
  expectTypeOf<Sent>().toEqualTypeOf<{ id: number; items?: { at: string; name: string }[] }>();
});

it('ranges and default have the statuses that are not declared', () => {
  type Empty = { headers: Headers; content?: never };
  type Status = Reply<
    Put<never, { 201: Empty; '2XX': Empty; 404: Empty; default: Empty }>
  >['status'];
  expectTypeOf<299>().toExtend<Status>();
  expectTypeOf<503>().toExtend<Status>();
  expectTypeOf<100>().not.toExtend<Status>();
  type Alone = Reply<Put<never, { 200: Empty; '4XX': Empty }>>['status'];
  expectTypeOf<499>().toExtend<Alone>();
  expectTypeOf<201>().not.toExtend<Alone>();
  type ByDefault = Extract<
    Reply<
      Put<never, { 200: Empty; '4XX': { headers: Headers; content: { a: 1 } }; default: Empty }>
    >,
    { status: 500 }
  >;
  expectTypeOf<404>().not.toExtend<ByDefault['status']>();
  expectTypeOf<200>().not.toExtend<ByDefault['status']>();
});

it('a reply has text or a value of JSON, bytes or text of anything else', () => {
  type Body = Ok<{ 'application/json': { a: 1 }[] }>['body'];
  expectTypeOf<Body>().toEqualTypeOf<{ a: 1 }[] | Json<{ a: 1 }[]> | JsonStream<{ a: 1 }[]>>();
  expectTypeOf<Ok<{ 'application/json': string }>['body']>().toEqualTypeOf<Json<string>>();
  expectTypeOf<Buffer>().toExtend<Ok<{ 'image/png': string }>['body']>();
  expectTypeOf<Readable>().toExtend<Ok<{ 'image/png': string }>['body']>();
  expectTypeOf<Ok<{ 'image/*': string }>['type']>().toEqualTypeOf<`image/${string}`>();
});

it('a handler knows who calls', () => {
  type Schemes = {
    key: { type: 'apiKey'; in: 'query'; name: 'k' };
    basic: { type: 'http'; scheme: 'basic' };
    bearer: { type: 'http'; scheme: 'bearer' };
  };
  const security = {
    key: (key) => ({ key }),
    basic: async ({ username }) => username || undefined,
    bearer: 'by policy',
  } satisfies Security<Schemes>;
  type Of = Identities<
    typeof security,
    {
      none: [];
      both: [{ key: []; basic: [] }];
      either: [{ key: [] }, { basic: [] }, Record<never, never>];
    }
  >;
  expectTypeOf<Of['both']['key']>().toEqualTypeOf<{ key: string }>();
  expectTypeOf<Of['either']['key']>().toEqualTypeOf<{ key: string } | undefined>();
  expectTypeOf<Of['either']['basic']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<keyof Of['none']>().toEqualTypeOf<never>();
  type Ops = { both: Put<never> };
  type Given = Parameters<Handlers<Ops, 'write', Of>['both']>[1];
  expectTypeOf<Given>().toEqualTypeOf<Context<'write', Of['both']>>();
});

it('the bodies of errors are those of 4xx, 5xx and default', () => {
  type Media<T> = { headers: Headers; content: { 'application/json': T } };
  type Ops = {
    a: Put<never, { 200: Media<{ ok: 1 }>; 404: Media<{ a: 1 }> }>;
    b: Put<never, { '5XX': Media<{ b: 1 }>; default: Media<{ c: 1 }> }>;
  };
  type Made = NonNullable<ReturnType<ProblemFunction<Ops>>>;
  type Body = Exclude<Made['body'], string>;
  expectTypeOf<Body>().toEqualTypeOf<{ a: 1 } | { b: 1 } | { c: 1 }>();
});
