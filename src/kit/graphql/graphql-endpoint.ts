import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { createHandler, type Response } from 'graphql-http';
import { ApiError, invalid, present } from '../errors.ts';
import type { Access } from '../http/authentication.ts';
import { readJson } from '../http/body.ts';
import type { Exchange, Reply } from '../http/exchange.ts';
import { createAnswerBudget, createSemaphore } from './answer-budget.ts';
import { createLists, type GraphqlContext } from './context.ts';
import { createPrepare, type Prepared } from './documents.ts';
import { createExecute, type Operation } from './execution.ts';
import { formatError, type GraphqlCode } from './graphql-errors.ts';
import type { Limits } from './limits/limits.ts';

export type GraphqlParts = {
  readonly schema: GraphQLSchema;
  /** Identifies the contracts, for clients that ask. */
  readonly digest: string;
  /** What makes a value no GraphQL request, by the REST contract. */
  readonly envelopeFaults: (value: unknown) => readonly string[];
  /** What resolvers are given as `store`. */
  readonly store: unknown;
  readonly access: Access<never>;
  readonly limits: Limits;
  readonly introspection: boolean;
  readonly onFailure: (cause: unknown) => void;
  readonly onDeprecated: (coordinate: string) => void;
  /** Told the kind of an operation, and how many fields its answer has. */
  readonly onExecuted: (exchange: Exchange, kind: string, fields: number) => void;
  /** Told whether a document was in the cache. */
  readonly onLookup: (isKnown: boolean) => void;
};

type TextReply = Reply & { readonly body: string };

/** What the steps below hand on for one request. */
type Asked = {
  readonly exchange: Exchange;
  prepared?: Prepared;
  /** undefined where no operation was executed. */
  result?: ExecutionResult;
};

/** Answers POST /graphql; graphql-http negotiates the media type and decides the status. */
export function createGraphqlEndpoint(
  parts: GraphqlParts,
): (exchange: Exchange) => Promise<TextReply> {
  const { schema, onFailure } = parts;
  const prepare = createPrepare(schema, parts);
  const run = createRun(parts);

  const handle = createHandler<Exchange, Asked, Asked>({
    onSubscribe({ context: asked }, { query, operationName, variables }) {
      const prepared = prepare(query);
      if ('faults' in prepared) return prepared.faults;
      asked.prepared = prepared;
      const { document } = prepared;
      return { schema, document, operationName, variableValues: variables, contextValue: asked };
    },
    async execute({ operationName, variableValues, contextValue }) {
      // graphql does not type contexts; onSubscribe gave this one.
      const asked = contextValue as Asked;
      const prepared = present(asked.prepared);
      // graphql-http has refused a document without this operation.
      const operation = present(operationOf(prepared, operationName));
      asked.result = await run(asked.exchange, prepared, operation, variableValues);
      return isPlain(asked.result) ? NO_DATA : asked.result;
    },
    formatError: (error) => formatError(error, onFailure),
  });

  return async (exchange) => {
    try {
      const body = await readEnvelope(exchange, parts);
      const asked: Asked = { exchange };
      const response = await handle({
        method: 'POST',
        url: '/graphql',
        // The body was read as JSON; graphql-http knows fewer spellings of its media type.
        headers: { accept: exchange.request.headers.accept, 'content-type': 'application/json' },
        body,
        raw: exchange,
        context: asked,
      });
      return replyTo(body, response, asked.result, parts);
    } catch (error) {
      return refused(error, onFailure);
    }
  };
}

type Envelope = Record<string, unknown>;

async function readEnvelope(
  exchange: Exchange,
  { envelopeFaults }: GraphqlParts,
): Promise<Envelope> {
  // URLSearchParams drops one question mark at the start, which is this one.
  const [unknown] = new URLSearchParams(`?${exchange.query}`).keys();
  if (unknown !== undefined) {
    throw invalid(`/query/${unknown.slice(0, 100)}`, 'is not a parameter of this operation');
  }
  // GraphQL's numbers are ids, integers of 32 bits and doubles: rounding changes none of them.
  const value = await readJson(exchange, 'rounded');
  const faults = envelopeFaults(value);
  if (faults.length > 0) throw new ApiError('invalid-request', { detail: faults.join(', ') });
  // The contract's schema for the request, just applied, admits objects only.
  return value as Envelope;
}

