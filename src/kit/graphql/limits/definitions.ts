import {
  type DefinitionNode,
  type DocumentNode,
  type ExecutableDefinitionNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { around, type Measure, nothing, total } from './measure.ts';

/** Far more than clients need; at this depth neither our recursion nor graphql's exhausts the stack. */
export const maxLevels = 100;

/** What a record of a list costs, and the most times that aliases can repeat its text in the answer. */
export type ListCost = { readonly ofRecord: number; readonly copies: number };

/** Told of each list that is selected, by its coordinate. */
export type OnList = (coordinate: string, cost: ListCost) => void;

/** The whole number that a variable has, if any. */
export type NumberOf = (variable: string) => number | undefined;

type Told = { readonly onList?: OnList; readonly numberOf?: NumberOf };

/** Measures one operation or fragment after the other, in time linear to the document. */
export function* measureDefinitions(
  schema: GraphQLSchema,
  document: DocumentNode,
  told: Told = {},
): Generator<[ExecutableDefinitionNode, Measure]> {
  const walk = createWalk(schema, document, told);
  for (const node of document.definitions) {
    if (isExecutable(node)) yield [node, ofDefinition(walk, node, 0)];
  }
}

/** What an operation costs with these variables. */
export function costWith(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  numberOf: NumberOf,
): number {
  return ofDefinition(createWalk(schema, document, { numberOf }), operation, 0).cost;
}

function createWalk(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
  { onList = () => {}, numberOf = () => undefined }: Told,
): Walk {
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  return {
    schema,
    fragments: new Map(fragments.map((node) => [node.name.value, node])),
    measured: new Map(),
    onList,
    numberOf,
  };
}

function isExecutable(node: DefinitionNode): node is ExecutableDefinitionNode {
  return node.kind === Kind.OPERATION_DEFINITION || node.kind === Kind.FRAGMENT_DEFINITION;
}

type Walk = {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly measured: Map<ExecutableDefinitionNode, Measure>;
  readonly onList: OnList;
  readonly numberOf: NumberOf;
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
  // An iterator, so that the measures of very many fields are not all held at once.
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

// A field costs one; a list multiplies the cost of its selection set by ten, or by the number that its argument
// `first` has. Exponentially many spreads end at Infinity: doubles do not wrap.
function ofField(walk: Walk, node: FieldNode, parent: Type, level: number): Measure {
  const name = node.name.value;
  const field = isCompositeType(parent) ? walk.schema.getField(parent, name) : undefined;
  const type = field?.type;
  const inner = node.selectionSet
    ? ofSelections(walk, node.selectionSet, type && getNamedType(type), level)
    : nothing;
  const depth = (isRelayPart(parent, name) ? 0 : 1) + inner.depth;
  const lists = listsIn(type);
  const cost = 1 + (lists > 0 ? firstOf(walk, node) * 10 ** (lists - 1) : 1) * inner.cost;
  const measured = { ...around(node, inner), aliases: inner.aliases + (node.alias ? 1 : 0) };
  if (name === '__schema' || name === '__type') {
    const introspection = { introspectionDepth: depth, introspectionCost: cost };
    return { ...measured, depth: 1, cost: 1, perObject: 1, ...introspection };
  }
  const isListOfObjects = lists > 0 && node.selectionSet !== undefined;
  if (isListOfObjects) {
    const cost = { ofRecord: 1 + inner.perObject, copies: 1 + inner.aliases };
    walk.onList(`${parent?.name}.${name}`, cost);
  }
  const perObject = answerCost(field, isListOfObjects) + (isListOfObjects ? 0 : inner.perObject);
  return { ...measured, depth, cost, perObject };
}

/**
 * Whether a field only leads from a connection to its records, by Relay's cursor connections: `edges`, `nodes` and
 * `pageInfo` of a connection, and `node` of an edge. It is no level of its own: a list by way of a connection is as
 * deep as one without. `maxLevels` and the cost bound those, too.
 */
function isRelayPart(parent: Type, field: string): boolean {
  if (!isObjectType(parent) && !isInterfaceType(parent)) return false;
  const fields = parent.getFields();
  if (field === 'node') return parent.name.endsWith('Edge') && fields.cursor !== undefined;
  return (
    /^(edges|nodes|pageInfo)$/.test(field) &&
    parent.name.endsWith('Connection') &&
    fields.pageInfo !== undefined
  );
}

/**
 * The time to resolve and write a field, where one without a resolver takes 1: a resolver, which may be
 * asynchronous, takes some 5 times as long; a list that is loaded with those of other records some 20 times.
 */
function answerCost(field: GraphQLField<unknown, unknown> | undefined, isList: boolean): number {
  if (!field?.resolve || field.name === '__typename') return 1;
  return isList ? 20 : 5;
}

/** How many records a list is taken to have. */
function firstOf({ numberOf }: Walk, { arguments: given = [] }: FieldNode): number {
  const value = given.find(({ name }) => name.value === 'first')?.value;
  const first = value?.kind === Kind.VARIABLE ? numberOf(value.name.value) : literal(value);
  return Math.max(first ?? 10, 0);
}

function literal(value: ValueNode | undefined): number | undefined {
  return value?.kind === Kind.INT ? Number(value.value) : undefined;
}

function listsIn(type: GraphQLType | undefined): number {
  const bare = getNullableType(type);
  return isListType(bare) ? 1 + listsIn(bare.ofType) : 0;
}
