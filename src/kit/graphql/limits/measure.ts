import {
  type DirectiveNode,
  Kind,
  type TypeNode,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';

/** The size of a definition with its fragments expanded. */
export type Measure = {
  readonly depth: number;
  readonly cost: number;
  /** What one object costs in the answer, without the records of its lists. */
  readonly perObject: number;
  readonly aliases: number;
  readonly directives: number;
  /** What is selected under `__schema` and `__type`, which depth and cost leave out. */
  readonly introspectionDepth: number;
  readonly introspectionCost: number;
  /** Levels of any kind: fields, fragments, and lists and objects in literals. */
  readonly levels: number;
  /** Nodes as written: a fragment counts where it is defined, not where it is spread. */
  readonly size: number;
  /** The name of a fragment that contains itself. */
  readonly endless: string | undefined;
};

export const nothing: Measure = {
  depth: 0,
  cost: 0,
  perObject: 0,
  aliases: 0,
  directives: 0,
  introspectionDepth: 0,
  introspectionCost: 0,
  levels: 0,
  size: 0,
  endless: undefined,
};

/** The measure of a node, given that of what it encloses. */
export function around(node: Carrier, inner: Measure): Measure {
  // Most nodes carry nothing, and a document may have very many of them.
  if (!node.arguments && !node.directives && !node.variableDefinitions) {
    return { ...inner, levels: 1 + inner.levels, size: 1 + inner.size };
  }
  const variables = node.variableDefinitions ?? [];
  const directives = [node, ...variables].flatMap((carrier) => carrier.directives ?? []);
  const args = [node, ...directives].flatMap((carrier) => carrier.arguments ?? []);
  const literals = measureLiterals([
    ...args.map((arg) => arg.value),
    ...variables.flatMap((variable) => variable.defaultValue ?? []),
  ]);
  const wrappers = variables.map((variable) => wrappersOf(variable.type));
  return {
    ...inner,
    directives: inner.directives + directives.length,
    levels: 1 + wrappers.reduce((a, b) => Math.max(a, b), Math.max(inner.levels, literals.levels)),
    size: 1 + inner.size + variables.length + directives.length + literals.size,
  };
}

/** The measure of siblings. */
export function total(parts: Iterable<Measure>): Measure {
  const sum: { -readonly [Key in keyof Measure]: Measure[Key] } = { ...nothing };
  for (const part of parts) {
    sum.depth = Math.max(sum.depth, part.depth);
    sum.cost += part.cost;
    sum.perObject += part.perObject;
    sum.aliases += part.aliases;
    sum.directives += part.directives;
    sum.introspectionDepth = Math.max(sum.introspectionDepth, part.introspectionDepth);
    sum.introspectionCost += part.introspectionCost;
    sum.levels = Math.max(sum.levels, part.levels);
    sum.size += part.size;
    sum.endless ??= part.endless;
  }
  return sum;
}

/** What a node carries besides its selections. */
type Carrier = {
  readonly arguments?: readonly { readonly value: ValueNode }[] | undefined;
  readonly directives?: readonly DirectiveNode[] | undefined;
  readonly variableDefinitions?: readonly VariableDefinitionNode[] | undefined;
};

// Level by level and not recursively, because a literal may nest thousands of levels deep.
function measureLiterals(values: readonly ValueNode[]): { size: number; levels: number } {
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
