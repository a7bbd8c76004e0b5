import {
  type DocumentNode,
  type ExecutableDefinitionNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { around, type Measure, nothing, total } from './measure.ts';

/** Nothing honest nests deeper, and neither our recursion nor graphql's runs out of stack here. */
export const maxLevels = 100;

/** Measures one operation or fragment after the other; all take time linear to the document. */
export function* measureDefinitions(
  schema: GraphQLSchema,
  document: DocumentNode,
): Generator<[ExecutableDefinitionNode, Measure]> {
  const definitions = document.definitions.filter(
    (node) => node.kind === Kind.OPERATION_DEFINITION || node.kind === Kind.FRAGMENT_DEFINITION,
  );
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const walk: Walk = {
    schema,
    fragments: new Map(fragments.map((node) => [node.name.value, node])),
    measured: new Map(),
  };
  for (const node of definitions) yield [node, ofDefinition(walk, node, 0)];
}

type Walk = {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly measured: Map<ExecutableDefinitionNode, Measure>;
};

type Type = GraphQLNamedType | null | undefined;

function ofDefinition(walk: Walk, node: ExecutableDefinitionNode, level: number): Measure {
  const known = walk.measured.get(node);
  if (known) return known;
  // A spread that meets this mark stands inside the fragment it spreads.
  walk.measured.set(node, { ...nothing, endless: node.name?.value });
  const type =
    node.kind === Kind.OPERATION_DEFINITION
      ? walk.schema.getRootType(node.operation)
      : walk.schema.getType(node.typeCondition.name.value);
  const measured = around(node, ofSelections(walk, node.selectionSet, type, level));
  walk.measured.set(node, measured);
  return measured;
}

function ofSelections(walk: Walk, node: SelectionSetNode, parent: Type, level: number): Measure {
  if (level > maxLevels) return { ...nothing, levels: Number.POSITIVE_INFINITY };
  // Lazily, so that the measures of very many fields are not all kept at once.
  const selections = node.selections.values();
  return total(selections.map((each) => ofSelection(walk, each, parent, level + 1)));
}

function ofSelection(walk: Walk, node: SelectionNode, parent: Type, level: number): Measure {
  if (node.kind === Kind.FIELD) return ofField(walk, node, parent, level);
  if (node.kind === Kind.INLINE_FRAGMENT) {
    const type = node.typeCondition ? walk.schema.getType(node.typeCondition.name.value) : parent;
    return around(node, ofSelections(walk, node.selectionSet, type, level));
  }
  const fragment = walk.fragments.get(node.name.value);
  const inner = fragment ? ofDefinition(walk, fragment, level) : nothing;
  return around(node, { ...inner, size: 0 });
}

// A field costs one, and a list field multiplies the cost of its selection set by ten.
// Doubles end at Infinity, so exponentially many spreads make the cost endless and do not wrap.
function ofField(walk: Walk, node: FieldNode, parent: Type, level: number): Measure {
  const name = node.name.value;
  const type = isCompositeType(parent) ? walk.schema.getField(parent, name)?.type : undefined;
  const inner = node.selectionSet
    ? ofSelections(walk, node.selectionSet, type && getNamedType(type), level)
    : nothing;
  const depth = 1 + inner.depth;
  const cost = 1 + 10 ** listsIn(type) * inner.cost;
  const introspects = name === '__schema' || name === '__type';
  return {
    ...around(node, inner),
    aliases: inner.aliases + (node.alias ? 1 : 0),
    ...(introspects
      ? { depth: 1, cost: 1, introspectionDepth: depth, introspectionCost: cost }
      : { depth, cost }),
  };
}

function listsIn(type: GraphQLType | undefined): number {
  const bare = getNullableType(type);
  return isListType(bare) ? 1 + listsIn(bare.ofType) : 0;
}
