import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';

/**
 * The first variable with more than `most` members that its input objects do not have. graphql writes the whole object
 * into an error for each of them: 23,000 members take it a second.
 */
export function variableWithUnknown(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: { readonly [name: string]: unknown } | null | undefined,
  most: number,
): string | undefined {
  const found = variableDefinitions.find(({ variable, type }) => {
    const known = typeFromAST(schema, type);
    return isInputType(known) && unknownIn(known, variables?.[variable.name.value], most) > most;
  });
  return found?.variable.name.value;
}

/** How many unknown members there are; counted up to one more than `most`. */
function unknownIn(type: GraphQLInputType, value: unknown, most: number): number {
  const bare = getNullableType(type);
  if (typeof value !== 'object' || value === null) return 0;
  let unknown = 0;
  if (isListType(bare)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      unknown += unknownIn(bare.ofType, each, most);
      if (unknown > most) break;
    }
  } else if (isInputObjectType(bare)) {
    const fields = bare.getFields();
    for (const [name, member] of Object.entries(value)) {
      const field = fields[name];
      unknown += field ? unknownIn(field.type, member, most) : 1;
      if (unknown > most) break;
    }
  }
  return unknown;
}
