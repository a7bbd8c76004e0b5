import { type GraphQLSchema, OperationTypeNode, type VariableValues } from 'graphql';
import type { Authorize } from '../http/authentication.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import type { JsonAsked } from '../store/json-query.ts';
import { type JsonStore, readJson } from '../store/read-json.ts';
import { CHARACTERS_PER_FIELD } from './answer-budget.ts';
import type { Prepared } from './documents.ts';
import type { Operation } from './execution.ts';
import { fittingVariables } from './fitting-variables.ts';
import { costOf, type JsonData, measured } from './json-data.ts';
import {
  attempt,
  createOperationPlans,
  type Known,
  type Planned,
  type Statement,
} from './operation-plans.ts';
import type { Plan } from './statement-plan.ts';

export type Asked = {
  readonly prepared: Prepared;
  readonly operation: Operation;
  readonly variables: { readonly [name: string]: unknown } | null | undefined;
};

type Options = {
  /** The most fields of an answer. */
  readonly fields: number;
};

type Answered = MaybePromise<JsonData | undefined>;

// A document that is sent once is not worth a plan.
const OFTEN = 2;
const RESTS = 50;

/**
 * Answers queries by one statement, where all of their fields come from tables. It gives undefined where graphql must
 * execute the operation: there may be errors to tell, or the answer may be too large.
 */
export function createOneStatement(
  schema: GraphQLSchema,
  store: unknown,
  { fields }: Options,
): ((asked: Asked, authorizeOf: () => Authorize<never>) => Answered) | undefined {
  if (!isJsonStore(store)) return undefined;
  const reader = store[readJson];
  const plans = createOperationPlans(schema, store);

  /** How many bytes of text in one place may remain unread: half of what an answer may have is for them. */
  function unreadIn({ places }: Planned, copies: number): number {
    return Math.floor((fields * CHARACTERS_PER_FIELD) / 2 / copies / places);
  }

  function read(statement: Statement, questions: readonly JsonAsked[]): Answered {
    // Execution meets the same failure, and tells it.
    const failed = () => undefined;
    const json = attempt(() => reader.read(statement, questions));
    if (json instanceof Promise) {
      return json.then((text) => (text === undefined ? undefined : measured(text)), failed);
    }
    return json === undefined ? undefined : measured(json);
  }

  function answer(
    { prepared: { costs } }: Asked,
    known: Known,
    planned: Planned & { readonly plan: Plan },
    variables: VariableValues,
  ): Answered {
    const { plan } = planned;
    // Other requests may change it while this one reads.
    const unread = unreadIn(planned, costs.copies);
    const ready = attempt(() => {
      const questions = plan.asked.map((ask) => ask(variables));
      return { questions, statement: plans.statement(planned, plan, questions, unread) };
    });
    if (!ready) return undefined;
    return andThen(read(ready.statement, ready.questions), (data) => {
      if (data && costOf(data, plan, costs, unread) <= fields) return data;
      if (data && data.places > planned.places) {
        planned.places = 2 * data.places;
        planned.statements.clear();
      } else known.rests = RESTS;
      return undefined;
    });
  }

  return (asked, authorizeOf) => {
    const { definition } = asked.operation;
    if (definition.operation !== OperationTypeNode.QUERY) return undefined;
    const known = plans.known(asked);
    if (++known.uses < OFTEN) return undefined;
    if (known.rests > 0) {
      known.rests -= 1;
      return undefined;
    }
    const variables = fittingVariables(schema, definition, asked.variables);
    if (!variables) return undefined;
    const planned = plans.planned(known, asked, variables);
    if (!hasPlan(planned)) return undefined;
    plans.used(known);
    const { actions } = planned.plan;
    const isAllowed = actions.size === 0 || mayRead(actions, authorizeOf());
    return andThen(isAllowed, (mayRead) =>
      mayRead ? answer(asked, known, planned, variables) : undefined,
    );
  };
}

function hasPlan(planned: Planned | undefined): planned is Planned & { readonly plan: Plan } {
  return planned?.plan !== undefined;
}

function isJsonStore(store: unknown): store is JsonStore {
  return typeof store === 'object' && store !== null && readJson in store;
}

/** Where the caller may not, execution says which fields are concerned. */
async function mayRead(actions: Plan['actions'], authorize: Authorize<never>): Promise<boolean> {
  for (const action of actions) {
    // The resolver that names the action was checked against the policy.
    const isAllowed = await authorize(action as never).then(
      () => true,
      () => false,
    );
    if (!isAllowed) return false;
  }
  return true;
}
