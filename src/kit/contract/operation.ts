import {
  type Document,
  isObject,
  methods,
  type OperationObject,
  type ParameterObject,
  type PathItem,
  resolve,
} from './openapi-document.ts';

/** One REST operation as the contract declares it. */
export type Operation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly takesBody: boolean;
  /** The most members that a body can have without being refused for an unknown one. */
  readonly mostMembers: number;
  /** The member of a body that says which of several schemas it has. */
  readonly discriminator: string | undefined;
  /** The media type of each declared status; absent for a status without a body. */
  readonly mediaTypes: ReadonlyMap<number, string>;
};

export type Parameter = {
  readonly name: string;
  readonly in: ParameterObject['in'];
  readonly integer: boolean;
  /** What a path that holds a malformed value of this parameter is answered with. */
  readonly malformedStatus: 400 | 404;
};

/** The operations of a document, in the order in which it declares them. */
export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [operationOf(document, path, item, method, operation)] : [];
    }),
  );
}

function operationOf(
  document: Document,
  path: string,
  item: PathItem,
  method: string,
  operation: OperationObject,
): Operation {
  const where = `${method.toUpperCase()} ${path}`;
  if (!operation.operationId) throw new Error(`${where} has no operationId`);
  const parameters = parametersOf(document, item, operation);
  requireServable(where, path, parameters);
  const body = operation.requestBody && resolve(document, operation.requestBody);
  // express-openapi-validator takes an absent `required` for true, the standard for false.
  if (body && body.required !== true) throw new Error(`${where} has a body that is not required`);
  if (body && !body.content['application/json']) throw new Error(`${where} has a body not of JSON`);
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    parameters: parameters.map((parameter) => parameterOf(document, parameter)),
    takesBody: body !== undefined,
    ...shapeOf(document, body?.content['application/json']?.schema),
    mediaTypes: mediaTypesOf(document, operation),
  };
}

/** The parameters of an operation, resolved: its own override those of its path. */
export function parametersOf(
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

/** What the validator has to be spared, of the schema of a body; in JSON Schema it may be a boolean too. */
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

function parameterOf(document: Document, parameter: ParameterObject): Parameter {
  const { type = 'string' } = parameter.schema ? resolve(document, parameter.schema) : {};
  if (type !== 'string' && type !== 'integer') {
    throw new Error(`the parameter ${parameter.name} is neither a string nor an integer`);
  }
  return {
    name: parameter.name,
    in: parameter.in,
    integer: type === 'integer',
    malformedStatus: parameter['x-malformed-status'] ?? 400,
  };
}

function mediaTypesOf(document: Document, operation: OperationObject): Map<number, string> {
  return new Map(
    Object.entries(operation.responses).flatMap(([status, response]) =>
      Object.keys(resolve(document, response).content ?? {})
        .slice(0, 1)
        .map((mediaType) => [Number(status), mediaType] as const),
    ),
  );
}

/** What is valid OpenAPI but would not be served as it is written is refused. */
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
