import { faultyBody, validBody } from './bodies.ts';
import type { Choice } from './choice.ts';
import type { Operation } from './compared-contract.ts';
import { type Exchange, inOnePiece, type Pair, type WireRequest } from './compared-exchange.ts';
import { conditions, contentHeaders, oddHeaders, origins } from './headers.ts';
import { faultyParameters, parametersOf, targetOf } from './random-parameters.ts';

export const HOST: Pair = ['Host', 'localhost'];
const JSON_TYPE: Pair = ['Content-Type', 'application/json'];
const methods = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH'],
  ...['QUERY', 'MKCOL', 'PURGE', 'LINK', 'M-SEARCH', 'BREW', 'get'],
];

/** A plainly valid request of an operation. */
export function validRequest(choice: Choice, operation: Operation): WireRequest {
  const { method, body } = operation;
  const parameters = parametersOf(choice, operation);
  const { target, headers } = targetOf(operation, parameters);
  const inPath = parameters
    .filter((each) => each.in === 'path')
    .map(({ name, text }) => [name, text]);
  return {
    method,
    target,
    headers: [HOST, ...headers, ...(body ? [JSON_TYPE] : [])],
    body: body && validBody(choice, body, Object.fromEntries(inPath)),
  };
}

/** The operations that create a record in a collection. */
export function creating(operations: readonly Operation[]): Operation[] {
  return operations.filter(
    ({ method, path, body }) =>
      method === 'POST' && body && operations.some((each) => each.path.startsWith(`${path}/{`)),
  );
}

/** A request of an operation that is valid, or has one thing about it that is not. */
export function restExchange(choice: Choice, operations: readonly Operation[]): Exchange {
  if (choice.isOnceIn(25)) return repeated(choice, choice.one(creating(operations)));
  const writing = operations.filter((each) => each.body);
  const operation = choice.one(choice.isOnceIn(3) ? writing : operations);
  const { body } = operation;
  const valid = validRequest(choice, operation);
  const withHeaders = (more: readonly Pair[]) => ({
    ...valid,
    headers: [...valid.headers, ...more],
  });
  const [kind, request] = choice.make<readonly [string, WireRequest]>([
    [8, () => ['valid', valid]],
    [6, () => ['parameters', { ...valid, ...faultyTarget(choice, operation) }]],
    [body ? 10 : 1, () => ['body', withBody(choice, valid, faultyBody(choice, body ?? {}))]],
    [body ? 4 : 1, () => ['content headers', oddContent(choice, valid)]],
    [body ? 1 : 0, () => ['no body', { ...valid, body: undefined }]],
    [body ? 2 : 0, () => ['chunked', { ...valid, chunkSize: choice.one([1, 7, 100, 100_000]) }]],
    [3, () => ['method', { ...valid, method: choice.one(methods) }]],
    [4, () => ['conditions', withHeaders(conditions(choice))]],
    [2, () => ['headers', withHeaders(oddHeaders(choice))]],
    [
      1,
      () => ['preflight', { ...withHeaders(origins(choice)), method: 'OPTIONS', body: undefined }],
    ],
  ]);
  return inOnePiece(`rest: ${kind}`, [withMore(choice, request)]);
}

/** A key for two requests, of which the second has the same body, another one or one that is refused. */
function repeated(choice: Choice, operation: Operation): Exchange {
  const { body = {} } = operation;
  const keyed = (request: WireRequest): WireRequest => {
    const others = request.headers.filter(([name]) => name !== 'Idempotency-Key');
    return { ...request, headers: [...others, ['Idempotency-Key', key]] };
  };
  const key = `key-${choice.below(60)}`;
  const first = keyed(validRequest(choice, operation));
  const second = choice.make<WireRequest>([
    [3, () => first],
    [2, () => keyed(validRequest(choice, operation))],
    [1, () => ({ ...first, body: faultyBody(choice, body) })],
    [1, () => ({ ...first, body: Buffer.from(` ${first.body} `) })],
  ]);
  const requests = choice.isOnceIn(8) ? [second, first] : [first, second];
  return inOnePiece('rest: idempotency', requests);
}

/** Here and there one more thing: two faults meet, a HEAD stands for a GET, a page asks. */
function withMore(choice: Choice, request: WireRequest): WireRequest {
  const { method, headers } = request;
  return {
    ...request,
    method: method === 'GET' && choice.isOnceIn(8) ? 'HEAD' : method,
    headers: [
      ...headers,
      ...(choice.isOnceIn(6) ? origins(choice) : []),
      ...(choice.isOnceIn(20) ? oddHeaders(choice) : []),
      ...(choice.isOnceIn(20) ? conditions(choice) : []),
    ],
  };
}

function faultyTarget(
  choice: Choice,
  operation: Operation,
): Pick<WireRequest, 'target' | 'headers'> {
  const { target, headers } = targetOf(operation, faultyParameters(choice, operation));
  return { target, headers: [HOST, ...headers, ...(operation.body ? [JSON_TYPE] : [])] };
}

function withBody(choice: Choice, request: WireRequest, body: Buffer): WireRequest {
  const isTyped = request.headers.includes(JSON_TYPE);
  return {
    ...request,
    headers: isTyped ? request.headers : [...request.headers, JSON_TYPE],
    body,
    chunkSize: choice.isOnceIn(5) ? choice.one([1000, 100_000, 300_000]) : undefined,
  };
}

function oddContent(choice: Choice, request: WireRequest): WireRequest {
  const others = request.headers.filter((each) => each !== JSON_TYPE);
  return { ...request, headers: [...others, ...contentHeaders(choice)] };
}
