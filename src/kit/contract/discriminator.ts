import { isObject } from './openapi-document.ts';

type Keywords = Readonly<Record<string, unknown>>;

/**
 * A schema whose discriminator alone decides which of its branches holds: a value is then held to that branch,
 * and an error is one of that branch. Without a discriminator, or where not every branch is a reference or null,
 * the schema as it is.
 */
export function byDiscriminator({ discriminator, ...schema }: Keywords): Keywords {
  const { propertyName: name, mapping } = Object(discriminator);
  const { oneOf, anyOf, ...rest } = schema;
  const branches = oneOf ?? anyOf;
  if (typeof name !== 'string' || !Array.isArray(branches) || (oneOf && anyOf)) return schema;
  const references = branches.flatMap((branch) => (isReference(branch) ? [branch.$ref] : []));
  const hasNull = branches.some(isNull);
  if (references.length + Number(hasNull) !== branches.length) return schema;
  const kinds = references.map((ref) => [ref, valuesFor(ref, Object(mapping))] as const);
  const member = (values: readonly string[]) => ({ properties: { [name]: { enum: values } } });
  return {
    type: hasNull ? ['object', 'null'] : 'object',
    ...rest,
    required: [...new Set([...asArray(rest.required), name])],
    allOf: [
      ...asArray(rest.allOf),
      member(kinds.flatMap(([, values]) => values)),
      ...kinds.map(([$ref, values]) => ({
        if: { type: 'object', required: [name], ...member(values) },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        then: { $ref },
      })),
    ],
  };
}

/** The values that name a branch: those of the mapping, or else the name of its component. */
function valuesFor(ref: string, mapping: Readonly<Record<string, unknown>>): string[] {
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  const mapped = Object.keys(mapping).filter(
    (key) => mapping[key] === ref || mapping[key] === name,
  );
  return mapped.length > 0 ? mapped : [name];
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
