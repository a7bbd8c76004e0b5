import {
  type GraphQLArgument,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';

/** Where each type is used, by its name: fields as `Owner.field`, unions by their names. */
export function typeUses(schema: GraphQLSchema): ReadonlyMap<string, readonly string[]> {
  const uses = new Map<string, Set<string>>();
  const note = (used: string, user: string) => {
    const known = uses.get(used) ?? new Set();
    uses.set(used, known.add(user));
  };
  const noteAll = (args: readonly GraphQLArgument[], user: string) => {
    for (const { type } of args) note(getNamedType(type).name, user);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isUnionType(type)) for (const each of type.getTypes()) note(each.name, type.name);
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        note(getNamedType(field.type).name, `${type.name}.${field.name}`);
      }
    }
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const user = `${type.name}.${field.name}`;
      note(getNamedType(field.type).name, user);
      noteAll(field.args, user);
    }
  }
  for (const { name, args } of schema.getDirectives()) noteAll(args, `@${name}`);
  return new Map([...uses].map(([name, users]) => [name, [...users]]));
}
