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
  const { type, allOf = [], anyOf, oneOf, minItems = 0, items, required = [] } = own;
  const properties = Object(own.properties);
  const members =
    type === 'object' ? [required].flat().map((name) => properties[String(name)]) : [];
  const listed = type === 'array' && Number(minItems) > 0 ? [items] : [];
  return [
    ...referred,
    ...[allOf, ...members, ...listed].flat().map((each) => [each]),
    ...[anyOf, oneOf].filter(Array.isArray).filter(({ length }) => length > 0),
  ];
}
