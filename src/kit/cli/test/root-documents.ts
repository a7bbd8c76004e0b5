import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isRequiredArgument,
  isRequiredInputField,
  isUnionType,
} from 'graphql';

type RootDocument = {
  /** Such as `Query.thing`. */
  readonly name: string;
  /** Undefined where no value can be made for its arguments. */
  readonly document: string | undefined;
};

/** A document for each field of Query and Mutation, with its required arguments. */
export function rootDocuments(schema: GraphQLSchema): RootDocument[] {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const;
  return roots.flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {}).map((field) => {
      const text = fieldText(field, LEVELS);
      return {
        name: `${type}.${field.name}`,
        document: text === undefined ? undefined : `${kind} { ${text} }`,
      };
    }),
  );
}

const LEVELS = 3;
/** So many fields of objects are selected of one object: the cost of a document is limited. */
const MOST_OBJECTS = 3;
const MOST_LEAVES = 20;

function fieldText(
  field: GraphQLField<unknown, unknown>,
  levels: number,
  seen: readonly GraphQLInputType[] = [],
): string | undefined {
  const values = field.args
    .filter(isRequiredArgument)
    .map(({ name, type }) => ({ name, text: literal(type, seen) }));
  if (values.some(({ text }) => text === undefined)) return undefined;
  const args = values.map(({ name, text }) => `${name}: ${text}`).join(', ');
  const type = getNamedType(field.type);
  const inner = isCompositeType(type) ? ` { ${selection(type, levels - 1)} }` : '';
  return `${field.name}${args && `(${args})`}${inner}`;
}

function selection(type: GraphQLNamedType, levels: number): string {
  const all = isUnionType(type) || !('getFields' in type) ? [] : Object.values(type.getFields());
  // Fields of an input object, which a composite type is not, would have no arguments.
  const fields = all.filter((each) => 'args' in each && !each.args.some(isRequiredArgument));
  const leaves = fields.filter((each) => isLeafType(getNamedType(each.type)));
  const objects = levels > 1 ? fields.filter((each) => !leaves.includes(each)) : [];
  const chosen = [...leaves.slice(0, MOST_LEAVES), ...objects.slice(0, MOST_OBJECTS)];
  const texts = chosen.flatMap((each) => ('args' in each ? (fieldText(each, levels) ?? []) : []));
  return ['__typename', ...texts].join(' ');
}

/** A value that a type admits; undefined for an input object that demands itself. */
function literal(type: GraphQLInputType, seen: readonly GraphQLInputType[]): string | undefined {
  const bare = getNullableType(type);
  if (isListType(bare)) {
    const item = literal(bare.ofType, seen);
    return item === undefined ? undefined : `[${item}]`;
  }
  if (isEnumType(bare)) return bare.getValues()[0]?.name;
  if (!isInputObjectType(bare)) return literals[bare.name] ?? '"1"';
  if (seen.includes(bare)) return undefined;
  const fields = Object.values(bare.getFields());
  const given = bare.isOneOf ? fields.slice(0, 1) : fields.filter(isRequiredInputField);
  const members = given.map(({ name, type: each }) => ({
    name,
    text: literal(each, [...seen, bare]),
  }));
  if (members.some(({ text }) => text === undefined)) return undefined;
  return `{${members.map(({ name, text }) => `${name}: ${text}`).join(', ')}}`;
}

const literals: Readonly<Record<string, string>> = {
  Int: '1',
  Float: '1.5',
  Boolean: 'true',
  String: '"text"',
};
