import { type DocumentNode, type ExecutionResult, getOperationAST } from 'graphql';

/** What is told of an operation that was executed. */
export type Executed = {
  readonly kind: string;
  /** The name that the client gave it, if any; by GraphQL's grammar it is plain letters and digits. */
  readonly name: string | undefined;
  /** How many fields the answer has. */
  readonly fields: number;
};

const LONGEST_NAME = 60;

export function executedOf(
  document: DocumentNode,
  operationName: string | null | undefined,
  { data }: ExecutionResult,
): Executed {
  const operation = getOperationAST(document, operationName);
  return {
    kind: operation?.operation ?? 'none',
    name: operation?.name?.value.slice(0, LONGEST_NAME),
    fields: fieldsIn(data),
  };
}

/** Counted in the answer: to count while they are resolved would cost each of them. */
function fieldsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const each of value) count += fieldsIn(each);
  } else {
    // These are made by the execution, which gives them no other properties.
    for (const name in value) count += 1 + fieldsIn((value as Record<string, unknown>)[name]);
  }
  return count;
}
