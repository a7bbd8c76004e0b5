import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Document } from '../../contract/openapi-document.ts';
import { createBoundMessages } from './parity-bounds.ts';
import { createTypeMessage, mayBeNull } from './parity-types.ts';
import { type RestRecord, type RestSchema, recordsIn, wholeSchema } from './rest-records.ts';

/** A difference between the two contracts in something that both have. */
export type Difference = {
  readonly entity: string;
  readonly field: string;
  readonly message: string;
  /** Why it is meant to be so, as openapi.yaml's `x-parity` says; without it the contracts contradict. */
  readonly reason: string | undefined;
};

/** How each record that both contracts have differs between them; one contract alone is not compared. */
export function parity(
  document: Document | undefined,
  schema: GraphQLSchema | undefined,
): Difference[] {
  if (!document || !schema) return [];
  const compare = createComparison(document, schema);
  return [...recordsIn(document)].flatMap(([entity, record]) => {
    const type = schema.getType(entity);
    return isObjectType(type) ? compare(entity, record, type) : [];
  });
}

/** Parity as a command tells it, and whether nothing contradicts. */
export function parityReport(
  document: Document | undefined,
  schema: GraphQLSchema | undefined,
): { readonly text: string; readonly isGood: boolean } {
  if (!document || !schema) {
    const alone = document ? 'an OpenAPI description' : 'an SDL';
    return { text: `There is ${alone} alone: nothing to compare.\n`, isGood: true };
  }
  const differences = parity(document, schema);
  const contradictions = differences.filter(({ reason }) => !reason);
  const lines = differences.map(
    ({ entity, field, message, reason }) =>
      `${entity}.${field} ${message}\n  ${reason ? `meant: ${reason}` : 'CONTRADICTION'}\n`,
  );
  const counts = `${differences.length} differences, ${contradictions.length} without a reason\n`;
  return { text: [...lines, counts].join(''), isGood: contradictions.length === 0 };
}

type Field = GraphQLField<unknown, unknown>;
type Found = { readonly field: string; readonly message: string };

function createComparison(document: Document, schema: GraphQLSchema) {
  const typeMessage = createTypeMessage(document, schema);
  const boundMessages = createBoundMessages(document, schema);

  function ofField(record: RestRecord, name: string, field: Field, type: GraphQLObjectType) {
    const property = record.properties.get(name) ?? {};
    const isRequired = record.required.has(name);
    return [
      typeMessage(property, field.type),
      nullMessage(wholeSchema(document, property), isRequired, field),
      deprecationMessage(property, field),
      ...boundMessages(type, name, property),
    ];
  }

  return (entity: string, record: RestRecord, type: GraphQLObjectType): Difference[] => {
    const fields = new Map(Object.entries(type.getFields()));
    const relations = relationsOf(record, fields);
    const inGraphql = new Set([...relations.values()].map(({ name }) => name));
    const names = new Set([...record.properties.keys(), ...fields.keys()]);
    const found = [...names].flatMap((name): Found[] => {
      const [property, field, relation] = [
        record.properties.get(name),
        fields.get(name),
        relations.get(name),
      ];
      const told = (message: string) => (message === '' ? [] : [{ field: name, message }]);
      if (property && field) return ofField(record, name, field, type).flatMap(told);
      if (property && relation) {
        const isSure = isNonNullType(relation.type);
        const nullable = !record.required.has(name) || mayBeNull(wholeSchema(document, property));
        return told(nullable && isSure ? `may be absent and ${relation.name} is non-null` : '');
      }
      if (property) return told('is in REST only');
      const isRelation = inGraphql.has(name) || (field && leadsToRecord(field));
      return told(isRelation ? '' : 'is in GraphQL only');
    });
    const { reasons } = record;
    const stale = [...reasons.keys()]
      .filter((name) => !found.some(({ field }) => field === name))
      .map((field) => ({ field, message: 'has a reason in x-parity, but no difference' }));
    return [
      ...found.map((each) => ({ entity, ...each, reason: reasons.get(each.field) })),
      ...stale.map((each) => ({ entity, ...each, reason: undefined })),
    ];
  };
}

/** The fields that lead to what a property names by its id: `shipId` and `ship`, `tagIds` and `tags`. */
function relationsOf(
  { properties }: RestRecord,
  fields: ReadonlyMap<string, Field>,
): ReadonlyMap<string, Field> {
  const found = [...properties.keys()].flatMap((name) => {
    const [, start, many] = name.match(/^(.+?)_?id(s?)$/i) ?? [];
    if (start === undefined || fields.has(name)) return [];
    const wanted = (many ? pluralsOf(start) : [start]).map(plainName);
    const field = [...fields.values()].find(
      (each) => wanted.includes(plainName(each.name)) && isObjectType(getNamedType(each.type)),
    );
    return field ? [[name, field] as const] : [];
  });
  return new Map(found);
}

function pluralsOf(noun: string): string[] {
  return [noun, `${noun}s`, `${noun}es`, noun.replace(/y$/, 'ies')];
}

/** Names are spelt `createdBy` in one contract and `created_by` in another. */
function plainName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** REST has what leads to other records in paths. */
function leadsToRecord({ type }: Field): boolean {
  const named = getNamedType(type);
  if (!isObjectType(named)) return false;
  const fields = Object.values(named.getFields());
  const isRecord = fields.some((each) => String(getNullableType(each.type)) === 'ID');
  const isConnection = fields.some(
    ({ name, type }) => /^(edges|nodes)$/.test(name) && isListType(getNullableType(type)),
  );
  return isRecord || isConnection;
}

function nullMessage(property: RestSchema, isRequired: boolean, { type }: Field): string {
  const mayLack = !isRequired || mayBeNull(property);
  const isNullable = !isNonNullType(type);
  if (mayLack === isNullable) return '';
  return isNullable ? 'is always there and nullable' : 'may be absent and is non-null';
}

function deprecationMessage(property: RestSchema, { deprecationReason }: Field): string {
  const [rest, graphql] = [property.deprecated === true, Boolean(deprecationReason)];
  if (rest === graphql) return '';
  return `is deprecated in ${rest ? 'REST' : 'GraphQL'} only`;
}
