import type { Fail, Path } from './contract-source.ts';
import { shown } from './document-fault.ts';
import { isObject, methods } from './openapi-document.ts';

/** Refuses a description that has another kind of value than OpenAPI has there: it could not be compared. */
export function refuseShapeless(document: Record<string, unknown>, fail: Fail): void {
  refuseOther(document, description, [], fail);
}

/** What a part has to be. An object's members have shapes by name, or all have one. */
type Shape = {
  readonly expected: 'an object' | 'an object or a boolean' | 'a list' | 'a string';
  readonly members?: () => Readonly<Record<string, Shape>>;
  readonly each?: Shape;
  /** The members that it has, unless it is a reference. */
  readonly required?: readonly string[];
  /** Whether names that begin with `x-` are extensions, which may be anything. */
  readonly isExtensible?: boolean;
};

const object: Shape = { expected: 'an object' };
const objectOf = (members: NonNullable<Shape['members']>): Shape => ({ ...object, members });
const mapOf = (each: Shape): Shape => ({ ...object, each });
const extensibleMapOf = (each: Shape): Shape => ({ ...object, each, isExtensible: true });
const listOf = (each: Shape): Shape => ({ expected: 'a list', each });
const list: Shape = { expected: 'a list' };
const text: Shape = { expected: 'a string' };

const schema: Shape = {
  expected: 'an object or a boolean',
  members: () => ({
    ...{ properties: mapOf(schema), patternProperties: mapOf(schema), items: schema, not: schema },
    ...{ allOf: listOf(schema), anyOf: listOf(schema), oneOf: listOf(schema) },
    ...{ additionalProperties: schema, required: list, enum: list, $ref: text },
  }),
};
const mediaType = objectOf(() => ({ schema, examples: object, encoding: mapOf(object) }));
const content = mapOf(mediaType);
const header = objectOf(() => ({ schema, content, $ref: text }));
const parameter: Shape = {
  ...objectOf(() => ({ schema, content, name: text, in: text, $ref: text })),
  required: ['name', 'in'],
};
const response = objectOf(() => ({
  ...{ headers: mapOf(header), content, links: mapOf(object), $ref: text },
}));
const requestBody = objectOf(() => ({ content, $ref: text }));
const servers = listOf({
  ...objectOf(() => ({ url: text, variables: mapOf(object) })),
  required: ['url'],
});
const security = listOf(mapOf(list));
const operation = objectOf(() => ({
  ...{ parameters: listOf(parameter), requestBody, responses: extensibleMapOf(response) },
  ...{ callbacks, security, servers, tags: list },
}));
const pathItem = objectOf(() => ({
  ...{ parameters: listOf(parameter), servers, $ref: text },
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
  ...{ info: objectOf(() => ({ title: text })), tags: listOf(object) },
  ...{ servers, security },
  ...{ paths: extensibleMapOf(pathItem), webhooks: mapOf(pathItem), components },
}));

function refuseOther(value: unknown, shape: Shape, path: Path, fail: Fail): void {
  const { expected, members, each, required = [], isExtensible } = shape;
  if (expected === 'an object or a boolean' && typeof value === 'boolean') return;
  if (expected === 'a string' && typeof value === 'string') return;
  if (
    expected === 'a string' ||
    !isObject(value) ||
    Array.isArray(value) !== (expected === 'a list')
  ) {
    fail({ path, at: 'value', message: `found ${shown(value)}, expected ${expected}` });
  }
  const isReference = '$ref' in value;
  const missing = isReference ? undefined : required.find((name) => !Object.hasOwn(value, name));
  if (missing) fail({ path, at: 'value', message: `"${missing}" is missing` });
  // A callback may be a reference.
  if (isExtensible && isReference) return;
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
