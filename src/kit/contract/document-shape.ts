import type { Fail, Path } from './contract-source.ts';
import { shown } from './document-fault.ts';
import { isObject, methods } from './openapi-document.ts';

/** Refuses a description that has other than an object or a list where OpenAPI has one: it could not be compared there. */
export function refuseShapeless(document: Record<string, unknown>, fail: Fail): void {
  refuseOther(document, description, [], fail);
}

/** What a part has to be. An object's members have shapes by name, or all have one. */
type Shape = {
  readonly expected: 'an object' | 'an object or a boolean' | 'a list';
  readonly members?: () => Readonly<Record<string, Shape>>;
  readonly each?: Shape;
  /** Whether names that begin with `x-` are extensions, which may be anything. */
  readonly isExtensible?: boolean;
};

const object: Shape = { expected: 'an object' };
const objectOf = (members: NonNullable<Shape['members']>): Shape => ({ ...object, members });
const mapOf = (each: Shape): Shape => ({ ...object, each });
const extensibleMapOf = (each: Shape): Shape => ({ ...object, each, isExtensible: true });
const listOf = (each: Shape): Shape => ({ expected: 'a list', each });
const list: Shape = { expected: 'a list' };

const schema: Shape = {
  expected: 'an object or a boolean',
  members: () => ({
    ...{ properties: mapOf(schema), patternProperties: mapOf(schema), items: schema, not: schema },
    ...{ allOf: listOf(schema), anyOf: listOf(schema), oneOf: listOf(schema) },
    ...{ additionalProperties: schema, required: list, enum: list },
  }),
};
const mediaType = objectOf(() => ({ schema, examples: object, encoding: mapOf(object) }));
const content = mapOf(mediaType);
const parameter = objectOf(() => ({ schema, content }));
const header = parameter;
const response = objectOf(() => ({ headers: mapOf(header), content, links: mapOf(object) }));
const requestBody = objectOf(() => ({ content }));
const servers = listOf(objectOf(() => ({ variables: mapOf(object) })));
const security = listOf(mapOf(list));
const operation = objectOf(() => ({
  ...{ parameters: listOf(parameter), requestBody, responses: extensibleMapOf(response) },
  ...{ callbacks, security, servers, tags: list },
}));
const pathItem = objectOf(() => ({
  ...{ parameters: listOf(parameter), servers },
  ...Object.fromEntries(methods.map((method) => [method, operation])),
}));
const callbacks = mapOf(extensibleMapOf(pathItem));
const components = objectOf(() => ({
  ...{ schemas: mapOf(schema), responses: mapOf(response), parameters: mapOf(parameter) },
  ...{ requestBodies: mapOf(requestBody), headers: mapOf(header), securitySchemes: mapOf(object) },
  ...{ examples: mapOf(object), links: mapOf(object), pathItems: mapOf(pathItem) },
  callbacks,
}));
const description = objectOf(() => ({
  ...{ info: object, tags: listOf(object), servers, security },
  ...{ paths: extensibleMapOf(pathItem), webhooks: mapOf(pathItem), components },
}));

function refuseOther(value: unknown, shape: Shape, path: Path, fail: Fail): void {
  const { expected, members, each, isExtensible } = shape;
  if (expected === 'an object or a boolean' && typeof value === 'boolean') return;
  if (!isObject(value) || Array.isArray(value) !== (expected === 'a list')) {
    fail({ path, at: 'value', message: `found ${shown(value)}, expected ${expected}` });
  }
  // A callback may be a reference.
  if (isExtensible && '$ref' in value) return;
  const known = members?.() ?? {};
  const isList = Array.isArray(value);
  for (const [name, member] of Object.entries(value)) {
    if (isExtensible && name.startsWith('x-')) continue;
    const own = each ?? (Object.hasOwn(known, name) ? known[name] : undefined);
    if (own) refuseOther(member, own, [...path, isList ? Number(name) : name], fail);
  }
}

/** The description without the extensions beside paths and statuses, which would be taken for such. */
export function withoutExtensions(document: Record<string, unknown>): Record<string, unknown> {
  if (!isObject(document.paths)) return document;
  const items = Object.entries(document.paths).filter(isNamed);
  const paths = Object.fromEntries(items.map(([path, item]) => [path, itemWithout(item)]));
  return { ...document, paths };
}

function itemWithout(item: unknown): unknown {
  if (!isObject(item)) return item;
  const operations = methods.flatMap((method) => {
    const operation = Object(item[method]);
    const responses = Object.entries(Object(operation.responses));
    if (responses.every(isNamed)) return [];
    return [[method, { ...operation, responses: Object.fromEntries(responses.filter(isNamed)) }]];
  });
  return operations.length > 0 ? { ...item, ...Object.fromEntries(operations) } : item;
}

function isNamed([name]: readonly [name: string, value: unknown]): boolean {
  return !name.startsWith('x-');
}
