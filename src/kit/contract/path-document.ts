import type { Contract } from './contract.ts';
import { type Document, isObject, pointer } from './openapi-document.ts';
import type { Operation } from './operation.ts';
import type { Route } from './routes.ts';

/**
 * An OpenAPI document with one path and what its requests refer to, for express-openapi-validator. It is a copy:
 * the validator changes the document that it is given.
 */
export function documentOfPath({ document }: Contract, route: Route): Document {
  const { path, methods, operations } = route;
  const declared = methods.flatMap((method) => operations.get(method) ?? []);
  const itemOf = (make: (operation: Operation) => object) =>
    Object.fromEntries(declared.map((each) => [each.method.toLowerCase(), make(each)]));
  const { openapi, info, components } = document;
  const paths = { [path]: itemOf(requestOf) };
  const alone = { openapi, info, paths, components: componentsFor(document, paths) };
  if (!JSON.stringify(alone).includes('"#/paths/')) return structuredClone(alone);
  // A reference into `paths` may name any part of the document.
  const all = { ...document.paths, [path]: itemOf(withParameters) };
  return structuredClone({ openapi, info, paths: all, ...(components && { components }) });
}

/**
 * The validator drops a path-level parameter when the operation has one of the same name in another place, and
 * prefers it to an operation-level `$ref`. So each operation gets its complete list.
 */
function withParameters({ object, parameters }: Operation) {
  return { ...object, parameters: parameters.map((parameter) => parameter.object) };
}

function requestOf(operation: Operation) {
  const { operationId, parameters, requestBody } = withParameters(operation);
  // OpenAPI 3.0 demands a response.
  const responses = { default: { description: '' } };
  return { operationId, parameters, ...(requestBody && { requestBody }), responses };
}

/** The components that a value refers to, directly or through others, in the order of the document. */
function componentsFor(document: Document, value: unknown): NonNullable<Document['components']> {
  const used = referredBy(document, value, new Set());
  const { components = {} } = document;
  const kinds = Object.entries(components).map(([kind, all]) => {
    const kept = Object.entries(all).filter(([, component]) => used.has(component));
    return [kind, Object.fromEntries(kept)] as const;
  });
  return Object.fromEntries(kinds);
}

function referredBy(document: Document, value: unknown, found: Set<unknown>): Set<unknown> {
  // The values of a discriminator's mapping are references without `$ref`.
  if (typeof value === 'string' && value.startsWith('#/components/')) {
    const [, kind = '', name = ''] = pointer(value);
    const component = document.components?.[kind]?.[name];
    if (found.has(component)) return found;
    return referredBy(document, component, found.add(component));
  }
  if (isObject(value)) for (const each of Object.values(value)) referredBy(document, each, found);
  return found;
}
