import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import type { Document } from '../../contract/openapi-document.ts';
import { type RestSchema, recordOf, wholeSchema } from './rest-records.ts';

/** How a schema of REST and a type of GraphQL differ; empty where they do not, or where that cannot be told. */
export function createTypeMessage(
  document: Document,
  schema: GraphQLSchema,
): (property: RestSchema, type: GraphQLOutputType) => string {
  function message(
    property: RestSchema,
    type: GraphQLOutputType,
    seen: readonly unknown[],
  ): string {
    const rest = wholeSchema(document, property);
    const named = getNullableType(type);
    const [kind, ...others] = typesOf(rest);
    if (isListType(named)) {
      if (kind !== 'array') return kind === undefined ? '' : `is ${kind} and a list`;
      return itemMessage(Object(rest.items), named.ofType, seen);
    }
    if (kind === 'array' && !isOpenScalar(named)) return `is a list and ${named.name}`;
    const values = valuesOf(rest);
    if (isEnumType(named)) {
      const names = named.getValues().map(({ name }) => name);
      return isSame(values, names)
        ? ''
        : `has other values: ${values.join(', ')} and ${names.join(', ')}`;
    }
    if (isAbstractType(named)) return '';
    if (isObjectType(named)) {
      if (kind !== 'object' && kind !== undefined) return `is ${kind} and ${named.name}`;
      return membersMessage(rest, named.name, seen);
    }
    if (isOpenScalar(named) || kind === undefined) return scalarMessage(rest, named.name);
    if (values.length > 0 && kind === 'string') {
      return `is one of ${values.join(', ')} and any ${named.name}`;
    }
    if (others.length > 0) return `is ${[kind, ...others].join(' or ')} and ${named.name}`;
    return builtInMessage(rest, kind, named.name);
  }

  function itemMessage(
    items: RestSchema,
    type: GraphQLOutputType,
    seen: readonly unknown[],
  ): string {
    const isNullable = mayBeNull(wholeSchema(document, items));
    if (isNullable && isNonNullType(type)) return 'has items that may be null and are non-null';
    if (!isNullable && !isNonNullType(type)) return 'has items that are never null and nullable';
    const found = message(items, type, seen);
    return found === '' ? '' : `has items: each ${found}`;
  }

  /** The members of an object that is a part of the record, whatever the two contracts call it. */
  function membersMessage(rest: RestSchema, name: string, seen: readonly unknown[]): string {
    const type = schema.getType(name);
    // A record by itself is compared where it stands.
    const isRecord = Object.hasOwn(document.components?.schemas ?? {}, name);
    if (!isObjectType(type) || isRecord || seen.includes(type) || !rest.properties) return '';
    const { properties } = recordOf(document, rest);
    const fields = type.getFields();
    for (const each of new Set([...properties.keys(), ...Object.keys(fields)])) {
      const [property, field] = [properties.get(each), fields[each]];
      if (!property) return `has ${each} in GraphQL only`;
      if (!field) return `has ${each} in REST only`;
      const found = message(property, field.type, [...seen, type]);
      if (found !== '') return `has ${each}, which ${found}`;
    }
    return '';
  }

  return (property, type) => message(property, type, []);
}

/** Whether null is among the values of a schema, as 3.0 or 3.1 says it. */
export function mayBeNull({ nullable, type, enum: values, const: only }: RestSchema): boolean {
  const isListed = Array.isArray(values) && values.includes(null);
  return nullable === true || [type].flat().includes('null') || isListed || only === null;
}

function typesOf(rest: RestSchema): string[] {
  const types = [rest.type ?? []].flat().map(String);
  if (types.length > 0) return types.filter((each) => each !== 'null');
  if (rest.properties) return ['object'];
  if (rest.items) return ['array'];
  const [value] = valuesOf(rest);
  return typeof value === 'string' ? ['string'] : [];
}

function valuesOf({ enum: values, const: only }: RestSchema): unknown[] {
  const all = only === undefined ? [values ?? []].flat() : [only];
  return all.filter((value) => value !== null);
}

/** GraphQL names its values `IN_STOCK` where REST says `in-stock`. */
function isSame(values: readonly unknown[], names: readonly string[]): boolean {
  const [one, other] = [values, names].map(
    (all) =>
      new Set(
        all.map((each) =>
          String(each)
            .replaceAll(/[^A-Za-z0-9]/g, '_')
            .toUpperCase(),
        ),
      ),
  );
  return one?.symmetricDifference(other ?? new Set()).size === 0;
}

/** A scalar of the SDL's own: its values may have any type. */
function isOpenScalar(type: unknown): boolean {
  return isScalarType(type) && !isSpecifiedScalarType(type);
}

const INT = 2 ** 31;

function builtInMessage(rest: RestSchema, kind: string, name: string): string {
  const isLarge = rest.format === 'int64' || !(Number(rest.maximum) < INT);
  const counterparts: Readonly<Record<string, readonly string[]>> = {
    // What Int cannot hold is a Float there.
    integer: isLarge ? ['Int', 'Float'] : ['Int'],
    number: ['Float'],
    // An ID is text.
    string: ['String', 'ID'],
    boolean: ['Boolean'],
  };
  if (!counterparts[kind]?.includes(name)) return `is ${kind} and ${name}`;
  const isTooLarge = name === 'Int' && isLarge && rest.format !== 'int32';
  return isTooLarge ? 'has no maximum in REST that GraphQL’s Int can hold (2147483647)' : '';
}

/** What scalars of the SDL's own are called, by the format that they have in REST. */
const scalars: Readonly<Record<string, RegExp>> = {
  date: /^(local)?date(only)?$/,
  'date-time': /^(date_?time|(local|zoned|offset)date_?time|timestamp|instant|iso8601date_?time)$/,
  time: /^(local)?time$/,
  duration: /^(iso8601)?duration$/,
  uuid: /^(uuid|guid)$/,
  email: /^email(address)?$/,
  uri: /^(ur[il]|link)$/,
  int64: /^(big_?int|long|int64|safeint)$/,
};

/** Only a scalar whose name speaks of another format differs. */
function scalarMessage(rest: RestSchema, name: string): string {
  const spoken = Object.keys(scalars).find((format) => scalars[format]?.test(name.toLowerCase()));
  const [kind] = typesOf(rest);
  if (spoken === undefined || kind === undefined) return '';
  const own = rest.format === undefined ? kind : String(rest.format);
  const isNumber = kind === 'integer' || kind === 'number';
  const isFit =
    kind === 'string'
      ? !Object.hasOwn(scalars, own) || own === spoken
      : isNumber && (spoken === 'int64' || spoken === 'date-time');
  return isFit ? '' : `is ${own} and ${name}`;
}
