import {
  BREAK,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  OperationTypeNode,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Prepared } from './documents.ts';

/** Executes an operation of a document that was prepared. */
export type Execute = (prepared: Prepared, args: ExecutionArgs) => Promise<ExecutionResult>;

/** A document's operations that are asked for again and again, by name. */
type Uses = { count: number; readonly compiled: Map<string, CompiledQuery | undefined> };

// To compile a document takes as long as to execute it some ten times.
const OFTEN = 10;

/**
 * Executes as graphql does. Queries that are asked for often are compiled, and answered so as long as all
 * goes well: where anything fails the answer is graphql's own, because a query can be asked again. What
 * changes something is never compiled. `onCompiled` is told of each answer by a compiled query.
 */
export function createExecute(schema: GraphQLSchema, onCompiled: () => void = () => {}): Execute {
  const uses = new WeakMap<Prepared, Uses>();

  function compiledFor(prepared: Prepared, name: string): CompiledQuery | undefined {
    const known = uses.get(prepared) ?? { count: 0, compiled: new Map() };
    uses.set(prepared, known);
    if (++known.count < OFTEN) return undefined;
    if (!known.compiled.has(name)) known.compiled.set(name, compile(schema, prepared, name));
    return known.compiled.get(name);
  }

  return async (prepared, args) => {
    const compiled = compiledFor(prepared, args.operationName ?? '');
    if (compiled && takesVariables(schema, prepared, args)) {
      const { rootValue, contextValue, variableValues } = args;
      const result = await compiled.query(rootValue, contextValue, variableValues);
      if (!result.errors) {
        onCompiled();
        return result;
      }
      // It is compiled again when it has gone well as often as the first time.
      uses.delete(prepared);
    }
    return execute(args);
  };
}

/** Whether graphql itself takes the variables; it says best why it does not. */
function takesVariables(schema: GraphQLSchema, { document }: Prepared, args: ExecutionArgs) {
  const definitions = getOperationAST(document, args.operationName)?.variableDefinitions ?? [];
  if (definitions.length === 0) return true;
  return !getVariableValues(schema, definitions, args.variableValues ?? {}).errors;
}

function compile(
  schema: GraphQLSchema,
  { document }: Prepared,
  name: string,
): CompiledQuery | undefined {
  const operation = getOperationAST(document, name || undefined);
  if (operation?.operation !== OperationTypeNode.QUERY || !isPlain(document)) return undefined;
  const options = { disablingCapturingStackErrors: true };
  const compiled = compileQuery(schema, document, name || undefined, options);
  return isCompiledQuery(compiled) ? compiled : undefined;
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
    Field: ({ name }) => (/^__(schema|type)$/.test(name.value) ? found() : undefined),
  });
  return !isFound;
}
