import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Access } from '../access.ts';
import type { Contract } from '../contract/contract.ts';
import { present } from '../errors.ts';
import { isPlainJson, parseJson, readBytes } from '../http/body.ts';
import type { Noted } from '../http/exchange.ts';
import { send, sendWhole } from '../http/reply.ts';
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
    } else {
      void answer(parts, admitted, request, response);
    }
  };
}

async function answer(
  parts: Parts,
  { operation, input, admitsBody }: Admitted,
  request: Noted,
  response: ServerResponse,
): Promise<void> {
  request.operation = operation.id;
  try {
    const { path, query, headers } = input;
    const body = admitsBody && (await readPlainBody(request));
    if (admitsBody && !admitsBody(body)) return parts.fullPath(request, response);
    const handler = present(parts.handlers[operation.id]);
    const authorize = parts.access(request.headers.authorization);
    // The contract's schemas have admitted the input for this operation; its type is lost on the way.
    const reply = await handler({ path, query, headers, body } as never, { authorize });
    const type = operation.mediaTypes.get(reply.status);
    const { status, headers: more, body: text } = reply;
    if (typeof text === 'object') await send(response, { ...reply, type }, true);
    else sendWhole(response, { status, headers: more, type, body: text });
  } catch (error) {
    await parts.answerProblem(error, request, response);
  }
}

/** The value of the body; undefined, which no schema admits, when it is not plainly JSON. */
async function readPlainBody(request: IncomingMessage): Promise<unknown> {
  try {
    return parseJson(await readBytes(request));
  } catch {
    return undefined;
  }
}
