import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import type { CompiledQuery } from 'graphql-jit';
import { fairTurn } from '../fair-turn.ts';
import { wrapResolver } from './bounds.ts';
import { createIsCompilable, type IsCompilable } from './compilable.ts';
import { fittingVariables } from './fitting-variables.ts';
import { createRecentUses } from './recent-uses.ts';

/** An operation of a document, with its use count and its compiled form. */
export type Operation = {
  readonly definition: OperationDefinitionNode;
  readonly name: string | undefined;
  uses: number;
  compiled: Compiled | undefined;
};

type Compiled = {
  readonly query: CompiledQuery['query'];
  /** graphql checks the variables; where they do not fit it executes, for its messages. */
  takes(variables: ExecutionArgs['variableValues']): boolean;
};

export function operationsIn({ definitions }: DocumentNode): Operation[] {
  return definitions
    .filter((node) => node.kind === Kind.OPERATION_DEFINITION)
    .map((definition) => ({
      definition,
      name: definition.name?.value,
      uses: 0,
      compiled: undefined,
    }));
}

type Asked = {
  readonly document: DocumentNode;
  readonly operation: Operation;
  readonly variables: ExecutionArgs['variableValues'];
  /** Makes a context, for each attempt a new one. */
  readonly contextOf: () => object;
};

// To compile an operation takes as long as to execute it some ten times.
const OFTEN = 10;
// One takes 10 to 110 KB, as was measured with up to 200 fields: all of them together take at most 11 MB.
const MOST_COMPILED = 100;

/**
 * Executes operations of valid documents as graphql does. Those in frequent use are compiled with graphql-jit;
 * when such a run fails in any way graphql executes the operation again and its answer is the one that is given.
 * A mutation is carried out once all the same, by `keepOutcomes`; not compiled it takes 1.7 times the CPU.
 */
export function createExecute(
  schema: GraphQLSchema,
  onCompiled: () => void = () => {},
  isCompilable: IsCompilable = createIsCompilable(schema),
): (asked: Asked) => Promise<ExecutionResult> {
  const keep = createRecentUses<Operation>(MOST_COMPILED, (operation) => {
    Object.assign(operation, { uses: 0, compiled: undefined });
  });

  return async ({ document, operation, variables, contextOf }) => {
    const args = { schema, document, operationName: operation.name, variableValues: variables };
    if (++operation.uses === OFTEN && isCompilable(operation.definition, document)) {
      operation.compiled ??= await compile(schema, operation.definition, document);
    }
    const compiled = operation.uses < OFTEN ? undefined : operation.compiled;
    if (compiled) keep(operation);
    if (!compiled?.takes(variables)) return execute({ ...args, contextValue: contextOf() });
    const change: Change = {};
    const attempt = () => ({ ...contextOf(), change });
    const result = await compiled.query(undefined, attempt(), variables);
    if (!result.errors) {
      onCompiled();
      return result;
    }
    // A failure costs two executions, so the next ones are not compiled for a while.
    operation.uses = 0;
    await fairTurn();
    return execute({ ...args, contextValue: attempt() });
  };
}

/** The change of one request, which may be executed twice to make its answer. */
type Change = { outcome?: Promise<unknown> };

/** Makes a mutation run once for a context with a `change`, however often its field is executed. */
export function keepOutcomes(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    wrapResolver(field, (resolve) => (source, args, context, info) => {
      // graphql does not type contexts; `createExecute` adds this part.
      const { change } = context as { readonly change?: Change };
      // Below the root there is a source: a field of the same type there is no change of its own.
      if (!change || source !== undefined) return resolve(source, args, context, info);
      change.outcome ??= Promise.try(resolve, source, args, context, info);
      return change.outcome;
    });
  }
}

async function compile(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  document: DocumentNode,
): Promise<Compiled | undefined> {
  const isQuery = operation.operation === OperationTypeNode.QUERY;
  if (!isQuery && !isOneChange(operation)) return undefined;
  // Loaded with the first operation: it brings a second copy of graphql.
  const { compileQuery, isCompiledQuery } = await import('graphql-jit');
  const options = { disablingCapturingStackErrors: true };
  const asked = isQuery ? { schema, document } : asQuery(schema, operation, document);
  const compiled = compileQuery(asked.schema, asked.document, operation.name?.value, options);
  if (!isCompiledQuery(compiled)) return undefined;
  return {
    query: compiled.query,
    takes: (variables) => fittingVariables(schema, operation, variables) !== undefined,
  };
}

/** When one of several mutations fails, those after it may have to be skipped: that is left to graphql. */
function isOneChange({ operation, selectionSet }: OperationDefinitionNode): boolean {
  const [first, ...others] = selectionSet.selections;
  return operation === OperationTypeNode.MUTATION && first?.kind === Kind.FIELD && !others.length;
}

/**
 * A mutation of one field as a query of the same type; compiled resolvers do not ask which it is. What graphql-jit makes of a
 * mutation has its fields wait for each other, by functions that V8 keeps until a full collection: a tenth of the CPU.
 */
function asQuery(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  document: DocumentNode,
): { readonly schema: GraphQLSchema; readonly document: DocumentNode } {
  const query = { ...operation, operation: OperationTypeNode.QUERY };
  const type = schema.getMutationType();
  return {
    schema: new GraphQLSchema({ ...schema.toConfig(), query: type, assumeValid: true }),
    document: {
      ...document,
      definitions: document.definitions.map((each) => (each === operation ? query : each)),
    },
  };
}
