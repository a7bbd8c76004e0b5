import type { Fault } from './contract-source.ts';
import { nearest } from './edit-distance.ts';
import { type Document, isObject, pointer, valueAt } from './openapi-document.ts';
import type { SchemaPlace } from './schema-places.ts';

type Keywords = Readonly<Record<string, unknown>>;

/**
 * A schema whose discriminator alone decides which of its branches holds: a value is then held to that branch,
 * and an error is one of that branch. Without a discriminator, or where not every branch is a reference or null,
 * the schema as it is.
 */
export function byDiscriminator({ discriminator, ...schema }: Keywords): Keywords {
  const { propertyName: name, mapping, defaultMapping } = Object(discriminator);
  const { oneOf, anyOf, ...rest } = schema;
  const branches = oneOf ?? anyOf;
  if (typeof name !== 'string' || !Array.isArray(branches) || (oneOf && anyOf)) return schema;
  const references = branches.flatMap((branch) => (isReference(branch) ? [branch.$ref] : []));
  const hasNull = branches.some(isNull);
  if (references.length + Number(hasNull) !== branches.length) return schema;
  const kinds = references.map((ref) => [ref, valuesFor(ref, Object(mapping))] as const);
  const member = (values: readonly string[]) => ({ properties: { [name]: { enum: values } } });
  const all = member(kinds.flatMap(([, values]) => values));
  // OpenAPI 3.2: the branch of a value that the property names none for, or that lacks it.
  const fallback = references.find(
    (ref) => ref === defaultMapping || nameIn(ref) === defaultMapping,
  );
  const others = fallback && {
    if: { type: 'object', not: { required: [name], ...all } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { $ref: fallback },
  };
  return {
    type: hasNull ? ['object', 'null'] : 'object',
    ...rest,
    required: [...new Set([...asArray(rest.required), ...(others ? [] : [name])])],
    allOf: [
      ...asArray(rest.allOf),
      others ?? all,
      ...kinds.map(([$ref, values]) => ({
        if: { type: 'object', required: [name], ...member(values) },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        then: { $ref },
      })),
    ],
  };
}

/** The conditions among the parts of an `allOf` of which a value meets one at most, as those of a discriminator. */
export function kindsAmong(parts: readonly unknown[]): readonly unknown[] {
  const met = new Set<unknown>();
  let told: unknown;
  return parts.filter((part) => {
    const { if: when, then: _, ...others } = Object(part);
    const { type, required, properties } = Object(when);
    const [name] = asArray(required);
    const values = asArray(Object(properties)[String(name)]?.enum);
    const isKind =
      type === 'object' &&
      values.length > 0 &&
      Object.keys(others).length === 0 &&
      (told === undefined || told === name) &&
      values.every((value) => typeof value === 'string' && !met.has(value));
    if (!isKind) return false;
    told = name;
    for (const value of values) met.add(value);
    return true;
  });
}

/** The values that name a branch: those of the mapping, or else the name of its component. */
function valuesFor(ref: string, mapping: Readonly<Record<string, unknown>>): string[] {
  const name = nameIn(ref);
  const mapped = Object.keys(mapping).filter(
    (key) => mapping[key] === ref || mapping[key] === name,
  );
  return mapped.length > 0 ? mapped : [name];
}

/** What a discriminator maps to and is not there. */
export function mappingFaults(document: Document, { path, schema }: SchemaPlace): Fault[] {
  if (!isObject(schema.discriminator)) return [];
  const { mapping, defaultMapping } = schema.discriminator;
  const names = Object.keys(document.components?.schemas ?? {});
  const targets: [string[], unknown][] = [
    ...Object.entries(Object(mapping)).map(([key, to]): [string[], unknown] => [
      ['mapping', key],
      to,
    ]),
    [['defaultMapping'], defaultMapping],
  ];
  return targets.flatMap(([key, to]): Fault[] => {
    if (typeof to !== 'string' || names.includes(to)) return [];
    if (to.startsWith('#/') && valueAt(document, pointer(to)) !== undefined) return [];
    const meant = nearest(nameIn(to), names);
    const hint = meant ? `did you mean "${meant}"?` : 'expected a schema of this document';
    const message = `found ${JSON.stringify(to)}, which is not there; ${hint}`;
    return [{ path: [...path, 'discriminator', ...key], at: 'value', message }];
  });
}

function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

function isReference(branch: unknown): branch is { readonly $ref: string } {
  return isObject(branch) && typeof branch.$ref === 'string' && Object.keys(branch).length === 1;
}

function isNull(branch: unknown): boolean {
  return isObject(branch) && branch.type === 'null';
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
