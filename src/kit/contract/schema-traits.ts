import { isObject } from './openapi-document.ts';
import type { SchemaForms } from './schema-forms.ts';

/** What makes the validation of a value cost more than its size. */
export type Traits = {
  /** Schemas that lead to themselves in several ways, which may all be asked of the same value. */
  readonly isRepeated: boolean;
  /** Items that are compared with each other, each with each. */
  readonly comparesItems: boolean;
  /** How many alternatives stand beside each other at most: a value may have a fault of each. */
  readonly alternatives: number;
  /** How many members are required together at most: an object may lack each of them. */
  readonly required: number;
};

export function traitsOf({ schemas, components }: SchemaForms): Traits {
  const reached = new Map(
    Object.keys(components).map((name) => [name, closureOf(components[name], components)]),
  );
  const reaches = (schema: unknown, name: string) =>
    [...refsIn(schema)].some((each) => each === name || reached.get(each)?.has(name));
  const nodes = Object.entries(components).flatMap(([name, form]) =>
    [...objectsIn(form)].map((node) => ({ name, node })),
  );
  const all = [schemas, components].flatMap((each) => [...objectsIn(each)]);
  return {
    isRepeated: nodes.some(
      ({ name, node }) => waysOn(node).filter((each) => reaches(each, name)).length > 1,
    ),
    comparesItems: all.some((node) => node.uniqueItems === true && !isScalar(node.items)),
    alternatives: Math.max(1, ...all.flatMap(({ oneOf, anyOf }) => lengths(oneOf, anyOf))),
    required: Math.max(0, ...all.flatMap(({ required }) => lengths(required))),
  };
}

/** The parts of a schema that may all be asked of one value. */
function waysOn(node: Record<string, unknown>): unknown[] {
  const { $ref, oneOf, anyOf, allOf, not, if: when, then, else: otherwise } = node;
  const { dependentSchemas, patternProperties, contains } = node;
  const { properties, additionalProperties, unevaluatedProperties } = node;
  const { items, prefixItems, unevaluatedItems } = node;
  return [
    ...[oneOf, anyOf, allOf, dependentSchemas, patternProperties].flatMap((each) =>
      Object.values(Object(each)),
    ),
    ...[{ $ref }, not, when, then, otherwise, contains],
    // A member or an item is asked by one of them.
    [properties, additionalProperties, unevaluatedProperties, items, prefixItems, unevaluatedItems],
  ];
}

function lengths(...lists: readonly unknown[]): number[] {
  return lists.flatMap((each) => (Array.isArray(each) ? each.length : []));
}

/** Whether the items of a list have a type that Ajv does not compare each with each. */
export function isScalar(items: unknown): boolean {
  const types = isObject(items) ? [items.type ?? []].flat() : [];
  return types.length > 0 && !types.includes('object') && !types.includes('array');
}

function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (!isObject(value)) return;
  yield value;
  for (const child of Object.values(value)) yield* objectsIn(child);
}

/** The components that a schema names. */
function refsIn(schema: unknown): Set<string> {
  const refs = [...objectsIn(schema)].flatMap(({ $ref }) => (typeof $ref === 'string' ? $ref : []));
  return new Set(refs.map((ref) => ref.slice(ref.lastIndexOf('/') + 1)));
}

/** The components that a schema leads to. */
function closureOf(schema: unknown, components: SchemaForms['components']): Set<string> {
  const found = refsIn(schema);
  // A Set gives what is added to it while it is walked.
  for (const name of found) for (const each of refsIn(components[name])) found.add(each);
  return found;
}
