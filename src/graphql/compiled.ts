import {
  BREAK,
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
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Prepared } from './documents.ts';
import type { Change } from './outcome.ts';

/** Executes an operation of a document that was prepared. */
export type Execute = (prepared: Prepared, args: ExecutionArgs) => Promise<ExecutionResult>;

/** A document's operations that are asked for again and again, by name. */
type Uses = { count: number; readonly compiled: Map<string, Compiled | undefined> };

type Compiled = {
  readonly query: CompiledQuery['query'];
  readonly changes: boolean;
  /** Whether graphql itself takes the variables; it says best why it does not. */
  takes(variables: ExecutionArgs['variableValues']): boolean;
};

// To compile a document takes as long as to execute it some ten times.
const OFTEN = 10;

/**
 * Executes as graphql does. Operations that are asked for often are compiled, and answered so as long as
 * all goes well: where anything fails the answer is graphql's own. A query can be asked again for that; of
 * a mutation only what it answers is put together again. `onCompiled` is told of each compiled answer.
 */
export function createExecute(schema: GraphQLSchema, onCompiled: () => void = () => {}): Execute {
  const uses = new WeakMap<Prepared, Uses>();
  const schemas = { queries: schema, changes: asQueries(schema) };

  function usesOf(prepared: Prepared): Uses {
    const known = uses.get(prepared) ?? { count: 0, compiled: new Map() };
    if (known.count === 0) uses.set(prepared, known);
    return known;
  }

  function compiledFor(prepared: Prepared, name: string): Compiled | undefined {
    const known = usesOf(prepared);
    if (++known.count < OFTEN) return undefined;
    if (!known.compiled.has(name)) known.compiled.set(name, compile(schemas, prepared, name));
    return known.compiled.get(name);
  }

  return async (prepared, args) => {
    const compiled = compiledFor(prepared, args.operationName ?? '');
    if (compiled?.takes(args.variableValues)) {
      const { rootValue, variableValues } = args;
      const contextValue = compiled.changes ? changing(args.contextValue) : args.contextValue;
      const result = await compiled.query(rootValue, contextValue, variableValues);
      if (!result.errors) {
        onCompiled();
        return result;
      }
      // What fails costs both, so the next ones are executed plainly for a while.
      usesOf(prepared).count = 0;
      return execute({ ...args, contextValue });
    }
    return execute(args);
  };
}

/** A context in which a change is made once. */
function changing(contextValue: unknown): { readonly change: Change } {
  return { ...Object(contextValue), change: {} };
}

/** The schema, and the one in which what changes something is a query. */
type Schemas = Readonly<Record<'queries' | 'changes', GraphQLSchema>>;

function compile(schemas: Schemas, { document }: Prepared, name: string): Compiled | undefined {
  const operation = getOperationAST(document, name || undefined);
  if (!operation || !isPlain(document)) return undefined;
  const changes = operation.operation !== OperationTypeNode.QUERY;
  if (changes && !isOneChange(operation)) return undefined;
  const options = { disablingCapturingStackErrors: true };
  const schema = changes ? schemas.changes : schemas.queries;
  const asked = changes ? asQuery(operation, document) : document;
  const compiled = compileQuery(schema, asked, name || undefined, options);
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

/**
 * Whether to compile it is worth while and makes no difference: fields that are left out at times would
 * come in another order, and the introspection takes long and is seldom asked for.
 */
function isPlain(document: DocumentNode): boolean {
  let isFound = false;
  const found = () => {
    isFound = true;
    return BREAK;
  };
  visit(document, {
    Directive: found,
    // An object that is compiled has no member of that name.
    Field: ({ name, alias }) =>
      /^__(schema|type)$/.test(name.value) || alias?.value === '__proto__' ? found() : undefined,
  });
  return !isFound;
}
