import { type ExecutionResult, type GraphQLSchema, Kind, locatedError } from 'graphql';
import { ApiError } from '../errors.ts';
import type { Exchange, Reply } from '../http/exchange.ts';
import { acceptsEvents, eventReply, eventsOf, singleEvent } from './event-stream.ts';
import { mutationByGet } from './graphql-replies.ts';
import type { createRun, Run } from './operation-run.ts';
import { createSubscriptionPlaces, type SubscriptionBounds } from './subscription-places.ts';

export type EventParts = {
  readonly schema: GraphQLSchema;
  readonly subscriptions: SubscriptionBounds;
  /** Aborted when the server drains. */
  readonly draining: AbortSignal;
  readonly run: ReturnType<typeof createRun>;
  /** A result as the client sees it. */
  readonly shown: (result: ExecutionResult, exchange: Exchange) => ExecutionResult;
};

/** Answers an operation as an event stream, where its client accepts that; undefined where it is answered whole. */
export type EventEndpoint = (asked: EventRequest) => Promise<Reply | undefined>;

export type EventRequest = {
  readonly exchange: Exchange;
  /** The operation, or why there is none; undefined where the request names no operation. */
  readonly prepare: () => Run | ExecutionResult | undefined;
};

/** GraphQL over Server-Sent Events in distinct connections mode. */
export function createEventEndpoint(parts: EventParts): EventEndpoint {
  const { run, shown } = parts;
  const takePlace = createSubscriptionPlaces(parts.subscriptions, parts.draining);
  const single = (result: ExecutionResult, exchange: Exchange) =>
    eventReply(singleEvent(shown(result, exchange)));

  async function subscribe(asked: Run): Promise<Reply> {
    const place = takePlace(asked.exchange.response);
    if (!place) throw new ApiError('unavailable');
    const { signal } = place;
    const results = await run.subscribe(asked, signal);
    if (!('next' in results)) return single(results, asked.exchange);
    const end = () => void results.return().catch(() => {});
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
    return eventReply(eventsOf(shownAll(results, asked, signal), signal));
  }

  /** The results as the client sees them; when the source of events fails, that is the last one. */
  function shownAll(
    results: AsyncIterator<ExecutionResult, void>,
    { operation, exchange }: Run,
    signal: AbortSignal,
  ): AsyncIterator<ExecutionResult> {
    const over = { done: true, value: undefined } as const;
    const [field] = operation.definition.selectionSet.selections.filter(
      (node) => node.kind === Kind.FIELD,
    );
    return {
      async next() {
        try {
          const { done, value } = await results.next();
          return done || !value ? over : { done: false, value: shown(value, exchange) };
        } catch (error) {
          // graphql ends what is awaited with an error when nobody is left to answer.
          if (signal.aborted) return over;
          const name = field?.alias ?? field?.name;
          const failure = locatedError(error, field, name ? [name.value] : []);
          return { done: false, value: shown({ errors: [failure], data: null }, exchange) };
        }
      },
    };
  }

  return async ({ exchange, prepare }) => {
    const accepts = acceptsEvents(exchange.request.headers.accept);
    if (accepts === 'no' || exchange.method === 'HEAD') return undefined;
    const asked = prepare();
    if (!asked) return undefined;
    if (!('operation' in asked)) return accepts === 'only' ? single(asked, exchange) : undefined;
    const kind = asked.operation.definition.operation;
    if (kind === 'subscription') return subscribe(asked);
    if (accepts === 'also') return undefined;
    if (kind === 'mutation' && exchange.method !== 'POST') return mutationByGet;
    return single(await run.execute(asked), exchange);
  };
}
