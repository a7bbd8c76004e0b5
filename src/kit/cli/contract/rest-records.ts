import { type Document, isObject, resolve } from '../../contract/openapi-document.ts';

export type RestSchema = Readonly<Record<string, unknown>>;

/** An object of `components.schemas`, with what it is put together of. */
export type RestRecord = {
  /** Those that responses have. */
  readonly properties: ReadonlyMap<string, RestSchema>;
  readonly required: ReadonlySet<string>;
  /** Why a field differs from GraphQL, by its name: `x-parity`. */
  readonly reasons: ReadonlyMap<string, string>;
};

/** The records of a description, by name. */
export function recordsIn(document: Document): ReadonlyMap<string, RestRecord> {
  const schemas = Object.entries(document.components?.schemas ?? {});
  return new Map(schemas.map(([name, schema]) => [name, recordOf(document, schema)]));
}

export function recordOf(document: Document, schema: unknown): RestRecord {
  const parts = allOf(document, schema, new Set());
  const properties = parts.flatMap((part) => Object.entries(Object(part.properties)));
  const reasons = parts.flatMap((part) => Object.entries(Object(part['x-parity'])));
  return {
    properties: new Map(
      properties.flatMap(([name, each]): [string, RestSchema][] => {
        const whole = { ...schemaAt(document, each), ...(isObject(each) ? each : {}) };
        return whole.writeOnly === true ? [] : [[name, Object(each)]];
      }),
    ),
    required: new Set(parts.flatMap(({ required }) => [required ?? []].flat().map(String))),
    reasons: new Map(reasons.map(([name, reason]) => [name, String(reason)])),
  };
}

/**
 * A schema with what it refers to: siblings of a reference, such as a deprecation, count. Of alternatives that are one
 * and null the one is taken, as nullable.
 */
export function wholeSchema(document: Document, schema: unknown): RestSchema {
  const { $ref: _, ...own } = isObject(schema) ? schema : {};
  const whole: RestSchema = { ...schemaAt(document, schema), ...own };
  const parts = [whole.allOf ?? []].flat();
  if (parts.length === 1) {
    const { allOf: _, ...others } = whole;
    return { ...wholeSchema(document, parts[0]), ...others };
  }
  const among = [whole.anyOf ?? whole.oneOf ?? []].flat();
  const others = among.filter((each) => Object(each).type !== 'null');
  if (among.length === 0 || others.length !== 1) return whole;
  const { anyOf, oneOf, ...rest } = whole;
  const one = wholeSchema(document, others[0]);
  return { ...one, ...rest, ...(others.length < among.length && { nullable: true }) };
}

/** What a schema refers to, or itself. */
function schemaAt(document: Document, schema: unknown): RestSchema {
  // A reference of another file, or to nothing, says nothing here.
  const found = isObject(schema) && (resolve(document, schema) ?? {});
  return isObject(found) ? found : {};
}

function allOf(document: Document, schema: unknown, seen: Set<unknown>): RestSchema[] {
  const found = { ...schemaAt(document, schema), ...(isObject(schema) ? schema : {}) };
  const at = schemaAt(document, schema);
  if (seen.has(at)) return [];
  seen.add(at);
  return [found, ...[found.allOf ?? []].flat().flatMap((each) => allOf(document, each, seen))];
}
