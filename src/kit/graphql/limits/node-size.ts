import {
  type DirectiveNode,
  Kind,
  type TypeNode,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';

/** What a node carries besides its selections. */
export type Carrier = {
  readonly arguments?: readonly { readonly value: ValueNode }[] | undefined;
  readonly directives?: readonly DirectiveNode[] | undefined;
  readonly variableDefinitions?: readonly VariableDefinitionNode[] | undefined;
};

/** How many directives a node carries, how many parts in all, and how deep its literals nest. */
export type Extent = {
  readonly directives: number;
  readonly size: number;
  readonly levels: number;
};

export function extentOf(node: Carrier): Extent {
  // Most nodes carry nothing, and documents may have very many of them.
  if (!node.arguments && !node.directives && !node.variableDefinitions) return none;
  const variables = node.variableDefinitions ?? [];
  const directives = [node, ...variables].flatMap((carrier) => carrier.directives ?? []);
  const args = [node, ...directives].flatMap((carrier) => carrier.arguments ?? []);
  const literals = extentOfLiterals([
    ...args.map((arg) => arg.value),
    ...variables.flatMap((variable) => variable.defaultValue ?? []),
  ]);
  return {
    directives: directives.length,
    size: variables.length + directives.length + literals.size,
    levels: variables.reduce(
      (levels, variable) => Math.max(levels, wrappersOf(variable.type)),
      literals.levels,
    ),
  };
}

const none: Extent = { directives: 0, size: 0, levels: 0 };

// Level by level and not recursively, because a literal may nest thousands of levels deep.
function extentOfLiterals(values: readonly ValueNode[]): { size: number; levels: number } {
  let size = 0;
  let levels = 0;
  for (let level = values; level.length > 0; level = level.flatMap(membersOf)) {
    size += level.length;
    levels += 1;
  }
  return { size, levels };
}

function membersOf(value: ValueNode): readonly ValueNode[] {
  if (value.kind === Kind.LIST) return value.values;
  if (value.kind === Kind.OBJECT) return value.fields.map((field) => field.value);
  return [];
}

function wrappersOf(type: TypeNode): number {
  let wrappers = 0;
  for (let inner = type; inner.kind !== Kind.NAMED_TYPE; inner = inner.type) wrappers += 1;
  return wrappers;
}
