import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from 'graphql';
import { createHandler } from 'graphql-http';
import { Loaders } from '../../api/loaders.ts';
import { ApiError, invalid } from '../errors.ts';
import type { Access } from '../http/authentication.ts';
import { readJson } from '../http/body.ts';
import { sendWhole, type WholeReply } from '../http/reply.ts';
import { splitTarget } from '../http/target.ts';
import type { Store } from '../store/store.ts';
import { type AnswerBudget, createAnswerBudget } from './answer-budget.ts';
import type { Context } from './context.ts';
import { createDocuments } from './documents.ts';
import { createExecute } from './execution.ts';
import { formatError } from './graphql-errors.ts';
import type { Limits } from './limits/limits.ts';
import { type Executed, executedOf } from './operation-summary.ts';
import { createSemaphore } from './semaphore.ts';

export type GraphqlParts = {
  readonly schema: GraphQLSchema;
  /** Which contracts are enforced, for those who ask. */
  readonly digest: string;
  /** What of a value makes it no GraphQL request, as the REST contract has it. */
  readonly envelopeFaults: (value: unknown) => readonly string[];
  readonly store: Store;
  readonly access: Access;
  readonly limits: Limits;
  readonly introspection: boolean;
  readonly onFailure: (cause: unknown) => void;
  readonly onDeprecated: (coordinate: string) => void;
  readonly onExecuted: (request: IncomingMessage, executed: Executed) => void;
  /** Told whether a document was known. */
  readonly onLookup: (isKnown: boolean) => void;
};

export type GraphqlEndpoint = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Answers POST /graphql: graphql-http's protocol around the parser, the limits and the resolvers. */
export function graphqlEndpoint(parts: GraphqlParts): GraphqlEndpoint {
  const answer = createAnswer(parts);
  return async (request, response) => {
    let reply: WholeReply;
    try {
      reply = await answer(request, await readRequest(request, parts));
    } catch (error) {
      reply = refused(error, parts);
    }
    sendWhole(response, reply);
  };
}

type Envelope = Record<string, unknown>;
/** How far the execution of one request came. */
type Progress = {
  /** Whether something was resolved. */
  isResolved: boolean;
  /** What came of it, when nothing went wrong. */
  result: ExecutionResult | undefined;
};
const NOTHING: ExecutionResult = { data: null };
// How many operations read long lists at a time: each holds up to some 10 MB meanwhile.
const LONG_READS = 4;

/** What the context is made of, when it is known what is executed. */
type Asked = { readonly raw: IncomingMessage };
type Answer = (request: IncomingMessage, envelope: Envelope) => Promise<WholeReply>;

