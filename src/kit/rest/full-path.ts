import type { Request, RequestHandler } from 'express';
import type { OpenApiRequest } from 'express-openapi-validator/dist/framework/types.js';
import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/operation.ts';
import { present } from '../errors.ts';
import type { Access } from '../http/authentication.ts';
import { type AnyReply, send } from '../http/reply.ts';
import { answeredElsewhere, type Context } from './handler.ts';
import { normalise } from './mends.ts';
import type { Validate } from './validator.ts';

/** A handler as the edge calls it: with what the validator admitted for its operation. */
type AnyHandler = (input: never, context: Context<string>) => AnyReply | Promise<AnyReply>;
export type AnyHandlers = Readonly<Record<string, AnyHandler>>;

/**
 * The full path: each request is mended, validated against the contract and handed to its handler. What no
 * path of the contract names is handed on.
 */
export function restEndpoint(
  contract: Contract,
  handlers: AnyHandlers,
  access: Access<string>,
  validate: Validate,
): RequestHandler {
  requireSameNames(contract, handlers);

  return async (request, response, next) => {
    const withBody = request.method !== 'HEAD';
    const match = await normalise(contract, request);
    if (!match) return next();
    const refused = validate(match, request);
    if (refused) return next(refused);
    const operation = present(match.route.operations.get(request.method));
    const handler = present(handlers[operation.id]);
    // The validator admitted the request for this operation; the type of its input is lost on the way.
    const input = inputOf(operation, request) as never;
    const reply = await handler(input, { authorize: access(request.headers.authorization) });
    const type = operation.mediaTypes.get(reply.status);
    await send(response, { ...reply, type }, withBody);
  };
}

function requireSameNames({ operations }: Contract, handlers: AnyHandlers): void {
  const ids = new Set(operations.map(({ id }) => id));
  for (const id of answeredElsewhere) ids.delete(id);
  const missing = [...ids].filter((id) => !handlers[id]);
  const extra = Object.keys(handlers).filter((id) => !ids.has(id));
  if (missing.length > 0) throw new Error(`no handler for the operation ${missing.join(', ')}`);
  if (extra.length > 0) throw new Error(`no operation for the handler ${extra.join(', ')}`);
}

function inputOf(operation: Operation, request: Request) {
  const headers = operation.parameters
    .filter((parameter) => parameter.in === 'header')
    .map(({ name }) => name.toLowerCase())
    .filter((name) => request.headers[name] !== undefined)
    .map((name) => [name, request.headers[name]] as const);
  return {
    // req.params keeps some values as text; these are converted. The validator put them there.
    path: present((request as OpenApiRequest).openapi).pathParams,
    query: request.query,
    headers: Object.fromEntries(headers),
    body: request.body,
  };
}
