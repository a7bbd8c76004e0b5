import { type DocumentNode, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from 'graphql';

/** The deprecated fields, arguments and enum values that a document uses, as `Type.field`. */
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
        used.add(`${info.getParentType()}.${info.getFieldDef()?.name}(${argument.name}:)`);
      },
      EnumValue() {
        const value = info.getEnumValue();
        if (value?.deprecationReason != null) used.add(`${info.getInputType()}.${value.name}`);
      },
    }),
  );
  return used;
}
