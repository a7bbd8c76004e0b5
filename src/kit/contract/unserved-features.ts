import { isDeepStrictEqual } from 'node:util';
import type { Path } from './contract-source.ts';
import { isJsonType } from './media-type.ts';
import {
  type Document,
  isObject,
  type MediaTypeObject,
  methods,
  type ParameterObject,
  pointer,
  type Referable,
  resolve,
  valueAt,
} from './openapi-document.ts';
import { parameterKey } from './operation.ts';
import type { Findings } from './schema-check.ts';

type Members = Readonly<Record<string, unknown>>;
/** A part of the document, and where it stands once references are followed. */
export type Part = { readonly value: Members; readonly path: Path };

/** Tells what the paths of a document use and the kit does not serve. */
export function checkFeatures(document: Document, findings: Findings): void {
  for (const [path, item] of Object.entries(document.paths)) {
    const at = ['paths', path];
    const tell = (key: string, what: string) =>
      findings.doubtful({ path: [...at, key], at: 'key', message: `${what} is not supported` });
    if ('query' in item) tell('query', 'the method QUERY');
    if ('additionalOperations' in item) tell('additionalOperations', '"additionalOperations"');
    checkParameters(document, { value: item, path: at }, findings);
    for (const method of methods) {
      const operation = { value: Object(item[method]), path: [...at, method] };
      checkParameters(document, operation, findings);
      checkBody(document, operation, findings);
    }
  }
}

function checkParameters(
  document: Document,
  { value, path }: Part,
  { doubtful, broken }: Findings,
): void {
  const { parameters } = value;
  const known = new Map<string, ParameterObject>();
  for (const [i, each] of Array.isArray(parameters) ? parameters.entries() : []) {
    const part = followed(document, each, [...path, 'parameters', i]);
    // The OpenAPI schema guarantees the shape.
    const parameter = part.value as Members & ParameterObject;
    const same = known.get(parameterKey(parameter));
    if (same) {
      const message = `found another parameter "${parameter.name}" in ${parameter.in}, expected one`;
      const tell = isDeepStrictEqual(same, parameter) ? doubtful : broken;
      tell({ path: [...path, 'parameters', i], at: 'value', message });
    }
    known.set(parameterKey(parameter), parameter);
    if (String(parameter.in) === 'querystring') {
      const message = '"in: querystring" of a parameter is not supported';
      broken({ path: [...part.path, 'in'], at: 'value', message });
    }
    const [[type, { schema }] = ['application/json', {} as MediaTypeObject]] = Object.entries(
      parameter.content ?? {},
    );
    if (isJsonType(type) || isText(document, schema)) continue;
    const message = `a parameter of ${type} that is no text is not supported`;
    broken({ path: [...part.path, 'content', type], at: 'key', message });
  }
}

/** Whether a schema admits text, as far as its types say. */
function isText(document: Document, schema: Referable<object> | undefined): boolean {
  const { type }: { readonly type?: unknown } = schema ? resolve(document, schema) : {};
  return type === undefined || [type].flat().includes('string');
}

function checkBody(
  document: Document,
  { value, path }: Part,
  { doubtful, broken }: Findings,
): void {
  const { requestBody } = value;
  if (!isObject(requestBody)) return;
  const body = followed(document, requestBody, [...path, 'requestBody']);
  for (const [type, media] of Object.entries(Object(body.value.content))) {
    const at = [...body.path, 'content', type];
    for (const key of ['itemSchema', 'prefixEncoding', 'itemEncoding']) {
      if (!(key in Object(media))) continue;
      const message = `"${key}" of a request body is not supported`;
      doubtful({ path: [...at, key], at: 'key', message });
    }
    if (!type.toLowerCase().startsWith('multipart/')) continue;
    const { schema, encoding }: MediaTypeObject = Object(media);
    const { type: types = 'object' }: { readonly type?: unknown } = schema
      ? resolve(document, schema)
      : {};
    if (![types].flat().includes('object')) {
      const message = `${type} that is no object is not supported`;
      broken({ path: [...at, 'schema'], at: 'key', message });
    }
    for (const [name, each] of Object.entries(encoding ?? {})) {
      if (!('headers' in each)) continue;
      const message = '"headers" of an encoding is not supported';
      doubtful({ path: [...at, 'encoding', name, 'headers'], at: 'key', message });
    }
  }
}

/** What a reference leads to, or the part itself. */
export function followed(document: Document, value: unknown, path: Path): Part {
  const { $ref } = Object(value);
  if (typeof $ref !== 'string') return { value: Object(value), path };
  const names = pointer($ref);
  return followed(document, valueAt(document, names), names);
}

// Dialects whose keywords the reader knows: drafts of JSON Schema, and those that OpenAPI names.
const DIALECTS = [
  /^https?:\/\/json-schema\.org\/(draft-0[4-7]|draft\/(2019-09|2020-12))\/schema#?$/,
  /^https:\/\/spec\.openapis\.org\/oas\/3\.[12]\/(dialect|schema)\//,
];

/** Tells of schemas in a dialect that nobody here knows, in a document as it is written. */
export function checkDialects(document: Members, findings: Findings): void {
  checkDialectsIn(document, [], findings);
}

/** The path is one array, which changes as the walk goes on. */
function checkDialectsIn(value: unknown, path: string[], findings: Findings): void {
  if (!isObject(value)) return;
  for (const key in value) {
    const child = value[key];
    path.push(key);
    const isDialect = key === '$schema' || key === 'jsonSchemaDialect';
    if (isDialect && typeof child === 'string' && !DIALECTS.some((each) => each.test(child))) {
      const message = `found the dialect "${child}", expected one that is known, such as https://json-schema.org/draft/2020-12/schema`;
      findings.doubtful({ path: [...path], at: 'value', message });
    }
    if (!DATA.has(key) && !key.startsWith('x-')) checkDialectsIn(child, path, findings);
    path.pop();
  }
}

const DATA = new Set(['example', 'examples', 'default', 'const', 'enum']);
