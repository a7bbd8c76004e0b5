import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/operation.ts';
import { responseOf } from '../contract/response-check.ts';
import { type ApiError, type ErrorCode, present } from '../errors.ts';
import type { Exchange, Reply } from '../http/exchange.ts';
import { json } from '../json-text.ts';
import { asDeclared } from './broken-reference.ts';
import type { AnyOperation, BodyOf } from './handler-content.ts';
import { sentBody } from './handler-reply.ts';
import { type Problem, problemHeaders, problemOf, toApiError } from './problem.ts';
import { createProblemType, PROBLEM_TYPE } from './problem-type.ts';

/** Says an error in the contract's own shape. It is given the kit's; undefined leaves it at that. */
export type ProblemFunction<Ops extends { [Id in keyof Ops]: AnyOperation }> = (
  problem: Problem & { readonly code: ErrorCode },
  /** Undefined where the request names no operation. */
  operation: Operation | undefined,
) => ErrorBody<Ops> | undefined;

/** The bodies that a contract declares for errors: of 4xx, 5xx and default. */
export type ErrorBody<Ops extends { [Id in keyof Ops]: AnyOperation }> = {
  [Id in keyof Ops]: ErrorOf<Ops[Id]['responses']>;
}[keyof Ops];

type ErrorOf<Responses> = {
  [Status in keyof Responses]: `${Status & (string | number)}` extends
    | `${4 | 5}${string}`
    | 'default'
    ? BodyOf<Responses[Status]>
    : never;
}[keyof Responses];

export type AnyProblemFunction = (
  problem: Problem & { readonly code: ErrorCode },
  operation: Operation | undefined,
) => { readonly body?: unknown; readonly type?: string | undefined } | undefined;

type Parts = {
  readonly contract: Pick<Contract, 'operations' | 'schemas'>;
  /** Of the API. */
  readonly problem?: AnyProblemFunction | undefined;
  /** Makes what an operation declares for a status; undefined where that cannot be made. */
  readonly mock?: ((operation: Operation, status: number) => Reply | undefined) | undefined;
  readonly onFailure: (what: string, cause: unknown, request: string) => void;
};

/** The replies to errors: what an endpoint threw, and refusals before any endpoint. */
export type Problems = {
  /** Failures of the server itself are logged, once, with their cause. */
  readonly fail: (thrown: unknown, exchange: Exchange) => Reply;
  readonly refuse: (error: ApiError, exchange: Exchange) => Reply;
};

export function createProblems({ contract, problem: own, mock, onFailure }: Parts): Problems {
  const typeOf = createProblemType(contract);

  function refuse(error: ApiError, exchange: Exchange): Reply {
    const problem = problemOf(error);
    const { status } = problem;
    const operation = operationFor(exchange, status);
    const headers = problemHeaders(error);
    const shaped = own && shape(own, { ...problem, code: error.code }, operation, exchange);
    if (!shaped) {
      const type = typeOf(operation, problem);
      const mocked = operation && type === undefined && mock?.(operation, status);
      if (mocked) return { ...mocked, headers: { ...mocked.headers, ...headers } };
      return { status, headers, type: type ?? PROBLEM_TYPE, body: json(problem) };
    }
    const declared = operation && responseOf(operation, status);
    const type = shaped.type ?? Object.keys(declared?.content ?? {})[0] ?? 'application/json';
    return { status, headers, type, body: sentBody(shaped.body) };
  }

  /** A fault in the API's own function must not hide the error. */
  function shape(
    made: AnyProblemFunction,
    problem: Parameters<AnyProblemFunction>[0],
    operation: Operation | undefined,
    { id, method, path }: Exchange,
  ): ReturnType<AnyProblemFunction> {
    try {
      return made(problem, operation);
    } catch (error) {
      onFailure(`${method} ${path}: the problem function`, error, id);
      return undefined;
    }
  }

  return {
    refuse,
    fail(thrown, exchange) {
      const { id, method, path } = exchange;
      const error = asDeclared(toApiError(thrown), exchange.operation);
      if (error.code === 'internal-error' || error.code === 'unavailable') {
        onFailure(`${method} ${path}`, error.cause ?? error, id);
      }
      return refuse(error, exchange);
    },
  };
}

/** A 405 is the path's: any operation of it may declare it. */
function operationFor({ operation, match }: Exchange, status: number): Operation | undefined {
  if (operation || !match || status !== 405) return operation;
  const { methods, operations } = match.route;
  return methods
    .map((method) => present(operations.get(method)))
    .find((each) => responseOf(each, status));
}
