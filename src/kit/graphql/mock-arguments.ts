import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
} from 'graphql';

/** What a field was sent by name, with the name of its type. */
export type Sent = Readonly<Record<string, { readonly type: string; readonly value: unknown }>>;

type Values = Readonly<Record<string, unknown>>;

/** The arguments of a field that are no lists, and the members of its input objects. */
export function sentOf({ args: declared }: GraphQLField<unknown, unknown>, args: Values): Sent {
  const entries = declared.flatMap(({ name, type }) => {
    const inner = getNullableType(type);
    const value = args[name];
    if (!isInputObjectType(inner)) return leaf(name, type, value);
    return Object.values(inner.getFields()).flatMap((each) =>
      leaf(each.name, each.type, Object(value)[each.name]),
    );
  });
  return Object.fromEntries(entries);
}

function leaf(name: string, type: GraphQLInputType, value: unknown) {
  const isSent = value !== undefined && value !== null && isLeafType(getNullableType(type));
  return isSent ? [[name, { type: getNamedType(type).name, value }] as const] : [];
}

/** What of it a record of a type shows: fields of the same name and type. */
export function shownBy(type: GraphQLObjectType, sent: Sent): Values {
  const fields = type.getFields();
  const shown = Object.entries(sent).filter(([name, { type: given }]) => {
    const field = fields[name];
    if (!field || isListType(getNullableType(field.type))) return false;
    const { name: own } = getNamedType(field.type);
    return own === given || (own === 'ID' && /^(String|Int)$/.test(given));
  });
  return Object.fromEntries(shown.map(([name, { value }]) => [name, value]));
}
