import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isEnumType,
  isObjectType,
  isSpecifiedScalarType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  typeFromAST,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';

export type IsCompilable = (operation: OperationDefinitionNode, document: DocumentNode) => boolean;

// What is compiled takes memory and time in proportion to the fields, fragments filled in.
const MOST_FIELDS = 200;

/**
 * Says which operations graphql-jit executes as graphql 17 does. Anything that is not known to be the same
 * is left to graphql. What is left out, and why:
 * - argument and input field defaults: they vanish, graphql-jit reads where graphql 16 kept them
 * - lists and objects as arguments: a variable that is absent inside them becomes null
 * - text written into the document: graphql-jit makes code of it, and some text is executed
 * - interfaces, unions and `isTypeOf`: a promise of the type throws, outside of any promise that is awaited
 * - enums with internal values that are not text, and custom scalars: values lose their identity in code
 * - objects that the default resolver reads: a function or a promise is taken for the object
 * - resolvers with a fourth parameter: their `info` has other variable values
 * - directives: a field that is skipped at times comes in another order
 * - introspection: it takes long to compile and is seldom asked for
 */
export function createIsCompilable(schema: GraphQLSchema): IsCompilable {
  const ambiguous = ambiguousFields(schema);

  function isCompilableField(field: GraphQLField<unknown, unknown>, parent: GraphQLObjectType) {
    const { type, args, resolve } = field;
    const named = getNamedType(type);
    return (
      !ambiguous.has(parent.name + field.name) &&
      (resolve?.length ?? 0) < 4 &&
      (isPlainLeaf(named) || (resolve !== undefined && isObjectType(named) && !named.isTypeOf)) &&
      args.every(isWithoutDefault)
    );
  }

  return (operation, document) => {
    const fragments = new Map(
      document.definitions
        .filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
        .map((node): [string, FragmentDefinitionNode] => [node.name.value, node]),
    );
    let fields = 0;

    function isField(node: FieldNode, parent: GraphQLObjectType): boolean {
      const { name, alias, directives = [], selectionSet } = node;
      if (directives.length > 0 || ++fields > MOST_FIELDS) return false;
      // graphql-jit joins the names of a path with underscores, and makes an object literal of the fields, in
      // which `__proto__` is no member. This leaves out introspection, too.
      if (alias?.value.includes('_')) return false;
      if (name.value === '__typename') return true;
      if (name.value.includes('_')) return false;
      const field = schema.getField(parent, name.value);
      if (!field || !isCompilableField(field, parent)) return false;
      if (!areCompilableArguments(node.arguments ?? [], field.args)) return false;
      const type = getNamedType(field.type);
      return !selectionSet || (isObjectType(type) && isSelection(selectionSet, type));
    }

    function isFragment(
      { typeCondition, directives = [], selectionSet }: Fragment,
      parent: GraphQLObjectType,
    ): boolean {
      const isOfParent = !typeCondition || typeCondition.name.value === parent.name;
      return isOfParent && directives.length === 0 && isSelection(selectionSet, parent);
    }

    function isSelection({ selections }: SelectionSetNode, parent: GraphQLObjectType): boolean {
      return selections.every((node) => {
        if (node.kind === Kind.FIELD) return isField(node, parent);
        if (node.kind === Kind.INLINE_FRAGMENT) return isFragment(node, parent);
        const fragment = fragments.get(node.name.value);
        return !node.directives?.length && fragment !== undefined && isFragment(fragment, parent);
      });
    }

    const root = schema.getRootType(operation.operation);
    const { variableDefinitions = [], directives = [], selectionSet } = operation;
    return (
      root instanceof GraphQLObjectType &&
      directives.length === 0 &&
      variableDefinitions.every((node) => isCompilableVariable(schema, node)) &&
      isSelection(selectionSet, root)
    );
  };
}

type Fragment = Pick<FragmentDefinitionNode, 'directives' | 'selectionSet'> & {
  readonly typeCondition?: FragmentDefinitionNode['typeCondition'] | undefined;
};

/** The names that graphql-jit gives to more than one field: `A.bc` and `Ab.c` are both `Abc` to it. */
function ambiguousFields(schema: GraphQLSchema): ReadonlySet<string> {
  const objects = Object.values(schema.getTypeMap()).filter(isObjectType);
  const names = objects.flatMap((type) =>
    Object.keys(type.getFields()).map((field) => type.name + field),
  );
  const seen = new Set<string>();
  return new Set(names.filter((name) => seen.size === seen.add(name).size));
}

function isWithoutDefault(argument: GraphQLArgument): boolean {
  const { name, default: fromSdl, defaultValue } = argument;
  // graphql-jit keeps arguments in an object with a prototype.
  return fromSdl === undefined && defaultValue === undefined && !(name in Object.prototype);
}

function areCompilableArguments(
  nodes: readonly ArgumentNode[],
  declared: readonly GraphQLArgument[],
): boolean {
  const given = declared.flatMap(({ name, type }) =>
    nodes.filter((node) => node.name.value === name).map(({ value }) => ({ type, value })),
  );
  return given.every(({ type, value }, i) => {
    if (!isPlainLeaf(getNullableType(type))) return false;
    // graphql-jit adds the variables after all literals, whatever their order.
    const follows = given[i - 1]?.value.kind === Kind.VARIABLE;
    return value.kind === Kind.VARIABLE || (!follows && isPlainLiteral(value));
  });
}

function isCompilableVariable(schema: GraphQLSchema, node: VariableDefinitionNode): boolean {
  const { variable, type, defaultValue, directives = [] } = node;
  const isRequired = type.kind === Kind.NON_NULL_TYPE;
  const named = isRequired ? type.type : type;
  return (
    named.kind === Kind.NAMED_TYPE &&
    isPlainLeaf(typeFromAST(schema, named)) &&
    directives.length === 0 &&
    !(variable.name.value in Object.prototype) &&
    (!defaultValue || (!isRequired && isPlainLiteral(defaultValue)))
  );
}

function isPlainLeaf(type: GraphQLType | GraphQLNamedType | undefined): boolean {
  if (isEnumType(type)) return type.getValues().every(({ value }) => typeof value === 'string');
  // The second condition is for the compiler: every specified scalar type is a named type.
  return type !== undefined && 'name' in type && isSpecifiedScalarType(type);
}

/** No text: graphql-jit looks for marks in it and makes code of what follows them. */
function isPlainLiteral(value: ValueNode): boolean {
  if (value.kind === Kind.INT) return /^(0|-?[1-9][0-9]*)$/.test(value.value);
  return value.kind === Kind.BOOLEAN || value.kind === Kind.NULL || value.kind === Kind.ENUM;
}
