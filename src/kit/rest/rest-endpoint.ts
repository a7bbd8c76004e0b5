import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/operation.ts';
import { ApiError, present } from '../errors.ts';
import type { Access } from '../http/authentication.ts';
import type { Endpoint, Exchange, Reply } from '../http/exchange.ts';
import { createLru } from '../lru.ts';
import { declaredReplies } from './declared-replies.ts';
import type { AnyHandlers, AnyInput } from './handler.ts';
import { sentReply } from './handler-reply.ts';
import { createLane } from './lane.ts';
import { createPatched, type Patched } from './patched-input.ts';
import { createValidator } from './validator.ts';

type Parts = {
  readonly contract: Contract;
  readonly handlers: AnyHandlers;
  /** Answers operations that have no handler; without it each must have one. */
  readonly mock?:
    | ((operation: Operation, exchange: Exchange, input: AnyInput) => Reply)
    | undefined;
  /** Operations that are answered elsewhere. */
  readonly others: ReadonlySet<string>;
  readonly access: Access<never>;
  readonly fastLane: boolean;
  /** Answers what no path of the contract names; undefined where it does not know the path either. */
  readonly otherPaths: (exchange: Exchange) => Reply | Promise<Reply> | undefined;
};

/** The most operations whose patches are prepared. */
const MOST_PATCHERS = 100;

/**
 * The walk of a REST request: the fast lane admits what is plainly valid; everything else goes to
 * express-openapi-validator. Both give the same input to the same handler.
 */
export function createRestEndpoint(parts: Parts): Endpoint {
  const { contract, handlers, mock, access, fastLane, otherPaths } = parts;
  requireSameNames(parts);
  for (const each of contract.operations) {
    handlerOf(handlers, each.id)?.checkOperation?.(each, contract.document);
  }
  const lane = fastLane ? createLane(contract) : () => undefined;
  const validate = createValidator(contract);
  const replies = new Map(
    contract.operations.map((each) => [each, declaredReplies(contract.document, each)]),
  );
  const patchers = createLru(MOST_PATCHERS, (operation: Operation) =>
    createPatched(contract, operation),
  );
  const repliesOf = (operation: Operation) => present(replies.get(operation));

  function carryOut(exchange: Exchange, input: AnyInput): Reply | Promise<Reply> {
    const operation = present(exchange.operation);
    const authorize = access(exchange.request);
    const { accept, complete } = repliesOf(operation);
    const context = {
      authorize,
      identity: exchange.identity,
      accept: accept(exchange.request.headers.accept),
      patched: ((record, patch) => patchers(operation)(record, patch)) satisfies Patched,
    };
    const handler = handlerOf(handlers, operation.id);
    if (!handler) return complete(present(mock)(operation, exchange, input));
    // The contract admitted the input for this operation; its type is lost on the way.
    const reply = handler(input as never, context as never);
    return reply instanceof Promise
      ? reply.then((made) => complete(sentReply(made)))
      : complete(sentReply(reply));
  }

  async function fullPath(exchange: Exchange): Promise<Reply> {
    return carryOut(exchange, await validate(exchange));
  }

  return (exchange) => {
    if (!exchange.match) {
      const reply = otherPaths(exchange);
      if (reply) return reply;
      throw new ApiError('not-found');
    }
    if (exchange.operation?.deprecated) {
      exchange.headers.push(...repliesOf(exchange.operation).deprecation);
    }
    const admitted = lane(exchange);
    if (!admitted) return fullPath(exchange);
    if (!(admitted instanceof Promise)) return carryOut(exchange, admitted);
    return admitted.then((input) => (input ? carryOut(exchange, input) : fullPath(exchange)));
  };
}

/** The handler of an operation; what every object inherits is none. */
function handlerOf(handlers: AnyHandlers, id: string): AnyHandlers[string] | undefined {
  return id in Object.prototype && !Object.hasOwn(handlers, id) ? undefined : handlers[id];
}

function requireSameNames({ contract, handlers, mock, others }: Parts): void {
  const ids = new Set(contract.operations.map(({ id }) => id)).difference(others);
  const missing = mock ? [] : [...ids].filter((id) => !handlerOf(handlers, id));
  const extra = Object.keys(handlers).filter((id) => !ids.has(id));
  if (missing.length > 0) throw new Error(`no handler for the operation ${missing.join(', ')}`);
  if (extra.length > 0) throw new Error(`no operation for the handler ${extra.join(', ')}`);
}
