import type { Contract } from '../../contract/contract.ts';
import {
  isObject,
  type Referable,
  resolve,
  type SchemaObject,
} from '../../contract/openapi-document.ts';
import type { Operation } from '../../contract/operation.ts';

/** A schema of the contract, or a reference to one. */
type Schema = Referable<SchemaObject>;

/** Every part of the REST contract: operation and status, parameter, property, enum value. */
export function allRestParts(contract: Contract): Set<string> {
  const seen = new Set<string>();
  return new Set(
    contract.operations.flatMap((operation) => {
      const statuses = [...operation.responses.keys()];
      const schemas = [
        operation.bodySchema,
        ...statuses.map((status) => responseSchema(operation, status)),
      ];
      return [
        ...statuses.map((status) => statusPart(operation, status)),
        ...operation.parameters.map(({ name }) => parameterPart(operation, name)),
        ...schemas.flatMap((schema) => (schema ? [...possibleParts(contract, schema, seen)] : [])),
      ];
    }),
  );
}

export function statusPart({ id }: Operation, status: string): string {
  return `${id} → ${status}`;
}

/** A status as the operation declares it: itself, its range, or `default`. */
export function declaredStatus({ responses }: Operation, status: number): string {
  const names = [`${status}`, `${Math.floor(status / 100)}XX`, 'default'];
  return names.find((name) => responses.has(name)) ?? `${status}`;
}

export function parameterPart({ id }: Operation, name: string): string {
  return `${id} ← ${name}`;
}

/** The parts of a schema that a value has. */
export function partsOf(contract: Contract, schema: Schema, value: unknown): Set<string> {
  return new Set(walk(contract, schema, '', { value }, []));
}

/** A shared schema has the same parts wherever it is used: one that was seen is left out. */
function possibleParts(contract: Contract, schema: Schema, seen: Set<string>): Set<string> {
  return new Set(walk(contract, schema, '', undefined, [], seen));
}

export function responseSchema({ responses }: Operation, status: string): Schema | undefined {
  return responses.get(status)?.content?.['application/json']?.schema;
}

/** Of one value, or of all that are possible. A shared schema has its own name, wherever it is used. */
function* walk(
  contract: Contract,
  schema: Schema,
  name: string,
  given: { readonly value: unknown } | undefined,
  within: readonly string[],
  seen?: Set<string>,
): Generator<string> {
  if (!isObject(schema)) return;
  const place = '$ref' in schema ? (schema.$ref.split('/').at(-1) ?? '') : name;
  if ('$ref' in schema && (within.includes(place) || seen?.has(place))) return;
  if ('$ref' in schema) seen?.add(place);
  const { properties, items, enum: values } = Object(resolve(contract.document, schema));
  const inside = [...within, place];
  for (const value of values ?? []) {
    if (place && (!given || given.value === value)) yield `${place} = ${value}`;
  }
  for (const [key, child] of Object.entries<Schema>(properties ?? {})) {
    if (given && !(isObject(given.value) && Object.hasOwn(given.value, key))) continue;
    const member = given && { value: Object(given.value)[key] };
    if (place) yield `${place}.${key}`;
    yield* walk(contract, child, place && `${place}.${key}`, member, inside, seen);
  }
  if (!items) return;
  const members = given ? [given.value].flat().map((value) => ({ value })) : [undefined];
  for (const member of members) yield* walk(contract, items, place, member, inside, seen);
}
