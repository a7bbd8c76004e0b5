import {
  type ExecutionResult,
  type GraphQLSchema,
  getNullableType,
  isListType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { createHandler, parseRequestParams } from 'graphql-http';
import { present } from '../errors.ts';
import { preferredInUtf8 } from '../http/accept.ts';
import type { Exchange, Reply } from '../http/exchange.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { createPrepare, type Prepared } from './documents.ts';
import { type Envelope, type EnvelopeOptions, readEnvelope } from './envelope.ts';
import { createEventEndpoint } from './event-endpoint.ts';
import { acceptsEvents } from './event-stream.ts';
import { writableNumbers } from './exact-numbers.ts';
import { customScalars } from './exact-scalars.ts';
import type { Operation } from './execution.ts';
import { formatError } from './graphql-errors.ts';
import { onlyAsEvents, refused } from './graphql-replies.ts';
import type { Refused } from './limits/document-validator.ts';
import { createRun, type Run, type RunParts } from './operation-run.ts';
import {
  isPlain,
  NO_DATA,
  PLAIN_TYPES,
  type Result,
  replyTo,
  TYPES,
  textOf,
} from './result-reply.ts';
import type { SubscriptionBounds } from './subscription-places.ts';

export type GraphqlParts = RunParts & {
  /** Identifies the contracts, for clients that ask. */
  readonly digest: string;
  readonly envelopeFaults: EnvelopeOptions['envelopeFaults'];
  readonly introspection: boolean;
  /** Whether plain requests bypass graphql-http. */
  readonly fastLane: boolean;
  /** Whether a client that accepts neither media type of an answer gets JSON: GitHub's own accepts only GitHub's. */
  readonly takesAnyAccept?: boolean;
  readonly subscriptions: SubscriptionBounds;
  /** Aborted when the server drains. */
  readonly draining: AbortSignal;
  /** Told of what was not foreseen, and in which request. */
  readonly onFailure: (cause: unknown, request: string | undefined) => void;
  /** Told whether a document was in the cache. */
  readonly onLookup: (isKnown: boolean) => void;
};

/** What the steps below hand on for one request. */
type Asked = {
  readonly exchange: Exchange;
  readonly rounded: Envelope['rounded'];
  prepared?: Prepared | Refused;
  /** undefined where no operation was executed. */
  result?: Result;
};

/**
 * Answers POST /graphql, and GET where it is handed that; graphql-http decides the status by the media type.
 * Subscriptions are answered as event streams.
 */
export function createGraphqlEndpoint(parts: GraphqlParts): (exchange: Exchange) => Promise<Reply> {
  const { schema, onFailure } = parts;
  const prepare = createPrepare(schema, parts);
  const run = createRun(parts);
  const hasScalars = customScalars(schema).length > 0;
  const envelopeOptions = { ...parts, takesNested: takesNested(schema) };
  const formatIn = (request?: string) => (error: Parameters<typeof formatError>[0]) =>
    formatError(error, (cause) => onFailure(cause, request));
  const exact = (result: ExecutionResult): ExecutionResult =>
    hasScalars && result.data
      ? // The data keeps its shape.
        { ...result, data: writableNumbers(result.data) as typeof result.data }
      : result;
  const shown = (result: ExecutionResult, { id }: Exchange): ExecutionResult =>
    result.errors ? { ...exact(result), errors: result.errors.map(formatIn(id)) } : exact(result);
  const events = schema.getSubscriptionType()
    ? createEventEndpoint({ ...parts, run, shown })
    : undefined;

  const handle = createHandler<Exchange, Asked, Asked>({
    // The envelope of GET was read like a body.
    parseRequestParams: (request) => parseRequestParams({ ...request, method: 'POST' }),
    onSubscribe({ context: asked }, { query, operationName, variables }) {
      asked.prepared ??= prepare(query);
      const { prepared } = asked;
      if ('faults' in prepared) return prepared.faults;
      const kind = operationOf(prepared, operationName)?.definition.operation;
      if (kind === 'subscription' && events) {
        return [onlyAsEvents.body, { status: onlyAsEvents.status, statusText: '' }];
      }
      const { document } = prepared;
      return { schema, document, operationName, variableValues: variables, contextValue: asked };
    },
    async execute({ operationName, variableValues, contextValue }) {
      // graphql does not type contexts; onSubscribe gave this one.
      const asked = contextValue as Asked;
      const { prepared } = asked;
      // graphql-http has refused a document with faults or without this operation.
      if (!prepared || 'faults' in prepared) throw new Error('the document was not prepared');
      const operation = present(operationOf(prepared, operationName));
      const answer =
        asked.result ??
        (await answered({ ...asked, prepared, operation, variables: variableValues }));
      asked.result = answer;
      return 'json' in answer || isPlain(answer) ? NO_DATA : answer;
    },
    formatError: formatIn(),
  });

  const answered = (asked: Run): MaybePromise<Result> =>
    andThen(run.answer(asked), (result) =>
      'json' in result ? result : shown(result, asked.exchange),
    );

  /** The operation that a request asks for; graphql-http refuses what is no GraphQL request. */
  function runOf(asked: Asked, { body }: Envelope): Run | ExecutionResult | undefined {
    const { query, operationName, variables } = body;
    if (typeof query !== 'string') return undefined;
    if (operationName != null && typeof operationName !== 'string') return undefined;
    if (variables != null && (typeof variables !== 'object' || Array.isArray(variables))) {
      return undefined;
    }
    asked.prepared ??= prepare(query);
    const { prepared } = asked;
    if ('faults' in prepared) return { errors: prepared.faults };
    const operation = operationOf(prepared, operationName);
    if (!operation || (operationName == null && prepared.operations.length > 1)) return undefined;
    // Found to be an object, if anything.
    return { ...asked, prepared, operation, variables: variables as Run['variables'] };
  }

  /**
   * The reply to a request that asks for nothing but data, in a media type that is not negotiated, and gets it. Where
   * there are errors the result is kept in `asked`.
   */
  function answerPlain(asked: Asked, envelope: Envelope): MaybePromise<Reply | undefined> {
    const { exchange } = asked;
    const type = PLAIN_TYPES.get(exchange.request.headers.accept);
    if (!type || exchange.method !== 'POST' || envelope.body.extensions) return undefined;
    const found = runOf(asked, envelope);
    if (!found || !('operation' in found)) return undefined;
    if (found.operation.definition.operation === 'subscription') return undefined;
    return andThen(answered(found), (result) => {
      asked.result = result;
      return isPlain(result) ? { status: 200, headers: {}, type, body: textOf(result) } : undefined;
    });
  }

  return async (exchange) => {
    try {
      const envelope = await readEnvelope(exchange, envelopeOptions);
      const asked: Asked = { exchange, rounded: envelope.rounded };
      const plain = parts.fastLane ? await answerPlain(asked, envelope) : undefined;
      if (plain) return plain;
      const stream = await events?.({ exchange, prepare: () => runOf(asked, envelope) });
      if (stream) return stream;
      const { accept } = exchange.request.headers;
      const isJson = parts.takesAnyAccept || (events && acceptsEvents(accept) === 'only');
      const type = preferredInUtf8(accept, TYPES) ?? (isJson ? 'application/json' : undefined);
      const response = await handle({
        method: exchange.method === 'POST' ? 'POST' : 'GET',
        url: '/graphql',
        // graphql-http knows no weights, and fewer spellings of the media type of what was read as JSON.
        headers: { accept: type ?? 'none', 'content-type': 'application/json' },
        body: envelope.body,
        raw: exchange,
        context: asked,
      });
      return replyTo(exchange, envelope, response, asked.result, parts.digest);
    } catch (error) {
      return refused(error, (cause) => onFailure(cause, exchange.id));
    }
  };
}

function operationOf(
  { operations }: Prepared,
  name: string | null | undefined,
): Operation | undefined {
  return name == null ? operations[0] : operations.find((each) => each.name === name);
}

/** Whether an argument takes a list, an input object or a custom scalar. */
function takesNested(schema: GraphQLSchema): boolean {
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()))
    .flatMap(({ args }) => args.map(({ type }) => getNullableType(type)))
    .some((type) => isListType(type) || !(isSpecifiedScalarType(type) || 'getValues' in type));
}
