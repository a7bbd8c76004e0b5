import type { GraphQLSchema, VariableValues } from 'graphql';
import type { JsonAsked } from '../store/json-query.ts';
import { type JsonStore, readJson } from '../store/read-json.ts';
import { flagsIn } from './collected-fields.ts';
import type { Prepared } from './documents.ts';
import type { Operation } from './execution.ts';
import { createRecentUses } from './recent-uses.ts';
import { createPlan, type Plan } from './statement-plan.ts';

/** An operation, and the document that it is in. */
type Asked = { readonly prepared: Prepared; readonly operation: Operation };

export type Statement = ReturnType<JsonStore[typeof readJson]['prepare']>;

export type Planned = {
  readonly plan: Plan | undefined;
  /** How many fields with records an answer is taken to have. */
  places: number;
  /** By what is asked beside ids. */
  readonly statements: Map<string, Statement>;
};

/** What is kept of an operation. */
export type Known = {
  uses: number;
  /** How many times it is left to execution, because a statement declined. */
  rests: number;
  readonly flags: readonly string[];
  readonly plans: Map<string, Planned>;
};

/** Plans and statements of operations, made once and kept within bounds. */
export type OperationPlans = {
  known(asked: Asked): Known;
  /** The plan for the fields that the variables choose; undefined for one choice too many. */
  planned(known: Known, asked: Asked, variables: VariableValues): Planned | undefined;
  /** Throws where the questions are none for one statement. */
  statement(
    planned: Planned,
    plan: Plan,
    questions: readonly JsonAsked[],
    bytes: number,
  ): Statement;
  /** To be told of each use: what was not used for long is forgotten. */
  used(known: Known): void;
};

// An operation has a plan for each choice of its fields, and a plan a statement for each shape of its lists.
const MOST_PLANS = 4;
const MOST_STATEMENTS = 4;
const MOST_OPERATIONS = 300;
const FIRST_PLACES = 32;
// As many took 8 to 10 ms, in which SQLite lets nothing else run.
const MOST_RECORDS = 10_000;

export function createOperationPlans(schema: GraphQLSchema, store: JsonStore): OperationPlans {
  const planOf = createPlan(schema, store);
  const operations = new WeakMap<Operation, Known>();
  const used = createRecentUses<Known>(MOST_OPERATIONS, (known) => {
    known.uses = 0;
    known.plans.clear();
  });

  return {
    used,
    known({ operation, prepared }) {
      const known = operations.get(operation);
      if (known) return known;
      const made = { uses: 0, rests: 0, flags: flagsIn(prepared.document), plans: new Map() };
      operations.set(operation, made);
      return made;
    },
    planned({ flags, plans }, { operation, prepared }, variables) {
      const key = flags.map((name) => variables.coerced[name]).join();
      const known = plans.get(key);
      if (known) return known;
      if (plans.size >= MOST_PLANS) return undefined;
      const plan = attempt(() => planOf(operation.definition, prepared.document, variables));
      const made = { plan, places: FIRST_PLACES, statements: new Map() };
      plans.set(key, made);
      return made;
    },
    statement({ statements }, { query }, questions, bytes) {
      const key = questions.map(keyOf).join();
      const known = statements.get(key);
      if (known) return known;
      const room = { records: MOST_RECORDS, bytes };
      const statement = store[readJson].prepare(query, questions, room);
      if (statements.size >= MOST_STATEMENTS) statements.clear();
      statements.set(key, statement);
      return statement;
    },
  };
}

/** Arguments that a resolver refuses are thrown; it is left to execution to tell. */
export function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function keyOf({ id: _, ...question }: JsonAsked): string {
  return JSON.stringify(question);
}
