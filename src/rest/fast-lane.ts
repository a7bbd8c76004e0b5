import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Access } from '../access.ts';
import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/operation.ts';
import { present } from '../errors.ts';
import { isPlainJson, parseJson, readBytes } from '../http/body.ts';
import type { Noted } from '../http/exchange.ts';
import { type AnyReply, send, sendWhole } from '../http/reply.ts';
import { type Admitted, createAdmit } from './admission.ts';
import type { AnyHandlers } from './endpoint.ts';
import type { AnswerProblem } from './problem.ts';

type Parts = {
  readonly contract: Contract;
  readonly handlers: AnyHandlers;
  readonly access: Access;
  /** The authority on everything that is not plainly valid. */
  readonly fullPath: RequestListener;
  readonly answerProblem: AnswerProblem;
};

/**
 * Answers a request that is plainly valid with the same handler and the same reply as the full path,
 * without going through Express; hands every other request on.
 */
export function createFastLane(parts: Parts): RequestListener {
  const admit = createAdmit(parts.contract);
  return (request, response) => {
    const { method = '', url = '', headers } = request;
    const admitted = admit(method, url, headers);
    if (!admitted || (admitted.admitsBody && !isPlainJson(request))) {
      parts.fullPath(request, response);
    } else if (admitted.admitsBody) {
      void answerWithBody(parts, admitted, request, response);
    } else {
      answer(parts, admitted, undefined, request, response);
    }
  };
}

async function answerWithBody(
  parts: Parts,
  admitted: Admitted,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readPlainBody(request);
  if (admitted.admitsBody?.(body)) answer(parts, admitted, body, request, response);
  else parts.fullPath(request, response);
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
  const send = (reply: AnyReply) => sendAs(operation, reply, response);
  const fail = (error: unknown) => parts.answerProblem(error, request, response);
  try {
    const handler = present(parts.handlers[operation.id]);
    const authorize = parts.access(request.headers.authorization);
    // The contract's schemas have admitted the input for this operation; its type is lost on the way.
    const reply = handler({ path, query, headers, body } as never, { authorize });
    if (reply instanceof Promise) void reply.then(send).catch(fail);
    else send(reply)?.catch(fail);
  } catch (error) {
    void fail(error);
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

/** The value of the body; undefined, which no schema admits, when it is not plainly JSON. */
async function readPlainBody(request: IncomingMessage): Promise<unknown> {
  try {
    return parseJson(await readBytes(request));
  } catch {
    return undefined;
  }
}
