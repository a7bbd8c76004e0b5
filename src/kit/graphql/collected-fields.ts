import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionSetNode,
  type VariableValues,
  visit,
} from 'graphql';

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export function fragmentsIn({ definitions }: DocumentNode): Fragments {
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((node) => [node.name.value, node]));
}

/** The variables on which it depends which fields of a document are selected. */
export function flagsIn(document: DocumentNode): string[] {
  const flags = new Set<string>();
  visit(document, {
    Directive: ({ arguments: given = [] }: DirectiveNode) => {
      for (const { value } of given) if (value.kind === Kind.VARIABLE) flags.add(value.name.value);
    },
  });
  return [...flags];
}

/**
 * The fields of an object by the names that they have in the answer, in their order: CollectFields of the GraphQL
 * specification for a type that all fragments are on. undefined where one is on another type.
 */
export function collectedFields(
  selectionSets: readonly SelectionSetNode[],
  type: string,
  fragments: Fragments,
  variables: VariableValues | undefined,
): ReadonlyMap<string, [FieldNode, ...FieldNode[]]> | undefined {
  const fields = new Map<string, [FieldNode, ...FieldNode[]]>();
  const visited = new Set<string>();
  const isIncluded = (node: Directed) =>
    getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false;

  function collect({ selections }: SelectionSetNode): boolean {
    return selections.every((node) => {
      if (!isIncluded(node)) return true;
      if (node.kind === Kind.FIELD) {
        const name = (node.alias ?? node.name).value;
        const known = fields.get(name);
        if (known) known.push(node);
        else fields.set(name, [node]);
        return true;
      }
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        if (visited.has(node.name.value)) return true;
        visited.add(node.name.value);
      }
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
      const condition = fragment?.typeCondition?.name.value ?? type;
      return fragment !== undefined && condition === type && collect(fragment.selectionSet);
    });
  }

  return selectionSets.every(collect) ? fields : undefined;
}

type Directed = { readonly directives?: readonly DirectiveNode[] | undefined };
