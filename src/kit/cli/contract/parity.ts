import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { type Document, resolve } from '../../contract/openapi-document.ts';
import { boundsOf } from './bounds.ts';

/** A difference between the two contracts in something that both have. */
export type Difference = {
  readonly entity: string;
  readonly field: string;
  readonly message: string;
  /** Why it is meant to be so, as openapi.yaml's `x-parity` says; without it the contracts contradict. */
  readonly reason: string | undefined;
};

type Property = Record<string, unknown>;
type Fields = Readonly<Record<string, GraphQLField<unknown, unknown>>>;

/** How each record that both contracts have differs between them. */
export function parity(document: Document, schema: GraphQLSchema): Difference[] {
  return Object.entries(document.components?.schemas ?? {}).flatMap(([entity, record]) => {
    const type = schema.getType(entity);
    return isObjectType(type) ? differences(document, schema, entity, Object(record), type) : [];
  });
}

function differences(
  document: Document,
  schema: GraphQLSchema,
  entity: string,
  record: { properties?: Record<string, object>; required?: string[]; 'x-parity'?: object },
  type: GraphQLObjectType,
): Difference[] {
  const { properties = {}, required = [] } = record;
  const reasons: Record<string, string> = { ...record['x-parity'] };
  const fields: Fields = type.getFields();
  const names = new Set([...Object.keys(properties), ...Object.keys(fields)]);
  const found = [...names].flatMap((name) => {
    const [property, field] = [properties[name], fields[name]];
    if (!property) return [{ field: name, message: 'is in schema.graphql only' }];
    if (!field) return [{ field: name, message: 'is in openapi.yaml only' }];
    // Siblings of a reference, such as a description, do not matter here, but a deprecation does.
    const whole: Property = { ...resolve(document, property), ...property };
    const messages = [
      typeMessage(whole, field),
      nullMessage(whole, required.includes(name), field),
      deprecationMessage(whole, field),
      ...boundMessages(schema, type, name, whole),
    ];
    return messages.filter(Boolean).map((message) => ({ field: name, message }));
  });
  const stale = Object.keys(reasons)
    .filter((name) => !found.some(({ field }) => field === name))
    .map((field) => ({ field, message: 'has a reason in x-parity, but no difference' }));
  return [
    ...found.map((each) => ({ entity, ...each, reason: reasons[each.field] })),
    ...stale.map((each) => ({ entity, ...each, reason: undefined })),
  ];
}

const counterparts: Readonly<Record<string, string>> = {
  integer: 'Int',
  number: 'Float',
  string: 'String',
  boolean: 'Boolean',
};

function typeMessage(property: Property, { type }: GraphQLField<unknown, unknown>): string {
  const named = getNamedType(type);
  const [rest] = [property.type].flat().filter((each) => each !== 'null');
  if (isEnumType(named)) {
    const values = named.getValues().map(({ name }) => name);
    const isSame = JSON.stringify(values) === JSON.stringify(property.enum);
    return isSame
      ? ''
      : `has other values: ${[property.enum].flat().join(', ')} and ${values.join(', ')}`;
  }
  if (property.enum) return `is one of ${[property.enum].flat().join(', ')} and any ${named.name}`;
  if (counterparts[String(rest)] !== named.name) return `is ${rest} and ${named.name}`;
  const isTooLarge = named.name === 'Int' && !(Number(property.maximum) < 2 ** 31);
  return isTooLarge ? 'has no upper bound that GraphQL’s Int can carry' : '';
}

function nullMessage(property: Property, isRequired: boolean, field: { type: unknown }): string {
  const mayLack = !isRequired || [property.type].flat().includes('null');
  const mayBeNull = !isNonNullType(field.type);
  if (mayLack === mayBeNull) return '';
  return mayBeNull ? 'is always there and nullable' : 'may be absent and is non-null';
}

function deprecationMessage(property: Property, field: { deprecationReason?: unknown }): string {
  const [rest, graphql] = [property.deprecated === true, Boolean(field.deprecationReason)];
  if (rest === graphql) return '';
  return `is deprecated in ${rest ? 'openapi.yaml' : 'schema.graphql'} only`;
}

/** A mutation that makes such a record takes what a REST request for it takes. */
function boundMessages(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  name: string,
  property: Property,
): string[] {
  if (property.type !== 'string') return [];
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  return mutations
    .filter((mutation) => getNamedType(mutation.type) === type)
    .flatMap((mutation) => mutation.args.filter((arg) => arg.name === name))
    .map((arg) => {
      const { minLength, maxLength, text } = boundsOf(arg);
      const isSame = minLength === (property.minLength ?? 0) && maxLength === property.maxLength;
      const rest = `${property.minLength ?? 0} to ${property.maxLength} characters`;
      return isSame ? '' : `takes ${rest} and ${text || 'any text'}`;
    });
}
