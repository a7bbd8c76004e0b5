import {
  type Document,
  methods,
  type OperationObject,
  type ParameterObject,
  type PathItem,
  resolve,
} from './document.ts';

/** One REST operation as the contract declares it. */
export type Operation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly takesBody: boolean;
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
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(
    (parameter) => parameterOf(document, resolve(document, parameter)),
  );
  const declared = parameters.filter((parameter) => parameter.in === 'path');
  const named = [...path.matchAll(/\{([^}]*)\}/g)].map((match) => match[1]);
  if (declared.map(({ name }) => name).join() !== named.join()) {
    throw new Error(`${where} names other path parameters than it declares`);
  }
  const body = operation.requestBody && resolve(document, operation.requestBody);
  // express-openapi-validator takes an absent `required` for true, the standard for false.
  if (body && body.required === undefined) {
    throw new Error(`${where} does not say whether its request body is required`);
  }
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    parameters,
    takesBody: body !== undefined,
    mediaTypes: mediaTypesOf(document, operation),
  };
}

function parameterOf(document: Document, parameter: ParameterObject): Parameter {
  const schema = parameter.schema && resolve(document, parameter.schema);
  return {
    name: parameter.name,
    in: parameter.in,
    integer: schema?.type === 'integer',
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
