import type { IExecutableSchemaDefinition } from '@graphql-tools/schema';
import {
  type ASTNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLScalarType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { federationScalars } from './federation.ts';
import { located, type Sdl } from './sdl-check.ts';

export type Resolvers = NonNullable<IExecutableSchemaDefinition['resolvers']>;

/** The custom scalars of an SDL: how their values are read and written. */
export type Scalars = Readonly<Record<string, GraphQLScalarType>>;

/**
 * Refuses what the SDL needs and nobody supplies: a field of a root type without a resolver or, of a subscription,
 * without a source of events; an interface or union whose types nobody tells apart; a scalar that nobody reads. And
 * refuses a resolver or scalar that the SDL does not have. With mocks nothing is missing.
 */
export function checkResolvers(
  { schema }: Sdl,
  resolvers: Resolvers,
  scalars: Scalars,
  { file, mocks = false }: { readonly file: string; readonly mocks?: boolean },
): void {
  const given = givenIn([resolvers, scalars].flat());
  if (!mocks) {
    refuse('no resolver for', missingFields(schema, given), file);
    refuse('no subscribe function for', missingSources(schema, [resolvers].flat()), file);
    refuse('no __resolveType for', missingTypeResolvers(schema, given), file);
    refuse('no scalar for', missingScalars(schema, given), file);
  }
  const extra = [
    ...withoutField(schema, [resolvers].flat()),
    ...Object.keys(scalars).filter((name) => !isScalarType(schema.getType(name))),
  ];
  if (extra.length > 0) {
    const node = schema.getType(String(extra[0]?.split('.')[0]))?.astNode;
    const message = `no field for the resolver of ${extra.join(', ')}; expected one for each`;
    throw located(file, node, message);
  }
}

/** The fields of root types, as `Type.field`, without a resolver or, of a subscription, without a source of events. */
export function unresolvedFields(schema: GraphQLSchema, resolvers: Resolvers): string[] {
  const all = [resolvers].flat();
  const missing = [...missingSources(schema, all), ...missingFields(schema, givenIn(all))];
  return [...new Set(missing.map(({ name }) => name))];
}

/** Whether the API supplies a type, or a member of it. */
type Given = (type: string, member?: string) => boolean;

function givenIn(all: readonly object[]): Given {
  return (type, member) =>
    all.some((each) => {
      const entry = Object(Object.hasOwn(each, type) && Reflect.get(each, type));
      return member === undefined ? Object.keys(entry).length > 0 : Object.hasOwn(entry, member);
    });
}

type Missing = { readonly name: string; readonly node: ASTNode | undefined | null };

function refuse(what: string, missing: readonly Missing[], file: string): void {
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  throw located(file, missing[0]?.node, `${what} ${names}; expected one for each`);
}

function missingFields(schema: GraphQLSchema, given: Given): Missing[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return roots
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
    .filter(({ type, field }) => !given(type.name, field.name))
    .map(fieldMissing);
}

function missingSources(schema: GraphQLSchema, all: readonly object[]): Missing[] {
  const type = schema.getSubscriptionType();
  const hasSource = (name: string) =>
    all.some(
      (each) => typeof Object(Object(Reflect.get(each, `${type}`))[name]).subscribe === 'function',
    );
  return Object.values(type?.getFields() ?? {})
    .filter(({ name }) => !hasSource(name))
    .map((field) => ({ name: `${type}.${field.name}`, node: field.astNode }));
}

/** Only the types of fields: an interface that no field returns is never resolved. */
function missingTypeResolvers(schema: GraphQLSchema, given: Given): Missing[] {
  const types = Object.values(schema.getTypeMap());
  const fields = types.flatMap((type) =>
    (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith('__')
      ? Object.values(type.getFields())
      : [],
  );
  const returned = new Set<GraphQLNamedType>(fields.map(({ type }) => getNamedType(type)));
  return [...returned]
    .filter(isAbstractType)
    .filter(({ name }) => !given(name, '__resolveType'))
    .filter((type) => schema.getPossibleTypes(type).some(({ name }) => !given(name, '__isTypeOf')))
    .map(({ name, astNode }) => ({ name, node: astNode }));
}

function missingScalars(schema: GraphQLSchema, given: Given): Missing[] {
  return Object.values(schema.getTypeMap())
    .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
    .filter(({ name }) => !federationScalars.has(name) && !given(name))
    .map(({ name, astNode }) => ({ name, node: astNode }));
}

function fieldMissing({
  type,
  field,
}: {
  readonly type: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
}): Missing {
  return { name: `${type.name}.${field.name}`, node: field.astNode };
}

function withoutField(schema: GraphQLSchema, all: readonly object[]): string[] {
  return all
    .flatMap((each) => Object.entries(each))
    .flatMap(([type, fields]) => Object.keys(Object(fields)).map((field) => ({ type, field })))
    .filter(({ type, field }) => !isThere(schema, type, field))
    .map(({ type, field }) => `${type}.${field}`);
}

function isThere(schema: GraphQLSchema, name: string, field: string): boolean {
  const type = schema.getType(name);
  // Names such as `__resolveType`, and values of enums and scalars, are not fields.
  if (!type || field.startsWith('__')) return type !== undefined;
  if (!isObjectType(type) && !isInterfaceType(type)) return true;
  return Object.hasOwn(type.getFields(), field);
}
