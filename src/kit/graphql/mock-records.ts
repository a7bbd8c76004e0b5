import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isAbstractType,
  isEnumType,
  isListType,
  isObjectType,
} from 'graphql';
import { createRandom, hashOf, integerWithin, pick } from '../seeded-random.ts';
import { type Sent, shownBy } from './mock-arguments.ts';
import { connectionOf } from './mock-connection.ts';
import { createMockScalars } from './mock-scalars.ts';

const KEY = Symbol('what the values of a mocked record follow from');
/** What the mutation that made a record was sent. */
export const SENT = Symbol('what a mutation was sent');

/** A record whose fields are mocked, except for the members that it has. */
export type MockRecord = {
  readonly __typename: string;
  readonly [KEY]: string;
  readonly [SENT]?: Sent;
  readonly [name: string]: unknown;
};

export type MockRecords = {
  /** The value of a field of the record with this key. */
  ofField(field: GraphQLField<unknown, unknown>, args: Values, key: string, sent: Sent): unknown;
  ofType(type: GraphQLOutputType, key: string, sent?: Sent): unknown;
};

type Values = Readonly<Record<string, unknown>>;

// More than a page of what people look at is not asked for by id.
const MOST_IDS = 100;

export function createMockRecords(schema: GraphQLSchema, seed: number): MockRecords {
  const scalarOf = createMockScalars(schema);
  const random = (key: string) => createRandom(`${seed} ${key}`);

  function ofType(type: GraphQLOutputType, key: string, sent: Sent = {}): unknown {
    const bare = getNullableType(type);
    if (isListType(bare)) {
      const length = integerWithin(random(key), 2, 3);
      return Array.from({ length }, (_, i) => ofType(bare.ofType, `${key}[${i}]`));
    }
    if (isObjectType(bare)) return record(bare, key, sent);
    if (isAbstractType(bare)) {
      const possible = schema.getPossibleTypes(bare);
      const id = String(sent.id?.value ?? '');
      const named = possible.find(({ name }) => id.startsWith(`${name}-`));
      const chosen = named ?? pick(random(id || key), possible);
      return chosen ? record(chosen, key, sent) : null;
    }
    if (!isEnumType(bare)) return scalarOf(bare, random(key));
    const values = bare.getValues();
    const current = values.filter(({ deprecationReason }) => deprecationReason == null);
    return pick(random(key), current.length > 0 ? current : values)?.value;
  }

  function record(type: GraphQLObjectType, key: string, sent: Sent): MockRecord {
    const shown = shownBy(type, sent);
    const id = shown.id ?? idOf(type, key);
    // The same id is the same record, wherever it is found.
    const own = id === undefined ? key : `${type.name}:${id}`;
    return { ...(id !== undefined && { id }), ...shown, __typename: type.name, [KEY]: own };
  }

  /** The text before the number says of which type the record is. */
  function idOf(type: GraphQLObjectType, key: string): string | undefined {
    const { id } = type.getFields();
    if (!id || String(getNullableType(id.type)) !== 'ID') return undefined;
    return `${type.name}-${(hashOf(`${seed} ${key}`) % 99_999) + 1}`;
  }

  function ofField(
    field: GraphQLField<unknown, unknown>,
    args: Values,
    key: string,
    sent: Sent,
  ): unknown {
    const type = getNullableType(field.type);
    const connection = isObjectType(type) ? connectionOf(type) : undefined;
    if (connection && isObjectType(type)) {
      const { first: _f, last: _l, after: _a, before: _b, ...others } = args;
      const own = `${key}.${field.name}${textOf(others)}`;
      const members = connection(args, {
        record: (each, name, made) => ({ ...record(each, `${own}.${name}`, {}), ...made }),
        node: (each, i) => ofType(each, `${own}[${i}]`),
      });
      return { ...record(type, own, {}), ...members };
    }
    const own = `${key}.${field.name}${textOf(args)}`;
    if (!isListType(type)) return ofType(type, own, sent);
    const { ids } = args;
    if (Array.isArray(ids)) {
      const each = (id: unknown) =>
        ofType(type.ofType, `${own}${id}`, { id: { type: 'ID', value: id } });
      return ids.slice(0, MOST_IDS).map(each);
    }
    const all = ofType(type, own);
    const most = Number(args.first ?? args.limit ?? Number.POSITIVE_INFINITY);
    return Array.isArray(all) ? all.slice(0, Math.max(most, 0)) : all;
  }

  return { ofField, ofType };
}

export function isMockRecord(value: unknown): value is MockRecord {
  return typeof value === 'object' && value !== null && KEY in value;
}

/** What the values of a record's fields follow from: of one that a resolver gave, its type and its id. */
export function keyOf(source: unknown, { name }: GraphQLObjectType): string {
  if (isMockRecord(source)) return source[KEY];
  const { id } = Object(source);
  return id === undefined ? name : `${name}:${id}`;
}

function textOf(args: Values): string {
  if (Object.keys(args).length === 0) return '';
  return JSON.stringify(args, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
}
