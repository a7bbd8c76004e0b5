import { type Document, isObject, pointer, valueAt } from '../contract/openapi-document.ts';

export type Type = 'integer' | 'number' | 'boolean' | 'null' | 'string' | 'array' | 'object';

/** What a schema says of the texts that a value is read from. */
export type Shape = {
  readonly types: ReadonlySet<Type>;
  /** Whether a single text can be the value. */
  readonly isScalar: boolean;
  /** The properties that the schema names. */
  readonly names: readonly string[];
  /** Whether the schema says that there may be other properties. */
  readonly isOpen: boolean;
  readonly member: (name: string) => Shape;
  readonly item: (i: number) => Shape;
};

type Schema = Readonly<Record<string, unknown>>;

/** The shape of a schema: its types and parts through `$ref`, `allOf`, `oneOf`, `anyOf`, `enum` and `const`. */
export function shapeOf(document: Document, schema: unknown): Shape {
  const types = typesIn(document, schema);
  // Those within are looked at when they are asked for: a schema may contain itself.
  let facets: readonly Schema[] | undefined;
  const all = () => {
    facets ??= [...facetsOf(document, schema, new Set())];
    return facets;
  };
  const members = new Map<string, Shape>();
  const items = new Map<unknown, Shape>();
  const shapeOfAny = (schemas: readonly unknown[]): Shape => {
    // One that names no type says nothing of how a text is read.
    const typed = schemas.filter(
      (each) => admittedTypes(document, each, new Map()).size < every.size,
    );
    const said = typed.length > 0 ? typed : schemas;
    return shapeOf(document, { anyOf: said });
  };
  return {
    types,
    isScalar: [...types].some((type) => type !== 'array' && type !== 'object'),
    get names() {
      return [...new Set(all().flatMap(({ properties }) => Object.keys(Object(properties))))];
    },
    get isOpen() {
      return this.names.length === 0 || all().some((facet) => othersIn(facet).some(Boolean));
    },
    member(name) {
      const known = members.get(name);
      if (known) return known;
      const shape = shapeOfAny(all().flatMap((facet) => memberIn(facet, name)));
      // Only names of the contract are kept: there is no end to others.
      if (this.names.includes(name)) members.set(name, shape);
      return shape;
    },
    item(i) {
      const schemas = all().flatMap((facet) => itemIn(facet, i));
      const key = schemas.length === 1 ? schemas[0] : i < 10 && i;
      const known = items.get(key);
      if (known) return known;
      const shape = shapeOfAny(schemas);
      if (key !== false) items.set(key, shape);
      return shape;
    },
  };
}

const every: ReadonlySet<Type> = new Set<Type>([
  ...(['integer', 'number', 'boolean', 'null', 'string', 'array', 'object'] as const),
]);

/** The types of which a text is read. A schema that names none has those that its keywords are about, else text. */
function typesIn(document: Document, schema: unknown): ReadonlySet<Type> {
  const types = admittedTypes(document, schema, new Map());
  if (types.size > 0 && types.size < every.size) return types;
  const facets = [...facetsOf(document, schema, new Set())];
  if (facets.some(({ properties, additionalProperties }) => properties ?? additionalProperties)) {
    return new Set(['object']);
  }
  return new Set([facets.some(({ items }) => items) ? 'array' : 'string']);
}

function admittedTypes(
  document: Document,
  schema: unknown,
  known: Map<unknown, ReadonlySet<Type>>,
): ReadonlySet<Type> {
  if (!isObject(schema)) return every;
  const before = known.get(schema);
  if (before) return before;
  known.set(schema, every);
  const inner = (each: unknown) => admittedTypes(document, each, known);
  const { $ref, type, const: only, enum: values, allOf } = schema;
  let types = every;
  const narrow = (to: ReadonlySet<Type>) => {
    types = types.intersection(to);
  };
  if (typeof $ref === 'string') narrow(inner(valueAt(document, pointer($ref))));
  if (type !== undefined) narrow(new Set([type].flat().flatMap(withNarrower)));
  if (Array.isArray(values)) narrow(new Set(values.flatMap(typesOfValue)));
  if (only !== undefined) narrow(new Set(typesOfValue(only)));
  for (const each of [allOf].flat()) narrow(inner(each));
  for (const some of [schema.oneOf, schema.anyOf]) {
    if (!Array.isArray(some)) continue;
    narrow(some.map(inner).reduce((sum, each) => sum.union(each), new Set<Type>()));
  }
  known.set(schema, types);
  return types;
}

function withNarrower(type: unknown): Type[] {
  if (type === 'number') return ['number', 'integer'];
  return [...every].filter((each) => each === type);
}

function typesOfValue(value: unknown): Type[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number')
    return withNarrower(Number.isInteger(value) ? 'integer' : 'number');
  return withNarrower(typeof value);
}

/** A schema and those that hold for the same value. */
function* facetsOf(document: Document, schema: unknown, seen: Set<unknown>): Generator<Schema> {
  if (!isObject(schema) || seen.has(schema)) return;
  seen.add(schema);
  yield schema;
  const { $ref } = schema;
  if (typeof $ref === 'string') yield* facetsOf(document, valueAt(document, pointer($ref)), seen);
  for (const keyword of ['allOf', 'oneOf', 'anyOf', 'then', 'else']) {
    for (const each of [schema[keyword]].flat()) yield* facetsOf(document, each, seen);
  }
}

function othersIn(facet: Schema): unknown[] {
  const patterns = Object.values(Object(facet.patternProperties));
  return [...patterns, facet.additionalProperties, facet.unevaluatedProperties];
}

function memberIn(facet: Schema, name: string): unknown[] {
  const properties = Object(facet.properties);
  if (Object.hasOwn(properties, name)) return [properties[name]];
  return othersIn(facet).filter(isObject).slice(0, 1);
}

function itemIn({ prefixItems, items }: Schema, i: number): unknown[] {
  const own = Array.isArray(prefixItems) ? prefixItems[i] : undefined;
  return [own ?? items].filter(isObject);
}
