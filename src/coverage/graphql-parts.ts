import {
  type DocumentNode,
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
        `${type}.${field.name}`,
        ...field.args.map((argument) => `${type}.${field.name}(${argument.name}:)`),
      ]),
  );
}

/** The fields and arguments that a document uses. */
export function partsOfDocument(schema: GraphQLSchema, document: DocumentNode): Set<string> {
  const used = new Set<string>();
  const info = new TypeInfo(schema);
  const field = () => `${info.getParentType()}.${info.getFieldDef()?.name}`;
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: () => void used.add(field()),
      Argument: () => void used.add(`${field()}(${info.getArgument()?.name}:)`),
    }),
  );
  return used;
}