function createAnswer(parts: GraphqlParts): Answer {
  const { schema, store } = parts;
  const documents = createDocuments(schema, parts);
  const execute = createExecute(schema);
  const longReads = createSemaphore(LONG_READS);

  /** Executes with a budget for each attempt, which is closed before the next one begins. */
  function executeWithin(args: ExecutionArgs, { raw }: Asked): Promise<ExecutionResult> {
    let current: AnswerBudget | undefined;
    const contextOf = (): Context => {
      current?.close();
      let own: AnswerBudget | undefined;
      const budget = () => {
        own ??= createAnswerBudget(
          parts.limits.fields,
          documents.of(args.document).costs,
          longReads,
        );
        current = own;
        return own;
      };
      const authorize = parts.access(raw.headers.authorization);
      return { store, budget, loaders: new Loaders(store, budget), authorize };
    };
    return execute({ ...args, contextOf }).finally(() => current?.close());
  }

  const handler = createHandler<IncomingMessage, Progress, Asked>({
    schema,
    // What is known to be good need not go through all of what follows here.
    onSubscribe(request, { query, operationName, variables }) {
      const document = documents.ready(query);
      if (!document) return undefined;
      const contextValue = { raw: request.raw };
      return { schema, document, operationName, variableValues: variables, contextValue };
    },
    parse: (source) => documents.parse(typeof source === 'string' ? source : source.body),
    validate: (_, document) => documents.of(document).faults,
    context: ({ raw }) => ({ raw }),
    // graphql does not say what a context is; this is the one given above.
    execute: ({ contextValue, ...args }) => executeWithin(args, contextValue as Asked),
    onOperation: ({ context: progress, raw }, { document, operationName }, result) => {
      progress.isResolved = 'data' in result;
      parts.onExecuted(raw, executedOf(document, operationName, result));
      for (const each of documents.of(document).deprecated) parts.onDeprecated(each);
      if (!('data' in result) || result.errors) return undefined;
      // Its own way to make JSON of a result is slow, because it looks at each value for errors.
      progress.result = result;
      return NOTHING;
    },
    formatError: (error) => formatError(error, parts.onFailure),
  });

  return async (raw, body) => {
    const { headers } = raw;
    const progress: Progress = { isResolved: true, result: undefined };
    const [text, { status, headers: more = {} }] = await handler({
      method: 'POST',
      url: '/graphql',
      // The body was read as JSON; graphql-http knows fewer spellings of its media type.
      headers: {
        get: (name) => (name === 'content-type' ? 'application/json' : String(headers[name] ?? '')),
      },
      body,
      raw,
      context: progress,
    });
    const type = (more['content-type'] ?? 'application/json').replace('; charset=utf-8', '');
    // The standard wants 400 for variables that do not fit, where the client speaks it.
    const isRefused = !progress.isResolved && type === 'application/graphql-response+json';
    const answer = progress.result ? JSON.stringify(progress.result) : (text ?? notAcceptable);
    return {
      status: isRefused ? 400 : status,
      headers: {},
      type,
      body: asksForDigest(body) ? withDigest(answer, parts.digest) : answer,
    };
  };
}

async function readRequest(request: IncomingMessage, parts: GraphqlParts): Promise<Envelope> {
  const [, query] = splitTarget(request.url ?? '');
  // URLSearchParams drops one question mark at the start, which is this one.
  const [unknown] = new URLSearchParams(`?${query}`).keys();
  if (unknown !== undefined) {
    throw invalid(`/query/${unknown.slice(0, 100)}`, 'is not a parameter of this operation');
  }
  // The schema's numbers are ids and integers of 32 bits, which are kept; all others mean nothing here.
  const value = await readJson(request, 'rounded');
  const faults = parts.envelopeFaults(value);
  if (faults.length > 0) throw new ApiError('invalid-request', { detail: faults.join(', ') });
  // The contract's schema for the request, just applied, admits objects only.
  return value as Envelope;
}

function asksForDigest({ extensions }: Envelope): boolean {
  return Object(extensions).contractDigest === true;
}

function withDigest(answer: string, contractDigest: string): string {
  return JSON.stringify({ ...JSON.parse(answer), extensions: { contractDigest } });
}

function refused(error: unknown, { onFailure }: GraphqlParts): WholeReply {
  const { code, detail, errors } =
    error instanceof ApiError ? error : new ApiError('internal-error');
  if (code === 'internal-error') {
    onFailure(error);
    return reply(500, 'INTERNAL_SERVER_ERROR', 'Internal server error');
  }
  const reason = errors?.map(({ path, message }) => `${path} ${message}`).join(', ') ?? detail;
  const message = `The request is not a GraphQL request: ${reason}`;
  return reply(code === 'payload-too-large' ? 413 : 400, 'BAD_REQUEST', message);
}

/** The answer while the server has too much to do: nothing of the request was read. */
export const unavailable: WholeReply = {
  ...reply(503, 'UNAVAILABLE', 'The server cannot answer now; try again later.'),
  headers: { 'Retry-After': '1' },
};

/** The answer to what is not a request of HTTP. */
export function badRequest(message: string): WholeReply & { readonly body: string } {
  return { status: 400, headers: {}, body: errorBody('BAD_REQUEST', message) };
}

const notAcceptable = errorBody(
  'BAD_REQUEST',
  'The answer is application/graphql-response+json or application/json, in UTF-8.',
);

function reply(status: number, code: string, message: string): WholeReply {
  return { status, headers: {}, body: errorBody(code, message) };
}

function errorBody(code: string, message: string): string {
  return JSON.stringify({ errors: [{ message, extensions: { code } }] });
}
