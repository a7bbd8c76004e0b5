import {
  type MediaTypeObject,
  type Method,
  type ParameterObject,
  type RequestBodyObject,
  type ResponseObject,
  resolve,
} from '../../contract/openapi-document.ts';
import type { Sources } from './contracts.ts';
import { isJson } from './payload.ts';
import type { Schema } from './schema.ts';

/** One operation as somebody calls it. */
export type ApiCall = {
  readonly operationId: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** What stands in the path, in order. */
  readonly inPath: readonly Parameter[];
  /** What goes into the query and the headers, by name. */
  readonly options: readonly Parameter[];
  readonly body: Payload | undefined;
  readonly replies: readonly Reply[];
  readonly replyHeaders: readonly ReplyHeader[];
  readonly refusals: readonly Refusal[];
  /** Whether a POST can be sent again under the same key without being carried out again. */
  readonly takesKey: boolean;
  /** What the pages are made of, for a list whose answer links to the next page. */
  readonly pageOf: Schema | undefined;
  /** The operation that writes back what this one read, held to the version that was read. */
  readonly writtenBackBy: string | undefined;
};

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example: unknown;
};

export type Payload = {
  readonly mediaType: string;
  readonly schema: Schema;
  readonly example: unknown;
};

export type Reply = { readonly status: number; readonly payload: Payload | undefined };

export type ReplyHeader = {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly description: string;
};

export type Refusal = {
  readonly status: number;
  readonly description: string;
  readonly schema: Schema | undefined;
  readonly example: unknown;
};

/** Its name depends on the other operations of its tag. */
export type Unnamed = Omit<ApiCall, 'name'> & { readonly tag: string };
type Documented = { readonly description?: string };

/** What the contract says about an operation. */
export function callOf(
  document: Sources['document'],
  id: string,
  method: string,
  path: string,
): Unnamed {
  const item = document.paths[path] ?? {};
  const operation = item[method.toLowerCase() as Method];
  if (!operation) throw new Error(`${id} is not in the contract`);
  const { summary = '', description = '' } = Object(operation);
  const tag = operation.tags?.[0];
  if (!tag) throw new Error(`${id} has no tag, so it has no place in the SDK`);
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((each) =>
    parameterOf(document, resolve<ParameterObject>(document, each)),
  );
  const responses = Object.entries(operation.responses).map(
    ([status, response]) =>
      [Number(status), resolve<ResponseObject & Documented>(document, response)] as const,
  );
  const replies = responses.filter(([status]) => status < 400);
  const body =
    operation.requestBody && resolve<RequestBodyObject>(document, operation.requestBody).content;
  const replyHeaders = headersOf(document, replies);
  const [first] = replies;
  const whole = first && payloadOf(document, first[1].content)?.schema;
  const list: Schema | undefined = whole && resolve<Schema>(document, whole as { $ref: string });
  return {
    operationId: id,
    tag,
    method,
    path,
    summary,
    description,
    inPath: parameters.filter((each) => each.in === 'path'),
    options: parameters.filter((each) => each.in !== 'path'),
    body: payloadOf(document, body),
    replies: replies.map(([status, { content }]) => ({
      status,
      payload: payloadOf(document, content),
    })),
    replyHeaders,
    refusals: responses
      .filter(([status]) => status >= 400)
      .map(([status, { description: about = '', content }]) => ({
        status,
        description: about,
        schema: payloadOf(document, content)?.schema,
        example: payloadOf(document, content)?.example,
      })),
    takesKey:
      method === 'POST' && parameters.some((each) => each.name.toLowerCase() === 'idempotency-key'),
    pageOf: replyHeaders.some(({ name }) => name === 'Link') ? list?.items : undefined,
    writtenBackBy: method === 'GET' ? writeBack(document, first?.[1]) : undefined,
  };
}

/** What every call has; a parameter of the contract by one of these names could not be told from it. */
const taken = ['signal', 'timeout', 'retries', 'headers', 'body', 'options', 'self'];

function parameterOf(document: Sources['document'], parameter: ParameterObject): Parameter {
  const { description = '', examples, example } = Object(parameter);
  if (taken.includes(parameter.name)) {
    throw new Error(`the SDK has another meaning for the parameter ${parameter.name}`);
  }
  if (parameter.in === 'cookie') throw new Error(`${parameter.name}: the SDK sends no cookies`);
  return {
    name: parameter.name,
    in: parameter.in,
    required: parameter.required === true,
    description,
    schema: (parameter.schema ?? {}) as Schema,
    example: exampleOf(document, examples, example),
  };
}

function payloadOf(
  document: Sources['document'],
  content: Readonly<Record<string, MediaTypeObject>> | undefined,
): Payload | undefined {
  const types = Object.keys(content ?? {});
  const mediaType = types.find(isJson) ?? types[0];
  if (!content || mediaType === undefined) return undefined;
  const { schema = {}, examples, example } = Object(content[mediaType]);
  return { mediaType, schema, example: exampleOf(document, examples, example) };
}

function exampleOf(document: Sources['document'], examples: unknown, example: unknown): unknown {
  const [first] = Object.values<object>(Object(examples ?? {}));
  return first ? Object(resolve(document, first)).value : example;
}

function headersOf(
  document: Sources['document'],
  replies: readonly (readonly [number, ResponseObject])[],
): ReplyHeader[] {
  const declared = replies.map(([, { headers = {} }]) => headers);
  const names = [...new Set(declared.flatMap((headers) => Object.keys(headers)))];
  return names.map((name) => {
    const found = declared.flatMap((headers) => headers[name] ?? []);
    const objects = found.map((each) => Object(resolve(document, each)));
    const isAlways = objects.length === replies.length && objects.every((each) => each.required);
    const { schema = {}, description = '' } = objects[0];
    return { name, required: isAlways, schema, description };
  });
}

/** The PUT that a link gives the id and the entity tag of what was read. */
function writeBack(
  document: Sources['document'],
  reply: ResponseObject | undefined,
): string | undefined {
  const links = Object.values<object>(Object(reply).links ?? {});
  return links
    .map((link) => Object(resolve(document, link)))
    .find(
      ({ operationId = '', parameters = {} }) =>
        parameters['If-Match'] === '$response.header.ETag' && /^replace/.test(operationId),
    )?.operationId;
}
