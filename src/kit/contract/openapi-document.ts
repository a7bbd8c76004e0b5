/** The parts of an OpenAPI document that the server reads; the rest is for people and tools. */
export type Document = {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary?: string;
    readonly description?: string;
  };
  readonly tags?: { readonly name: string; readonly description?: string }[];
  readonly servers?: ServerObject[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks?: Readonly<Record<string, Referable<PathItem>>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

export type Referable<T> = T | { readonly $ref: string };

export type PathItem = {
  readonly servers?: readonly ServerObject[];
  readonly parameters?: readonly Referable<ParameterObject>[];
} & { readonly [method in Method]?: OperationObject };

export type ServerObject = {
  readonly url: string;
  readonly variables?: Readonly<Record<string, ServerVariable>>;
};

type ServerVariable = { readonly default: string; readonly enum?: readonly string[] };

export type OperationObject = {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: string[];
  readonly deprecated?: boolean;
  readonly 'x-sunset'?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly servers?: readonly ServerObject[];
  readonly parameters?: readonly Referable<ParameterObject>[];
  readonly requestBody?: Referable<RequestBodyObject>;
  readonly responses: Readonly<Record<string, Referable<ResponseObject>>>;
};

export type ParameterObject = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema?: Referable<SchemaObject>;
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
  readonly style?: Style;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  readonly allowEmptyValue?: boolean;
  readonly 'x-malformed-status'?: 404;
};

/** How a value is written as text. */
export type Style =
  | 'form'
  | 'simple'
  | 'label'
  | 'matrix'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  | 'cookie';

export type RequestBodyObject = {
  readonly required?: boolean;
  readonly content: Readonly<Record<string, MediaTypeObject>>;
};

export type ResponseObject = {
  readonly headers?: Readonly<Record<string, Referable<HeaderObject>>>;
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
};

export type HeaderObject = {
  readonly required?: boolean;
  readonly explode?: boolean;
  readonly schema?: Referable<SchemaObject>;
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
};

export type MediaTypeObject = {
  readonly schema?: Referable<SchemaObject>;
  readonly encoding?: Readonly<Record<string, EncodingObject>>;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Referable<{ readonly value?: unknown }>>>;
};

/** How one property of a form is written. */
export type EncodingObject = {
  readonly contentType?: string;
  readonly style?: Style;
  readonly explode?: boolean;
};

export type SecurityScheme =
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'http'; readonly scheme: string }
  | { readonly type: 'oauth2' }
  | { readonly type: 'openIdConnect'; readonly openIdConnectUrl: string }
  | { readonly type: 'mutualTLS' };

/** A schema of JSON Schema 2020-12. The reader leaves no reference in it but to `#/components/schemas/<name>`. */
export type SchemaObject = { readonly type?: string };

export const methods = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
] as const;
export type Method = (typeof methods)[number];

/** The object that a `$ref` within the document names, or the object itself. */
export function resolve<T extends object>(document: Document, value: Referable<T>): T {
  // A schema may be a boolean.
  if (!isObject(value) || typeof value.$ref !== 'string') return value as T;
  // The document was validated: a reference names something of the type that its place asks for.
  return resolve(document, valueAt(document, pointer(value.$ref)) as Referable<T>);
}

/** What a path of names leads to. */
export function valueAt(document: object, names: readonly string[]): unknown {
  return names.reduce<unknown>((at, name) => {
    // The length of a list is no part of it.
    if (!Object.hasOwn(Object(at), name) || (Array.isArray(at) && name === 'length'))
      return undefined;
    return Object(at)[name];
  }, document);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The names along a JSON Pointer, which a reference within the document is. */
export function pointer(text: string): string[] {
  return text
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}
