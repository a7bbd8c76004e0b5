/** The entry of the package `accord`: what an API is written with. Whatever is not here may change in any version. */

export type { Api } from './api-declaration.ts';
export type { Formats } from './contract/formats.ts';
export { ApiError, type ErrorCode, type InputError, invalid } from './errors.ts';
export type { GraphqlContext } from './graphql/context.ts';
export { childrenOf, cursorIn, listOf } from './graphql/list-fields.ts';
export { guarded, parentOf, recordOf } from './graphql/record-fields.ts';
export { byId } from './graphql/record-id.ts';
export type { Resolvers, Scalars } from './graphql/resolver-check.ts';
export type { Policy } from './http/authentication.ts';
export type { UploadedFile } from './http/upload-spool.ts';
export { type Json, type JsonStream, json } from './json-text.ts';
export { createLog, type Log } from './observe/log.ts';
export { run } from './process/run.ts';
export { readSettings, type Settings } from './process/settings.ts';
export { collectionHandlers } from './rest/collection-handlers.ts';
export { contractHandlers } from './rest/contract-files.ts';
export type { Context, Handler, HandlerParts, Handlers, Input, Reply } from './rest/handler.ts';
export type { ProblemFunction } from './rest/problem-reply.ts';
export { readinessHandlers } from './rest/readiness.ts';
export {
  byPolicy,
  type Identities,
  jwtBearer,
  type Security,
  type SecurityContext,
} from './rest/security.ts';
export { type Running, type ServeOptions, serve } from './serve.ts';
export type { Collection, Records } from './store/store.ts';
export { collection, records, type StoreOf } from './store/table-declarations.ts';
