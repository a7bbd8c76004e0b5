import {
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
  type VariableValues,
} from 'graphql';

const NO_VARIABLES: VariableValues = { sources: {}, coerced: {} };
// Execution reports the errors. Creating one takes 0.1 to 0.25 ms, and a body has room for 100,000 wrong values.
const STOP_AT_FIRST_ERROR = { maxErrors: 0 };

/** The values of an operation's variables as resolvers get them; undefined where one does not fit its type. */
export function fittingVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: { readonly [name: string]: unknown } | null | undefined,
): VariableValues | undefined {
  if (variableDefinitions.length === 0) return NO_VARIABLES;
  return getVariableValues(schema, variableDefinitions, variables ?? {}, STOP_AT_FIRST_ERROR)
    .variableValues;
}
