import {
  type Document,
  isObject,
  type MediaTypeObject,
  type Method,
  methods,
  type OperationObject,
  type ParameterObject,
  type PathItem,
  type Referable,
  type ResponseObject,
  resolve,
  type SchemaObject,
  type Style,
} from './openapi-document.ts';

/** One REST operation as the contract declares it. */
export type Operation = {
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  /** What stands in the document. */
  readonly object: OperationObject;
  /** Those of the operation and of its path, each once. */
  readonly parameters: readonly Parameter[];
  readonly takesBody: boolean;
  /** The schema of the JSON body. */
  readonly bodySchema: Referable<SchemaObject> | undefined;
  /** The most members that a body can have without being refused for an unknown one. */
  readonly mostMembers: number;
  /** The member of a body that says which of several schemas it has. */
  readonly discriminator: string | undefined;
  /** The media type of each declared status; absent for a status without a body. */
  readonly mediaTypes: ReadonlyMap<number, string>;
  readonly body: RequestBody | undefined;
  /** By status as the contract writes it: `200`, `2XX` or `default`. */
  readonly responses: ReadonlyMap<string, ResponseObject>;
  /** Alternatives, one of which a caller must satisfy; empty where no credentials are needed. */
  readonly security: readonly SecurityRequirement[];
  readonly deprecated: boolean;
  /** When a deprecated operation ends: the date in `x-sunset`. */
  readonly sunset: string | undefined;
};

/** The scopes that are needed of each security scheme, by its name; one without schemes admits everybody. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export type RequestBody = {
  readonly required: boolean;
  /** By media type or range, as the contract writes it. */
  readonly content: ReadonlyMap<string, MediaTypeObject>;
};

export type Parameter = {
  /** What stands in the document, resolved. */
  readonly object: ParameterObject;
  readonly name: string;
  readonly in: ParameterObject['in'];
  readonly required: boolean;
  /** Resolved: without the keywords beside a reference, which `object.schema` has. */
  readonly schema: SchemaObject | undefined;
  readonly integer: boolean;
  readonly style: Style;
  readonly explode: boolean;
  /** The media type of the text, where the contract gives `content` instead of a schema. */
  readonly mediaType: string | undefined;
  readonly allowEmpty: boolean;
  /** The status of the answer to a path with a malformed value of this parameter. */
  readonly malformedStatus: 400 | 404;
};

/** The operations of a document, in the order in which it declares them. */
export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] ? [operationOf(document, path, method)] : [])),
  );
}

/** Reads an operation; what is valid OpenAPI but would not be served as it is written is an error. */
export function operationOf(document: Document, path: string, method: Method): Operation {
  const item: PathItem = document.paths[path] ?? {};
  const object = item[method] ?? { responses: {} };
  const where = `${method.toUpperCase()} ${path}`;
  if (!object.operationId) throw new Error(`${where} has no operationId`);
  const parameters = parametersOf(document, item, object);
  requireServable(where, path, parameters);
  const body = object.requestBody && resolve(document, object.requestBody);
  const json = body?.content['application/json'];
  return {
    id: object.operationId,
    method: method.toUpperCase(),
    path,
    object,
    parameters: parameters.map((parameter) => parameterOf(document, parameter)),
    takesBody: body !== undefined,
    bodySchema: json?.schema,
    ...shapeOf(document, json?.schema),
    mediaTypes: mediaTypesOf(document, object),
    body: body && {
      required: body.required ?? false,
      content: new Map(Object.entries(body.content)),
    },
    responses: new Map(
      Object.entries(object.responses ?? {}).map(([status, each]) => [
        status,
        resolve(document, each),
      ]),
    ),
    security: object.security ?? document.security ?? [],
    deprecated: object.deprecated ?? false,
    sunset: object['x-sunset'],
  };
}

/** The parameters, resolved: those of the operation override those of its path. */
function parametersOf(
  document: Document,
  item: PathItem,
  operation: OperationObject,
): ParameterObject[] {
  const all = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
    .map((parameter) => resolve(document, parameter))
    .map((each) => [keyOf(each), each] as const)
    .filter(([key]) => !IGNORED.has(key));
  return [...new Map(all).values()];
}

// OpenAPI: "the parameter definition SHALL be ignored".
const IGNORED = new Set(['header accept', 'header content-type', 'header authorization']);

/** Place and name identify a parameter; header names are case-insensitive. */
function keyOf({ in: place, name }: ParameterObject): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

function parameterOf(document: Document, object: ParameterObject): Parameter {
  const { name, in: place, required = false, 'x-malformed-status': malformedStatus = 400 } = object;
  const schema = object.schema && resolve(document, object.schema);
  const type = schema?.type ?? 'string';
  if (type !== 'string' && type !== 'integer') {
    throw new Error(`the parameter ${name} is neither a string nor an integer`);
  }
  return {
    object,
    name,
    in: place,
    required,
    schema,
    integer: type === 'integer',
    style: object.style ?? styles[place],
    explode: object.explode ?? (object.style ?? styles[place]) === 'form',
    mediaType: Object.keys(object.content ?? {})[0],
    allowEmpty: object.allowEmptyValue ?? false,
    malformedStatus,
  };
}

const styles = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const;

/** A schema may be a boolean too. */
function shapeOf(
  document: Document,
  schema: unknown,
): Pick<Operation, 'mostMembers' | 'discriminator'> {
  const {
    properties = {},
    patternProperties,
    additionalProperties,
    discriminator,
    oneOf,
    anyOf,
  } = isObject(schema) ? Object(resolve(document, schema)) : {};
  const isClosed = additionalProperties === false && patternProperties === undefined;
  return {
    mostMembers: isClosed ? Object.keys(properties).length : Number.POSITIVE_INFINITY,
    discriminator: oneOf || anyOf ? discriminator?.propertyName : undefined,
  };
}

function mediaTypesOf(document: Document, { responses }: OperationObject): Map<number, string> {
  return new Map(
    Object.entries(responses).flatMap(([status, response]) =>
      Object.keys(resolve(document, response).content ?? {})
        .slice(0, 1)
        .map((mediaType) => [Number(status), mediaType] as const),
    ),
  );
}

function requireServable(where: string, path: string, parameters: ParameterObject[]): void {
  const segments = path.slice(1).split('/');
  const names = segments.flatMap((segment) => segment.match(/^\{([^{}]+)\}$/)?.[1] ?? []);
  const declared = parameters.filter((each) => each.in === 'path').map(({ name }) => name);
  if (names.toSorted().join() !== declared.toSorted().join()) {
    throw new Error(`${where} names other path parameters than it declares`);
  }
  if (!segments.every((segment) => /^(\{[^{}]+\}|[A-Za-z0-9._~-]*)$/.test(segment))) {
    throw new Error(`${where} has a segment that is neither plain nor one parameter`);
  }
  // express-openapi-validator takes brackets in a name for a nested object, even where they are declared.
  const bracketed = parameters.find((each) => each.in === 'query' && /[[\]]/.test(each.name));
  if (bracketed) throw new Error(`${where} has brackets in the query parameter ${bracketed.name}`);
}
