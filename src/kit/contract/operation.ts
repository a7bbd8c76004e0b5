import {
  type Document,
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
  type ServerObject,
  type Style,
} from './openapi-document.ts';
import { madeOperationId } from './operation-id.ts';
import { parameterNames } from './path-template.ts';

/** One REST operation as the contract declares it. */
export type Operation = {
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  /** The names of its path parameters, in order. */
  readonly names: readonly string[];
  /** The paths of the servers that it is declared for, such as `/v1`; none where they have none. */
  readonly basePaths: readonly string[];
  /** What stands in the document. */
  readonly object: OperationObject;
  /** Those of the operation and of its path, each once. */
  readonly parameters: readonly Parameter[];
  /** The schema of the JSON body. */
  readonly bodySchema: Referable<SchemaObject> | undefined;
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
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] ? [operationOf(document, path, method)] : [])),
  );
}

/** Reads an operation. */
export function operationOf(document: Document, path: string, method: Method): Operation {
  const item: PathItem = document.paths[path] ?? {};
  const object = item[method] ?? { responses: {} };
  const parameters = parametersOf(document, item, object);
  const body = object.requestBody && resolve(document, object.requestBody);
  const json = body?.content['application/json'];
  return {
    id: object.operationId ?? madeOperationId(method, path),
    method: method.toUpperCase(),
    path,
    names: parameterNames(path),
    basePaths: basePathsOf(object.servers ?? item.servers ?? document.servers ?? []),
    object,
    parameters: parameters.map((parameter) => parameterOf(document, parameter)),
    bodySchema: json?.schema,
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
    .map((each) => [parameterKey(each), each] as const)
    .filter(([key]) => !IGNORED.has(key));
  return [...new Map(all).values()];
}

// OpenAPI: "the parameter definition SHALL be ignored".
const IGNORED = new Set(['header accept', 'header content-type', 'header authorization']);

/** Place and name identify a parameter; header names are case-insensitive. */
export function parameterKey({ in: place, name }: ParameterObject): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

function parameterOf(document: Document, object: ParameterObject): Parameter {
  const { name, in: place, required = false, 'x-malformed-status': malformedStatus = 400 } = object;
  const schema = object.schema && resolve(document, object.schema);
  return {
    object,
    name,
    in: place,
    required,
    schema,
    style: object.style ?? styles[place],
    explode: object.explode ?? /^(form|cookie)$/.test(object.style ?? styles[place]),
    mediaType: Object.keys(object.content ?? {})[0],
    allowEmpty: object.allowEmptyValue ?? false,
    malformedStatus,
  };
}

const styles = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const;

/** The path of each server's address, with every value of its variables, and without the slash at its end. */
function basePathsOf(servers: readonly ServerObject[]): string[] {
  const paths = servers.flatMap(({ url, variables = {} }) =>
    Object.entries(variables).reduce(
      (urls, [name, variable]) =>
        urls.flatMap((each) =>
          (variable.enum ?? [variable.default]).map((value) => each.replaceAll(`{${name}}`, value)),
        ),
      [url],
    ),
  );
  const own = paths.map((url) => withoutEnd(url.replace(/^[a-z+]+:\/\/[^/]*/i, '')));
  return [...new Set(own)].filter((path) => path.startsWith('/'));
}

function withoutEnd(path: string): string {
  return path.endsWith('/') ? withoutEnd(path.slice(0, -1)) : path;
}
