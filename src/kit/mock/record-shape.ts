import { type Document, isObject, resolve } from '../contract/openapi-document.ts';
import { propertiesIn } from './sample.ts';

export type Members = Record<string, unknown>;

/** A body with a record, or with a list of records, and where in it they stand. */
export type Shaped = {
  /** The member that holds it; undefined where it is the body itself. */
  readonly member: string | undefined;
  /** The schema of a record. */
  readonly schema: unknown;
  /** The record of the body, or the first of them. */
  readonly base: Members;
};

/** Finds the record in a body; undefined where none has a member that can be its id. */
export function recordIn(
  document: Document,
  schema: unknown,
  body: unknown,
  parameter: string,
): Shaped | undefined {
  if (!isMembers(body)) return undefined;
  const properties = propertiesIn(document, schema);
  if (idNameOf(properties, body, parameter)) return { member: undefined, schema, base: body };
  const inner = Object.entries(body).flatMap(([member, base]) => {
    const own = properties.get(member);
    const isRecord = isMembers(base) && idNameOf(propertiesIn(document, own), base, parameter);
    return isRecord ? [{ member, schema: own, base }] : [];
  });
  return inner.length === 1 ? inner[0] : undefined;
}

/** Finds the list of records in a body: the body itself, or its only array of objects. */
export function listIn(document: Document, schema: unknown, body: unknown): Shaped | undefined {
  const ofArray = (member: string | undefined, own: unknown, value: unknown) => {
    const { items } = Object(resolve(document, Object(own)));
    const [base] = Array.isArray(value) ? value : [];
    const isList = items !== undefined && Array.isArray(value);
    return isList && (isMembers(base) || value.length === 0)
      ? [{ member, schema: items, base: isMembers(base) ? base : {} }]
      : [];
  };
  if (Array.isArray(body)) return ofArray(undefined, schema, body)[0];
  if (!isMembers(body)) return undefined;
  const properties = propertiesIn(document, schema);
  const lists = Object.entries(body).flatMap(([member, value]) =>
    ofArray(member, properties.get(member), value),
  );
  return lists.length === 1 ? lists[0] : undefined;
}

/** With another value where the record or the list stands. */
export function withContent(body: unknown, { member }: Shaped, content: unknown): unknown {
  return member === undefined ? content : { ...Object(body), [member]: content };
}

/**
 * The member that a path parameter names: of the same name, of the last word of it (`planetId`, `issue_number`), or
 * `id`, where its values are of the same kind.
 */
export function idNameOf(
  properties: ReadonlyMap<string, unknown>,
  base: Members,
  parameter: string,
): string | undefined {
  const last = parameter.split(/[^A-Za-z0-9]|(?=[A-Z])/).at(-1) ?? '';
  const names = [parameter, last.toLowerCase(), last, 'id'];
  return names.find(
    (name) => (properties.has(name) || Object.hasOwn(base, name)) && isId(base[name]),
  );
}

export function isId(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

export function isMembers(value: unknown): value is Members {
  return isObject(value) && !Array.isArray(value);
}
