import { type Document, isObject, resolve } from '../contract/openapi-document.ts';

/** Tells whether every value of a schema contains another of its kind, so that none has an end. */
export function createEndless(document: Document): (schema: unknown) => boolean {
  const known = new WeakMap<object, boolean>();

  function judge(schema: object): void {
    const demanded = new Map<object, readonly unknown[][]>();
    const waiting: unknown[] = [schema];
    for (const each of waiting) {
      if (!isObject(each) || demanded.has(each) || known.has(each)) continue;
      const choices = demandedBy(document, each);
      demanded.set(each, choices);
      waiting.push(...choices.flat());
    }
    // What is demanded stands behind what demands it.
    const backwards = [...demanded].toReversed();
    const hasEnd = (each: unknown) => !isObject(each) || known.get(each) === false;
    // A value has an end where all that it demands has one.
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const [each, choices] of backwards) {
        if (hasEnd(each) || !choices.every((choice) => choice.some(hasEnd))) continue;
        known.set(each, false);
        isChanged = true;
      }
    }
    for (const each of demanded.keys()) if (!known.has(each)) known.set(each, true);
  }

  return (schema) => {
    if (!isObject(schema)) return false;
    if (!known.has(schema)) judge(schema);
    return known.get(schema) === true;
  };
}

/** The schemas of what each value of a schema contains: of each list at least one. */
function demandedBy(document: Document, schema: Record<string, unknown>): unknown[][] {
  const { $ref, ...own } = schema;
  const referred = typeof $ref === 'string' ? [[resolve(document, schema)]] : [];
  const { type, allOf = [], anyOf, oneOf } = own;
  const contained = type === 'object' ? membersOf(own) : type === 'array' ? itemsOf(own) : [];
  const choices = [...contained, ...[anyOf, oneOf].filter(Array.isArray)];
  return [
    ...referred,
    ...[allOf].flat().map((each) => [each]),
    ...choices.filter(({ length }) => length > 0),
  ];
}

function membersOf(schema: Record<string, unknown>): unknown[][] {
  const { required = [], minProperties = 0, additionalProperties = true } = schema;
  const properties = new Map<unknown, unknown>(Object.entries(Object(schema.properties)));
  const patterns = Object.values(Object(schema.patternProperties));
  const others = [...patterns, additionalProperties].filter((each) => each !== false);
  const named = Number(minProperties) > properties.size ? [] : properties.values();
  return [
    ...[required].flat().map((name) => (properties.has(name) ? [properties.get(name)] : others)),
    ...(Number(minProperties) > 0 ? [[...named, ...others]] : []),
  ];
}

function itemsOf(schema: Record<string, unknown>): unknown[][] {
  const { minItems = 0, prefixItems = [], items, contains, minContains = 1 } = schema;
  // Contracts have tuples of one length alone.
  const listed = Number(minItems) > 0 ? [items, prefixItems].flat() : [];
  const wanted = Number(minContains) > 0 ? [contains] : [];
  return [...listed, ...wanted].map((each) => [each]);
}
