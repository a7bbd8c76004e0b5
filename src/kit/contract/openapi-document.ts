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
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

export type Referable<T> = T | { readonly $ref: string };

export type PathItem = {
  readonly parameters?: readonly Referable<ParameterObject>[];
} & { readonly [method in Method]?: OperationObject };

export type OperationObject = {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: string[];
  readonly parameters?: readonly Referable<ParameterObject>[];
  readonly requestBody?: Referable<RequestBodyObject>;
  readonly responses: Readonly<Record<string, Referable<ResponseObject>>>;
};

export type ParameterObject = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema?: Referable<SchemaObject>;
  readonly 'x-malformed-status'?: 404;
};

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
  readonly schema?: Referable<SchemaObject>;
};

export type MediaTypeObject = { readonly schema?: Referable<SchemaObject> };

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
  if (!('$ref' in value)) return value;
  const target = pointer(value.$ref).reduce<unknown>((at, key) => Object(at)[key], document);
  // The document was validated: a reference names something, of the type of the place it stands in.
  return resolve(document, target as Referable<T>);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The names along a reference within the document. */
export function pointer(ref: string): string[] {
  return ref
    .replace(/^#\//, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}
