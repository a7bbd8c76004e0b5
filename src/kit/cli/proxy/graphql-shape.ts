import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { isObject } from '../../contract/openapi-document.ts';

type Asked = {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
};

/** Something in `data` that the selection or the types do not have. */
type Fault = { readonly place: string; readonly message: string };

/** What in the data of an answer is not what a valid operation selects. */
export function shapeFaults(
  schema: GraphQLSchema,
  { document, operation, variables }: Asked,
  data: unknown,
): Fault[] {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const each of document.definitions) {
    if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each);
  }
  const root = schema.getRootType(operation.operation);
  return root ? ofObject(data, root, [operation.selectionSet], 'data') : [];

  function ofObject(
    value: unknown,
    type: GraphQLObjectType,
    sets: readonly SelectionSetNode[],
    place: string,
  ): Fault[] {
    if (!isObject(value) || Array.isArray(value)) return [{ place, message: 'must be an object' }];
    const selected = Map.groupBy(
      sets.flatMap((set) => fieldsOf(set, type)),
      ({ alias, name }) => (alias ?? name).value,
    );
    const extra = Object.keys(value)
      .filter((key) => !selected.has(key))
      .map((key) => ({ place: `${type.name}.${key}`, message: 'is not selected' }));
    const members = [...selected].flatMap(([key, nodes]) => ofField(value, key, nodes, type));
    return [...extra, ...members];
  }

  function ofField(
    value: Record<string, unknown>,
    key: string,
    nodes: readonly FieldNode[],
    type: GraphQLObjectType,
  ): Fault[] {
    const name = nodes[0]?.name.value ?? key;
    const place = `${type.name}.${name}`;
    if (!Object.hasOwn(value, key)) return [{ place, message: 'is missing' }];
    const field = schema.getField(type, name);
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    return field ? ofType(value[key], field.type, sets, place) : [];
  }

  function ofType(
    value: unknown,
    type: GraphQLOutputType,
    sets: readonly SelectionSetNode[],
    place: string,
  ): Fault[] {
    if (isNonNullType(type)) {
      return value === null
        ? [{ place, message: 'must not be null' }]
        : ofType(value, type.ofType, sets, place);
    }
    if (value === null) return [];
    if (isListType(type)) {
      if (!Array.isArray(value)) return [{ place, message: 'must be a list' }];
      return distinct(value.flatMap((each) => ofType(each, type.ofType, sets, place)));
    }
    if (isLeafType(type)) {
      const values = isEnumType(type) ? type.getValues().map(({ name }) => name) : undefined;
      const isRight = values ? values.includes(String(value)) : isOfScalar(type.name, value);
      return isRight ? [] : [{ place, message: `must be ${type.name}` }];
    }
    if (isObjectType(type)) return ofObject(value, type, sets, place);
    const named = isObject(value) ? typenameIn(value, sets) : undefined;
    // Which of the types it is cannot be told otherwise.
    if (typeof named !== 'string') return [];
    const concrete = schema.getType(named);
    const isPossible =
      isObjectType(concrete) && isAbstractType(type) && schema.isSubType(type, concrete);
    if (!isPossible) return [{ place, message: `must be ${type.name}, not ${named}` }];
    return ofObject(value, concrete, sets, place);
  }

  /** The fields of a selection that apply to an object of a type. */
  function fieldsOf({ selections }: SelectionSetNode, type: GraphQLObjectType): FieldNode[] {
    return selections.filter(isIncluded).flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection];
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      if (!fragment || !applies(fragment.typeCondition?.name.value, type)) return [];
      return fieldsOf(fragment.selectionSet, type);
    });
  }

  function applies(condition: string | undefined, type: GraphQLObjectType): boolean {
    const wanted = condition === undefined ? type : schema.getType(condition);
    return wanted === type || (isAbstractType(wanted) && schema.isSubType(wanted, type));
  }

  function isIncluded({ directives = [] }: SelectionNode): boolean {
    return directives.every(({ name, arguments: given }) => {
      const condition = given?.find((each) => each.name.value === 'if')?.value;
      const value =
        condition?.kind === Kind.VARIABLE
          ? variables[condition.name.value]
          : condition?.kind === Kind.BOOLEAN && condition.value;
      if (name.value === GraphQLSkipDirective.name) return value !== true;
      return name.value !== GraphQLIncludeDirective.name || value === true;
    });
  }

  /** `__typename` may be selected under another name, at any depth of fragments. */
  function typenameIn(value: Record<string, unknown>, sets: readonly SelectionSetNode[]): unknown {
    const selected = sets.flatMap(({ selections }) => selections);
    const node = selected.find(
      (each) => each.kind === Kind.FIELD && each.name.value === '__typename',
    );
    return node?.kind === Kind.FIELD ? value[(node.alias ?? node.name).value] : undefined;
  }
}

function isOfScalar(name: string, value: unknown): boolean {
  switch (name) {
    case 'Int':
      // A whole number of 32 bits.
      return value === (Number(value) | 0);
    case 'Float':
      return typeof value === 'number';
    case 'Boolean':
      return typeof value === 'boolean';
    case 'String':
    case 'ID':
      return typeof value === 'string';
    default:
      return true;
  }
}

/** A list with the same fault in each item has it once. */
function distinct(faults: readonly Fault[]): Fault[] {
  const byText = new Map(faults.map((each) => [`${each.place} ${each.message}`, each]));
  return [...byText.values()];
}
