import { type Document, isObject, resolve } from '../contract/openapi-document.ts';

// Bounds on one answer, so that it does not hold up others.
const MOST = { minItems: 10_000, minProperties: 10_000, minLength: 1_000_000 };
const MOST_VALUES = 100_000;
// Keywords that hold data, not schemas.
const data = new Set(['example', 'examples', 'default', 'const', 'enum']);

/** Tells whether a schema, or one within it, demands more than a mock makes. */
export function createExcess(document: Document): (schema: unknown) => boolean {
  const sizeOf = createLeastSize(document);
  const known = new WeakMap<object, boolean>();

  function isExcessive(schema: unknown, seen = new Set<unknown>()): boolean {
    if (!isObject(schema) || seen.has(schema)) return false;
    seen.add(schema);
    const own = Object(resolve(document, schema));
    return (
      sizeOf(schema) > MOST_VALUES ||
      Object.entries(MOST).some(([name, limit]) => Number(own[name]) > limit) ||
      Object.entries(own).some(([name, each]) => !data.has(name) && isExcessive(each, seen))
    );
  }

  return (schema) => {
    const answer = known.get(Object(schema)) ?? isExcessive(schema);
    known.set(Object(schema), answer);
    return answer;
  };
}

/** A lower bound on the values in a sample: list items and required members, of the largest option. */
function createLeastSize(document: Document): (schema: unknown) => number {
  const known = new Map<unknown, number>();

  function sizeOf(schema: unknown): number {
    if (!isObject(schema)) return 1;
    const size = known.get(schema);
    if (size !== undefined) return size;
    // A recursive reference counts as one value.
    known.set(schema, 1);
    const found = Math.max(1, ...sizesOf(Object(resolve(document, schema))));
    known.set(schema, found);
    return found;
  }

  function sizesOf(schema: Record<string, unknown>): number[] {
    const { type, allOf = [], anyOf = [], oneOf = [], required = [] } = schema;
    const { minItems = 0, items, minProperties = 0, additionalProperties } = schema;
    const mayBe = (kind: string) => type === undefined || [type].flat().includes(kind);
    const properties = Object(schema.properties);
    const members = [required].flat().map((name) => sizeOf(properties[String(name)]));
    // Others may be made of schemas that are smaller.
    const others = Number(minProperties) - Object.keys(properties).length;
    const ofOthers =
      others > 0 && !schema.patternProperties ? others * sizeOf(additionalProperties) : 0;
    return [
      ...[allOf, anyOf, oneOf].flat().map(sizeOf),
      ...(mayBe('array') ? [Number(minItems) * sizeOf(items)] : []),
      ...(mayBe('object') ? [members.reduce((sum, each) => sum + each, ofOthers)] : []),
    ];
  }

  return sizeOf;
}
