import { isObject } from './openapi-document.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * A schema whose `discriminator` names the one of `oneOf` or `anyOf` that a value must satisfy, said with `if` and
 * `then`: a value is held to that one alone. The schema itself where its alternatives have no names.
 */
export function withNamedAlternatives(schema: Members): Members {
  const { discriminator, oneOf, anyOf, ...others } = schema;
  const alternatives = oneOf ?? anyOf;
  if (!isObject(discriminator) || !Array.isArray(alternatives)) return schema;
  const name = String(discriminator.propertyName);
  const byValue = valuesOf(alternatives, Object(discriminator.mapping));
  if (!byValue) return schema;
  const cases = [...byValue].map(([value, then]) => ({
    if: { properties: { [name]: { const: value } }, required: [name] },
    then,
  }));
  return {
    ...others,
    type: 'object',
    required: [...new Set([...listOf(others.required), name])],
    properties: { ...Object(others.properties), [name]: { enum: [...byValue.keys()] } },
    allOf: [...listOf(others.allOf), ...cases],
    ...(oneOf && anyOf ? { anyOf } : {}),
  };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The alternatives by the value that names them: those of the mapping, and the names of all others. */
function valuesOf(
  alternatives: readonly unknown[],
  mapping: Readonly<Record<string, string>>,
): Map<string, unknown> | undefined {
  const refs = alternatives.map((each) => Object(each).$ref);
  if (!refs.every((ref) => typeof ref === 'string')) return undefined;
  const mapped = Object.entries(mapping).map(
    ([value, target]): Named => [value, target.startsWith('#') ? target : `${PREFIX}${target}`],
  );
  const targets = new Set(mapped.map(([, target]) => target));
  const others = refs
    .filter((ref) => !targets.has(ref))
    .map((ref): Named => [ref.slice(PREFIX.length), ref]);
  const all = [...mapped, ...others].filter(([, ref]) => refs.includes(ref));
  return new Map(all.map(([value, $ref]) => [value, { $ref }]));
}

type Named = readonly [value: string, ref: string];

const PREFIX = '#/components/schemas/';
