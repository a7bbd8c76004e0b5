import {
  createSourceEventStream,
  type ExecutionResult,
  executeSubscriptionEvent,
  type GraphQLSchema,
  mapSourceToResponseEvent,
  validateSubscriptionArgs,
} from 'graphql';
import type { Access } from '../http/authentication.ts';
import { type Exchange, MOCKED } from '../http/exchange.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { createSemaphore } from '../semaphore.ts';
import { createAnswerBudget } from './answer-budget.ts';
import { createLists, type GraphqlContext } from './context.ts';
import { createDeprecatedInVariables } from './deprecated-use.ts';
import type { Prepared } from './documents.ts';
import { type Rounded, restoreNumbers } from './exact-numbers.ts';
import { createExecute, type Operation } from './execution.ts';
import { codedError } from './graphql-errors.ts';
import type { JsonData } from './json-data.ts';
import type { Limits } from './limits/limits.ts';
import { createOneStatement } from './one-statement.ts';
import { variableWithUnknown } from './unknown-members.ts';

export type RunParts = {
  readonly schema: GraphQLSchema;
  /** What resolvers are given as `store`. */
  readonly store: unknown;
  readonly access: Access<never>;
  readonly limits: Limits;
  /** For how many milliseconds the lists of an operation may be read. */
  readonly listTimeout: number;
  readonly onDeprecated: (coordinate: string) => void;
  /** Told that a query, and not a mutation or a subscription, is executed. */
  readonly onQuery?: (() => void) | undefined;
  /** Told the kind of an operation, and how many fields its answer has. */
  readonly onExecuted: (exchange: Exchange, kind: string, fields: number) => void;
};

/** An operation of a valid document, with the values of its variables. */
export type Run = {
  readonly exchange: Exchange;
  readonly prepared: Prepared;
  readonly operation: Operation;
  readonly variables: { readonly [name: string]: unknown } | null | undefined;
  /** Numbers of the variables that were rounded. */
  readonly rounded: Rounded | undefined;
};

type Answer = ExecutionResult | JsonData;
type Results = AsyncGenerator<ExecutionResult, void, void>;

// How many operations read long lists at a time: each holds up to some 10 MB.
const LONG_READS = 4;
const LONGEST_NAME = 60;

/** Prepares the execution of operations, each attempt with a context and an answer budget of its own. */
export function createRun(parts: RunParts): {
  execute(run: Run): Promise<ExecutionResult>;
  /** The same; where one statement reads all of it, its data is JSON text. */
  answer(run: Run): MaybePromise<Answer>;
  /** The results of a subscription, or why it has none; each event has a context of its own. */
  subscribe(run: Run, signal: AbortSignal): Promise<Results | ExecutionResult>;
} {
  const { schema, store, access, limits, listTimeout, onExecuted, onDeprecated } = parts;
  const executeOperation = createExecute(schema);
  const oneStatement = createOneStatement(schema, store, limits);
  const deprecatedInVariables = createDeprecatedInVariables(schema);
  const longReads = createSemaphore(LONG_READS);

  function contextsOf({ exchange, prepared: { costs } }: Run) {
    let current: { close(): void } | undefined;
    const createBudget = () =>
      createAnswerBudget(limits.fields, costs, longReads, performance.now() + listTimeout);
    const close = () => current?.close();
    const onMocked = () => {
      if (!exchange.headers.includes(MOCKED)) exchange.headers.push(MOCKED, 'true');
    };
    const contextOf = (): GraphqlContext<unknown, never> => {
      close();
      const lists = createLists(createBudget);
      current = lists;
      const authorize = access(exchange.request);
      return { store, lists, authorize, onMocked };
    };
    return { contextOf, close };
  }

  function begin({ exchange, prepared, operation, variables, rounded }: Run) {
    exchange.graphql = operation.name?.slice(0, LONGEST_NAME);
    const { definition } = operation;
    const excess = prepared.excessWith?.(definition, variables);
    if (excess) return { errors: [excess] };
    const unknown = variableWithUnknown(schema, definition, variables, limits.errors);
    if (unknown !== undefined) {
      const message = `Variable "$${unknown}" has more than ${limits.errors} members that its type does not have.`;
      return { errors: [codedError('BAD_USER_INPUT', message)] };
    }
    const name =
      rounded && variables ? restoreNumbers(schema, definition, variables, rounded) : undefined;
    if (name !== undefined) {
      const message = `Variable "$${name}" has a number that cannot be kept as it is written.`;
      return { errors: [codedError('BAD_USER_INPUT', message)] };
    }
    const inVariables = deprecatedInVariables(definition, variables);
    for (const each of prepared.deprecated.union(inVariables)) onDeprecated(each);
    if (definition.operation === 'query') parts.onQuery?.();
    return undefined;
  }

  async function executed(run: Run): Promise<ExecutionResult> {
    const { exchange, prepared, operation, variables } = run;
    const { contextOf, close } = contextsOf(run);
    const asked = { document: prepared.document, operation, variables, contextOf };
    const result = await executeOperation(asked).finally(close);
    onExecuted(exchange, operation.definition.operation, fieldsIn(result.data));
    return result;
  }

  return {
    execute: async (run) => begin(run) ?? executed(run),
    answer(run) {
      const refusal = begin(run);
      if (refusal) return refusal;
      if (!oneStatement) return executed(run);
      const { exchange, operation } = run;
      const authorizeOf = () => access(exchange.request);
      return andThen(oneStatement(run, authorizeOf), (data): MaybePromise<Answer> => {
        if (!data) return executed(run);
        onExecuted(exchange, operation.definition.operation, data.fields);
        return data;
      });
    },
    async subscribe(run, signal) {
      const { exchange, prepared, operation, variables } = run;
      const refusal = begin(run);
      if (refusal) return refusal;
      const valid = validateSubscriptionArgs({
        schema,
        document: prepared.document,
        operationName: operation.name,
        variableValues: variables,
        contextValue: contextsOf(run).contextOf(),
        abortSignal: signal,
      });
      if (!('operation' in valid)) return { errors: valid };
      const source = await createSourceEventStream(valid);
      if (!(Symbol.asyncIterator in source)) return source;
      return mapSourceToResponseEvent(valid, source, async (event) => {
        const { contextOf, close } = contextsOf(run);
        try {
          const result = await executeSubscriptionEvent({ ...event, contextValue: contextOf() });
          onExecuted(exchange, operation.definition.operation, fieldsIn(result.data));
          return result;
        } finally {
          close();
        }
      });
    },
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
