import {
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  isObjectType,
} from 'graphql';
import { sentOf } from './mock-arguments.ts';
import { createMockRecords, isMockRecord, keyOf, type MockRecords, SENT } from './mock-records.ts';

/** Told when a field of an answer is mocked; a part of the context. */
export type MockContext = { readonly onMocked?: () => void };

type Field = GraphQLField<unknown, unknown>;
type Resolver = GraphQLFieldResolver<unknown, unknown>;

/**
 * Gives every field without a resolver one that reads its record and, where that lacks the field, makes a value of its
 * type; and every subscription without a source of events a source. A value depends on the seed, on the record and on
 * the arguments alone: nothing is kept.
 */
export function mockFields(schema: GraphQLSchema, seed: number): void {
  const records = createMockRecords(schema, seed);
  const subscriptions = schema.getSubscriptionType();
  for (const type of Object.values(schema.getTypeMap())) {
    if (isAbstractType(type)) {
      const { resolveType } = type;
      if (!resolveType) continue;
      type.resolveType = (value, ...rest) =>
        isMockRecord(value) ? value.__typename : resolveType(value, ...rest);
    }
    if (!isObjectType(type)) continue;
    const { isTypeOf } = type;
    if (isTypeOf) {
      type.isTypeOf = (value, ...rest) =>
        isMockRecord(value) ? value.__typename === type.name : isTypeOf(value, ...rest);
    }
    for (const field of Object.values(type.getFields())) {
      field.resolve ??= mockResolver(schema, records, type, field);
      if (type === subscriptions) field.subscribe ??= mockSource(records, type, field);
    }
  }
}

/** With three parameters: one with `info` could not be compiled. */
function mockResolver(
  schema: GraphQLSchema,
  records: MockRecords,
  type: GraphQLObjectType,
  field: Field,
): Resolver {
  const { name } = field;
  const isMutation = type === schema.getMutationType();
  return (source, args, context) => {
    if (isThere(source, name)) {
      const value: unknown = Reflect.get(Object(source), name);
      // As graphql's own: the resolvers of a record may be its methods.
      return typeof value === 'function' ? value.call(source, args, context) : value;
    }
    mocked(context);
    const sent = { ...Object(Object(source)[SENT]), ...sentOf(field, args) };
    const made = records.ofField(field, args, keyOf(source, type), sent);
    // What a mutation was sent shows in the records of its payload.
    return isMutation && isMockRecord(made) ? { ...made, [SENT]: sent } : made;
  };
}

// A subscription that is mocked ends after so many events.
const EVENTS = 3;

function mockSource(records: MockRecords, type: GraphQLObjectType, field: Field): Resolver {
  const { name } = field;
  async function* events(args: Readonly<Record<string, unknown>>) {
    for (let i = 0; i < EVENTS; i++) {
      yield { [name]: records.ofField(field, args, `${type.name}[${i}]`, sentOf(field, args)) };
    }
  }
  return (_source, args, context) => {
    mocked(context);
    return events(args);
  };
}

function mocked(context: unknown): void {
  // graphql does not type contexts.
  (context as MockContext | undefined)?.onMocked?.();
}

/** Whether a record has a member, be it a getter of its class. */
function isThere(source: unknown, name: string): boolean {
  if (typeof source !== 'object' || source === null) return false;
  return Object.hasOwn(source, name) || (name in source && !(name in Object.prototype));
}