function operationOf(
  { operations }: Prepared,
  name: string | null | undefined,
): Operation | undefined {
  return name == null ? operations[0] : operations.find((each) => each.name === name);
}

// How many operations read long lists at a time: each holds up to some 10 MB.
const LONG_READS = 4;
const LONGEST_NAME = 60;

type Variables = { readonly [name: string]: unknown } | null | undefined;

/** Prepares the execution of operations, each attempt with a context and an answer budget of its own. */
function createRun(parts: GraphqlParts) {
  const { schema, store, access, limits, onExecuted, onDeprecated } = parts;
  const execute = createExecute(schema);
  const longReads = createSemaphore(LONG_READS);

  return async (
    exchange: Exchange,
    { document, costs, deprecated }: Prepared,
    operation: Operation,
    variables: Variables,
  ): Promise<ExecutionResult> => {
    let current: { close(): void } | undefined;
    const createBudget = () => createAnswerBudget(limits.fields, costs, longReads);
    const contextOf = (): GraphqlContext<unknown, never> => {
      current?.close();
      const lists = createLists(createBudget);
      current = lists;
      return { store, lists, authorize: access(exchange.request.headers.authorization) };
    };
    const asked = { document, operation, variables, contextOf };
    const result = await execute(asked).finally(() => current?.close());
    exchange.graphql = operation.name?.slice(0, LONGEST_NAME);
    onExecuted(exchange, operation.definition.operation, fieldsIn(result.data));
    for (const each of deprecated) onDeprecated(each);
    return result;
  };
}

/** Counted in the answer: to count while they are resolved would cost each of them. */
function fieldsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const each of value) count += fieldsIn(each);
  } else {
    // Objects of an execution result have no other properties.
    for (const name in value) count += 1 + fieldsIn((value as Record<string, unknown>)[name]);
  }
  return count;
}

// graphql-http calls a replacer for each value of the JSON. A result without errors needs none: graphql-http is
// given this one, for status and media type. That saves 7 % of the CPU of a nested query (docs/architecture.md).
const NO_DATA: ExecutionResult = { data: null };

const isPlain = (result: ExecutionResult) => 'data' in result && !result.errors;

function replyTo(
  { extensions }: Envelope,
  [text, { status, headers = {} }]: Response,
  result: ExecutionResult | undefined,
  { digest }: GraphqlParts,
): TextReply {
  const type = (headers['content-type'] ?? 'application/json').replace('; charset=utf-8', '');
  // GraphQL over HTTP wants 400 for variables that do not fit, with its own media type.
  const isRefused = result && !('data' in result) && type === 'application/graphql-response+json';
  const answer = result && isPlain(result) ? JSON.stringify(result) : (text ?? notAcceptable);
  const body =
    Object(extensions).contractDigest === true
      ? JSON.stringify({ ...JSON.parse(answer), extensions: { contractDigest: digest } })
      : answer;
  return { status: isRefused ? 400 : status, headers: {}, type, body };
}

function refused(error: unknown, onFailure: GraphqlParts['onFailure']): TextReply {
  const { code, detail, errors } =
    error instanceof ApiError ? error : new ApiError('internal-error');
  if (code === 'internal-error') {
    onFailure(error);
    return errorReply(500, 'INTERNAL_SERVER_ERROR', 'Internal server error');
  }
  const reason = errors?.map(({ path, message }) => `${path} ${message}`).join(', ') ?? detail;
  const message = `The request is not a GraphQL request: ${reason}`;
  return errorReply(code === 'payload-too-large' ? 413 : 400, 'BAD_REQUEST', message);
}

/** The reply when the server has no capacity; nothing of the request was read. */
export const unavailable: TextReply = {
  ...errorReply(503, 'UNAVAILABLE', 'The server cannot answer now; try again later.'),
  headers: { 'Retry-After': '1' },
};

/** The reply to what is no HTTP request. */
export function badRequest(message: string): TextReply {
  return errorReply(400, 'BAD_REQUEST', message);
}

function errorReply(status: number, code: GraphqlCode, message: string): TextReply {
  const body = JSON.stringify({ errors: [{ message, extensions: { code } }] });
  return { status, headers: {}, body };
}

const { body: notAcceptable } = errorReply(
  406,
  'BAD_REQUEST',
  'The answer is application/graphql-response+json or application/json, in UTF-8.',
);
