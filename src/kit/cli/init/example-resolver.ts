import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
} from 'graphql';
import { literalText, nameText } from './literal-text.ts';

/** One resolver of Query as a member of an object of TypeScript; undefined where no value can be made for any. */
export function exampleResolver(schema: GraphQLSchema): string | undefined {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  // A list or a record by its id is better left to its mock.
  const plain = fields.filter(({ args }) => args.length === 0);
  const leaves = plain.filter(({ type }) => !isObjectType(getNamedType(type)));
  const single = plain.filter(({ type }) => !isListType(getNullableType(type)));
  for (const { name, type } of [...leaves, ...single, ...plain, ...fields]) {
    const value = sampleOf(getNullableType(type), []);
    if (value === undefined) continue;
    const text = literalText(value, '    ');
    return `    ${nameText(name)}: () => ${text.startsWith('{') ? `(${text})` : text},\n`;
  }
  return undefined;
}

/** A value with all its fields; undefined for an abstract type, and for one that demands itself. */
function sampleOf(type: GraphQLOutputType, above: readonly GraphQLObjectType[]): unknown {
  if (isNonNullType(type)) return sampleOf(getNullableType(type), above);
  if (isListType(type)) {
    const item = sampleOf(type.ofType, above);
    return item === undefined || item === null ? [] : [item];
  }
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isScalarType(type)) return values[type.name];
  if (!isObjectType(type) || above.includes(type)) return undefined;
  const members = Object.values(type.getFields()).map(({ name, type: each }) => {
    const value = sampleOf(each, [...above, type]);
    return [name, value === undefined && !isNonNullType(each) ? null : value] as const;
  });
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members);
}

// How values of a scalar of the SDL's own are written is for the project to say.
const values: Readonly<Record<string, unknown>> = {
  ID: '1',
  Int: 1,
  Float: 1.5,
  Boolean: true,
  String: 'Hello',
};
