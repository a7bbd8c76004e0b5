import {
  type DocumentNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  isIntrospectionType,
  isObjectType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** Every field and argument of the schema's own types. */
export function allGraphqlParts(schema: GraphQLSchema): Set<string> {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  return new Set(
    types
      .filter((type) => !isIntrospectionType(type))
      .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
      .flatMap(({ type, field }) => [
        fieldPart(type, field.name),
        ...field.args.map(({ name }) => argumentPart(type, field.name, name)),
      ]),
  );
}

/** The fields and arguments that a document uses. */
export function partsOfDocument(schema: GraphQLSchema, document: DocumentNode): Set<string> {
  const used = new Set<string>();
  const info = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: ({ name }) => void used.add(fieldPart(info.getParentType(), name.value)),
      Argument: ({ name }) => {
        used.add(argumentPart(info.getParentType(), info.getFieldDef()?.name, name.value));
      },
    }),
  );
  return used;
}

type Type = GraphQLCompositeType | null | undefined;

// The REST contract has schemas of the same names.
function fieldPart(type: Type, field: string): string {
  return `GraphQL ${type}.${field}`;
}

function argumentPart(type: Type, field: string | undefined, argument: string): string {
  return `GraphQL ${type}.${field}(${argument}:)`;
}
