import { type Document, isObject, resolve } from '../contract/openapi-document.ts';
import { invalid } from '../errors.ts';

const MOST_PROPERTIES = 100;

/**
 * A body with no more properties than its schema can have, or 100. The validator reports every unknown property,
 * however many there are.
 */
export function bounded(body: unknown, document: Document, schema: unknown): unknown {
  if (!isObject(body)) return body;
  const count = Object.keys(body).length;
  if (count <= MOST_PROPERTIES) return body;
  // A body with more members than the schema declares has an unknown one.
  const most = Math.max(MOST_PROPERTIES, mostMembers(document, schema));
  if (count > most) throw invalid('/body', `must not have more than ${most} properties`);
  return body;
}

/** The most members that a value can have without being refused for an unknown one. */
function mostMembers(document: Document, schema: unknown): number {
  if (!isObject(schema)) return Number.POSITIVE_INFINITY;
  const {
    properties = {},
    patternProperties,
    additionalProperties,
  } = Object(resolve(document, schema));
  const isClosed = additionalProperties === false && patternProperties === undefined;
  return isClosed ? Object.keys(properties).length : Number.POSITIVE_INFINITY;
}
