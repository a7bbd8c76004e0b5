import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** The deprecated fields, arguments, input fields and enum values that a document uses, as `Type.field`. */
export function deprecatedIn(schema: GraphQLSchema, document: DocumentNode): Set<string> {
  const used = new Set<string>();
  const info = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(info, {
      Field() {
        const field = info.getFieldDef();
        if (field?.deprecationReason != null) used.add(`${info.getParentType()}.${field.name}`);
      },
      Argument() {
        const argument = info.getArgument();
        if (argument?.deprecationReason == null) return;
        const directive = info.getDirective();
        const owner = directive
          ? `@${directive.name}`
          : `${info.getParentType()}.${info.getFieldDef()?.name}`;
        used.add(`${owner}(${argument.name}:)`);
      },
      ObjectField(node) {
        // Of a list, where a single value stands for one.
        const parent = getNamedType(info.getParentInputType());
        if (!isInputObjectType(parent)) return;
        const field = parent.getFields()[node.name.value];
        if (field?.deprecationReason != null) used.add(`${parent.name}.${field.name}`);
      },
      EnumValue() {
        const value = info.getEnumValue();
        if (value?.deprecationReason != null) {
          used.add(`${getNamedType(info.getInputType())}.${value.name}`);
        }
      },
    }),
  );
  return used;
}

type Variables = { readonly [name: string]: unknown } | null | undefined;

/** Says which deprecated input fields and enum values are in the values of an operation's variables. */
export type DeprecatedInVariables = (
  operation: OperationDefinitionNode,
  variables: Variables,
) => ReadonlySet<string>;

export function createDeprecatedInVariables(schema: GraphQLSchema): DeprecatedInVariables {
  const none: ReadonlySet<string> = new Set();
  if (!hasDeprecatedInput(schema)) return () => none;
  return ({ variableDefinitions = [] }, variables) => {
    const used = new Set<string>();
    for (const { variable, type } of variableDefinitions) {
      const known = typeFromAST(schema, type);
      if (isInputType(known)) collect(known, variables?.[variable.name.value], used);
    }
    return used;
  };
}

// The operation was carried out: the values fit their types, and nest no deeper than the endpoint admits.
function collect(type: GraphQLInputType, value: unknown, used: Set<string>): void {
  const bare = getNullableType(type);
  if (value === null || value === undefined) return;
  if (isListType(bare)) {
    for (const each of Array.isArray(value) ? value : [value]) collect(bare.ofType, each, used);
  } else if (isEnumType(bare)) {
    const given = bare.getValue(String(value));
    if (given?.deprecationReason != null) used.add(`${bare.name}.${given.name}`);
  } else if (isInputObjectType(bare)) {
    const fields = bare.getFields();
    for (const [name, member] of Object.entries(value)) {
      const field = fields[name];
      if (!field) continue;
      if (field.deprecationReason != null) used.add(`${bare.name}.${name}`);
      collect(field.type, member, used);
    }
  }
}

function hasDeprecatedInput(schema: GraphQLSchema): boolean {
  return Object.values(schema.getTypeMap()).some((type) => {
    if (isEnumType(type)) return type.getValues().some(isDeprecated);
    return isInputObjectType(type) && Object.values(type.getFields()).some(isDeprecated);
  });
}

function isDeprecated({ deprecationReason }: { readonly deprecationReason?: unknown }): boolean {
  return deprecationReason != null;
}
