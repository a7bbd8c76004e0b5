import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/operation.ts';
import { type ApiError, present } from '../errors.ts';
import type { Access } from '../http/authentication.ts';
import { isPlainJson, parseJson, readBytes } from '../http/body.ts';
import type { Noted } from '../http/exchange.ts';
import { type AnyReply, send, sendWhole } from '../http/reply.ts';
import { splitTarget } from '../http/target.ts';
import { type Admitted, createAdmit } from './admission.ts';
import type { AnyHandlers } from './full-path.ts';
import type { AnswerProblem } from './problem.ts';
import type { Refusals } from './refusals.ts';
import { refusedBody } from './refused-body.ts';
import type { Validate } from './validator.ts';

type Parts = {
  readonly contract: Contract;
  readonly handlers: AnyHandlers;
  readonly access: Access<string>;
  /** The authority on everything that is not plainly valid. */
  readonly fullPath: RequestListener;
  /** What it has refused for good. */
  readonly refusals: Refusals;
  /** Its validator, which is asked about a body that is not plainly valid. */
  readonly validate: Validate;
  readonly answerProblem: AnswerProblem;
};

/**
 * Answers a request that is plainly valid with the same handler and the same reply as the full path,
 * without going through Express, and repeats what the full path has refused for good; hands every other
 * request on.
 */
export function createFastLane(parts: Parts): RequestListener {
  const admit = createAdmit(parts.contract);
  return (request, response) => {
    const { method = '', url = '', headers } = request;
    const admitted = admit(method, url, headers);
    if (!admitted) {
      const refused = refusal(parts, method, url);
      if (refused) parts.answerProblem(refused, request, response);
      else parts.fullPath(request, response);
    } else if (admitted.admitsBody && !isPlainJson(request)) {
      parts.fullPath(request, response);
    } else if (admitted.admitsBody) {
      answerWithBody(parts, admitted, request, response);
    } else {
      answer(parts, admitted, undefined, request, response);
    }
  };
}

/** What the full path would say to a method that the path does not have, once it has said so. */
function refusal({ contract, refusals }: Parts, method: string, url: string): ApiError | undefined {
  const match = contract.routes(splitTarget(url)[0]);
  return match && refusals.find(match.route, method);
}

function answerWithBody(
  parts: Parts,
  admitted: Admitted,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const handOn = () => parts.fullPath(request, response);
  readBytes(request).then((bytes) => {
    const body = plainValue(bytes);
    if (admitted.admitsBody?.(body)) {
      answer(parts, admitted, body, request, response);
      return;
    }
    const refused =
      body === undefined ? undefined : refusedBody(parts.validate, admitted, request, bytes);
    if (refused) parts.answerProblem(refused, request, response);
    else handOn();
  }, handOn);
}

/** Carries out an operation. What needs no waiting is answered without any. */
function answer(
  parts: Parts,
  { operation, input }: Admitted,
  body: unknown,
  request: Noted,
  response: ServerResponse,
): void {
  request.operation = operation.id;
  const { path, query, headers } = input;
  try {
    const handler = present(parts.handlers[operation.id]);
    const authorize = parts.access(request.headers.authorization);
    // The contract's schemas have admitted the input for this operation; its type is lost on the way.
    const reply = handler({ path, query, headers, body } as never, { authorize });
    const sent =
      reply instanceof Promise
        ? reply.then((there) => sendAs(operation, there, response))
        : sendAs(operation, reply, response);
    sent?.catch((error: unknown) => parts.answerProblem(error, request, response));
  } catch (error) {
    parts.answerProblem(error, request, response);
  }
}

function sendAs(
  { mediaTypes }: Operation,
  { status, headers, body }: AnyReply,
  response: ServerResponse,
): Promise<void> | undefined {
  const type = mediaTypes.get(status);
  if (typeof body === 'object') return send(response, { status, headers, type, body }, true);
  sendWhole(response, { status, headers, type, body });
  return undefined;
}

/** The value of a body; undefined, which no schema admits, when it is not plainly JSON. */
function plainValue(bytes: Buffer): unknown {
  try {
    return parseJson(bytes);
  } catch {
    return undefined;
  }
}
