import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { fairTurn } from '../http/fair-turn.ts';
import { createIsCompilable, type IsCompilable } from './compilable.ts';
import type { Change } from './outcome.ts';

/** Executes an operation of a valid document; each attempt has a context of its own. */
export type Execute = (
  args: Omit<ExecutionArgs, 'contextValue'> & { readonly contextOf: () => object },
) => Promise<ExecutionResult>;

/** How often an operation was asked for, and what was made of it. */
type Use = { count: number; compiled?: Compiled | undefined; ref?: WeakRef<Use> };

type Compiled = {
  readonly query: CompiledQuery['query'];
  readonly changes: boolean;
  /** Whether graphql itself takes the variables; it says best why it does not. */
  takes(variables: ExecutionArgs['variableValues']): boolean;
};

// To compile an operation takes as long as to execute it some ten times.
const OFTEN = 10;
// One takes 10 to 110 KB, as was measured with up to 200 fields: all of them together take at most 11 MB.
const MOST_COMPILED = 100;

/**
 * Executes as graphql does. Operations that are asked for often are compiled, and answered so as long as
 * all goes well: where anything fails the answer is graphql's own. A query can be asked again for that; of
 * a mutation only what it answers is put together again. `onCompiled` is told of each compiled answer.
 */
export function createExecute(
  schema: GraphQLSchema,
  onCompiled: () => void = () => {},
  isCompilable: IsCompilable = createIsCompilable(schema),
): Execute {
  const uses = new WeakMap<OperationDefinitionNode, Use>();
  // Those that are compiled, the least recently used first; they do not keep their documents alive.
  const kept = new Set<WeakRef<Use>>();
  const schemas = { queries: schema, changes: asQueries(schema) };

  function compiledOf(use: Use, operation: OperationDefinitionNode, document: DocumentNode) {
    if (++use.count < OFTEN) return undefined;
    if (use.count === OFTEN && isCompilable(operation, document)) {
      use.compiled ??= compile(schemas, operation, document);
    }
    if (use.compiled) keep(use);
    return use.compiled;
  }

  function keep(use: Use): void {
    use.ref ??= new WeakRef(use);
    kept.delete(use.ref);
    kept.add(use.ref);
    const [oldest] = kept;
    if (kept.size <= MOST_COMPILED || !oldest) return;
    kept.delete(oldest);
    const forgotten = oldest.deref();
    if (forgotten) Object.assign(forgotten, { count: 0, compiled: undefined });
  }

  return async ({ contextOf, ...args }) => {
    const operation = getOperationAST(args.document, args.operationName);
    if (!operation) return execute(args);
    const use = uses.get(operation) ?? { count: 0 };
    if (use.count === 0) uses.set(operation, use);
    const compiled = compiledOf(use, operation, args.document);
    if (!compiled?.takes(args.variableValues)) {
      return execute({ ...args, contextValue: contextOf() });
    }
    const once = compiled.changes ? { change: {} satisfies Change } : undefined;
    const contextValue = once ? { ...contextOf(), ...once } : contextOf();
    const result = await compiled.query(args.rootValue, contextValue, args.variableValues);
    if (!result.errors) {
      onCompiled();
      return result;
    }
    // What fails costs both, so the next ones are executed plainly for a while.
    use.count = 0;
    await fairTurn();
    return execute({ ...args, contextValue: { ...contextOf(), ...once } });
  };
}

/** The schema, and the one in which what changes something is a query. */
type Schemas = Readonly<Record<'queries' | 'changes', GraphQLSchema>>;

function compile(
  schemas: Schemas,
  operation: OperationDefinitionNode,
  document: DocumentNode,
): Compiled | undefined {
  const changes = operation.operation !== OperationTypeNode.QUERY;
  if (changes && !isOneChange(operation)) return undefined;
  const options = { disablingCapturingStackErrors: true };
  const schema = changes ? schemas.changes : schemas.queries;
  const asked = changes ? asQuery(operation, document) : document;
  const compiled = compileQuery(schema, asked, operation.name?.value, options);
  if (!isCompiledQuery(compiled)) return undefined;
  const { variableDefinitions: defined = [] } = operation;
  return {
    query: compiled.query,
    changes,
    takes: (variables) =>
      defined.length === 0 || !getVariableValues(schema, defined, variables ?? {}).errors,
  };
}

/**
 * One change needs no order, so it is compiled as a query: what graphql-jit makes for several keeps all that
 * it refers to until the next full garbage collection.
 */
function asQuery(change: OperationDefinitionNode, document: DocumentNode): DocumentNode {
  const query = { ...change, operation: OperationTypeNode.QUERY };
  return {
    ...document,
    definitions: document.definitions.map((each) => (each === change ? query : each)),
  };
}

function asQueries(schema: GraphQLSchema): GraphQLSchema {
  return new GraphQLSchema({
    ...schema.toConfig(),
    query: schema.getMutationType(),
    mutation: null,
  });
}

/** Of several changes those after one that fails might not be made; that is graphql's to say. */
function isOneChange({ operation, selectionSet }: OperationDefinitionNode): boolean {
  const [first, ...others] = selectionSet.selections;
  return operation === OperationTypeNode.MUTATION && first?.kind === Kind.FIELD && !others.length;
}
