import {
  type Document,
  type MediaTypeObject,
  type ResponseObject,
  resolve,
} from '../contract/openapi-document.ts';
import type { Operation } from '../contract/operation.ts';
import { type Parameter, parametersOf } from './call-parameters.ts';
import { exampleOf } from './contract-example.ts';
import { byPreference, kindOf, type MediaKind } from './media-kind.ts';
import { camelCase, legal } from './names.ts';
import { nameOf, type Schema } from './schema.ts';
import { anything, type Shape, type Shapes } from './shape.ts';

/** One operation as somebody calls it. */
export type ApiCall = {
  readonly operationId: string;
  readonly name: string;
  /** The name that its types begin with. */
  readonly typeName: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** What stands in the path, in order. */
  readonly inPath: readonly Parameter[];
  /** What goes into the query, the headers and the cookies, by name. */
  readonly options: readonly Parameter[];
  readonly body: Body | undefined;
  readonly replies: readonly Reply[];
  readonly replyHeaders: readonly ReplyHeader[];
  readonly refusals: readonly Refusal[];
  /** Alternatives, each the names of security schemes. */
  readonly security: readonly (readonly string[])[];
  /** Whether a POST can be sent again under the same key without being carried out again. */
  readonly takesKey: boolean;
  /** What the pages are made of, for a list whose answer links to the next page. */
  readonly pageOf: Shape | undefined;
  /** The operation that writes back what this one read, held to the version that was read. */
  readonly writtenBackBy: string | undefined;
};

/** A status as the contract writes it: a number, `4XX` or `default`. */
export type Status = number | string;

export type Payload = {
  readonly mediaType: string;
  readonly kind: MediaKind;
  readonly schema: Schema;
  readonly shape: Shape;
  readonly example: unknown;
  readonly media: MediaTypeObject;
};

/** What is sent: of the media type that the SDK uses, and of others where they are asked for. */
export type Body = Payload & { readonly required: boolean; readonly others: readonly Payload[] };

export type Reply = { readonly status: Status; readonly payload: Payload | undefined };

export type ReplyHeader = {
  readonly key: string;
  readonly name: string;
  readonly required: boolean;
  /** A text or a number. */
  readonly shape: Shape;
  readonly description: string;
};

export type Refusal = {
  readonly status: Status;
  readonly description: string;
  readonly mediaType: string | undefined;
  readonly schema: Schema | undefined;
  readonly shape: Shape | undefined;
  readonly example: unknown;
};

/** Its name depends on the other operations of its group. */
export type Unnamed = Omit<ApiCall, 'name' | 'typeName'> & { readonly tag: string };

type Told = (line: string) => void;
type Documented = { readonly description?: string };

/** What the contract says about an operation. What the SDK cannot send is left out, and told. */
export function callOf(
  document: Document,
  operation: Operation,
  shapes: Shapes,
  told: Told,
): Unnamed {
  const { id, method, path, object } = operation;
  const { summary = '', description = '' } = object;
  const parameters = parametersOf(document, operation, shapes);
  const responses = [...operation.responses].flatMap(([written, response]) => {
    const status = /^\d+$/.test(written) ? Number(written) : written.replaceAll('x', 'X');
    // 1xx is interim: another answer follows.
    return /^1/.test(written) ? [] : [[status, response as ResponseObject & Documented] as const];
  });
  const succeeds = responses.some(([status]) => /^2/.test(String(status)));
  const replies = responses.filter(([status]) =>
    status === 'default' ? !succeeds : /^[23]/.test(String(status)),
  );
  const payload = (response: ResponseObject | undefined) =>
    payloadOf(document, response?.content, shapes);
  const [first] = replies;
  const headers = headersOf(document, replies, shapes);
  if (responses.some(([, { content = {} }]) => 'text/event-stream' in content)) {
    told('its events are read as one text, when they have ended');
  }
  return {
    operationId: id,
    tag: tagOf(operation),
    method,
    path,
    summary: summary || `${method} ${path}`,
    description,
    inPath: parameters.filter((each) => each.in === 'path'),
    options: parameters.filter((each) => each.in !== 'path'),
    body: bodyOf(operation, shapes, document, told),
    replies:
      succeeds || first
        ? replies.map(([status, each]) => ({
            status,
            payload: isEmpty(method, status) ? undefined : payload(each),
          }))
        : // It says nothing of success, which may be anything.
          [{ status: '2XX', payload: { ...nothingKnown } }],
    replyHeaders: headers,
    refusals: responses
      .filter(([status]) => !/^[23]/.test(String(status)))
      .map(([status, response]) => {
        const said = payload(response);
        const isRead = said?.kind === 'json' || said?.kind === 'any';
        return {
          status,
          description: response.description ?? '',
          mediaType: said?.mediaType,
          schema: isRead ? said.schema : undefined,
          shape: isRead ? said.shape : undefined,
          example: said?.example,
        };
      }),
    security: operation.security.map((each) => Object.keys(each)),
    takesKey:
      method === 'POST' && parameters.some((each) => each.name.toLowerCase() === 'idempotency-key'),
    pageOf: pagesOf(document, first?.[1], headers, parameters, shapes),
    writtenBackBy: method === 'GET' ? writeBack(document, first?.[1]) : undefined,
  };
}

const nothingKnown: Payload = {
  mediaType: '*/*',
  kind: 'any',
  schema: {},
  shape: anything,
  example: undefined,
  media: {},
};

/** The first tag, else the first segment of the path that is neither a parameter nor a version. */
export function tagOf({ object, path }: Operation): string {
  const names = path.split('/').filter((each) => !/^$|\{|^v?\d+(\.\d+)*$/.test(each));
  return object.tags?.[0] ?? names[0] ?? 'root';
}

/** RFC 9110: these have no body. */
function isEmpty(method: string, status: Status): boolean {
  return method === 'HEAD' || [204, 205, 304].includes(Number(status));
}

function bodyOf(
  { method, body }: Operation,
  shapes: Shapes,
  document: Document,
  told: Told,
): Body | undefined {
  if (!body) return undefined;
  if (method === 'GET' || method === 'HEAD') {
    told(`its body is left out: fetch sends none with ${method}`);
    return undefined;
  }
  const types = byPreference([...body.content.keys()]).filter((type) => {
    const isServed = !type.startsWith('multipart/') || kindOf(type) === 'multipart';
    if (!isServed) told(`a body of ${type} is left out: the SDK writes multipart/form-data alone`);
    return isServed;
  });
  const [first, ...others] = types.map((type) => {
    const media = body.content.get(type) ?? {};
    return sentPayload(document, type, media, shapes);
  });
  return first && { ...first, required: body.required, others };
}

function sentPayload(
  document: Document,
  mediaType: string,
  media: MediaTypeObject,
  shapes: Shapes,
): Payload {
  const kind = kindOf(mediaType);
  // A schema of the document, in the words of this room.
  const schema = (media.schema ?? {}) as Schema;
  const shape =
    kind === 'form' || kind === 'multipart'
      ? shapes.formShape(schema)
      : shapes.shapeOf(schema, 'request');
  return { mediaType, kind, schema, shape, media, example: exampleOf(document, media) };
}

function payloadOf(
  document: Document,
  content: ResponseObject['content'],
  shapes: Shapes,
): Payload | undefined {
  const [mediaType] = byPreference(Object.keys(content ?? {}));
  if (!content || mediaType === undefined) return undefined;
  const media = content[mediaType] ?? {};
  const schema = (media.schema ?? {}) as Schema;
  const shape = shapes.shapeOf(schema, 'response');
  return {
    mediaType,
    kind: kindOf(mediaType),
    schema,
    shape,
    media,
    example: exampleOf(document, media),
  };
}

function headersOf(
  document: Document,
  replies: readonly (readonly [Status, ResponseObject])[],
  shapes: Shapes,
): ReplyHeader[] {
  const declared = replies.map(([, { headers = {} }]) => headers);
  const names = [...new Set(declared.flatMap((headers) => Object.keys(headers)))];
  const all = names.map((name) => {
    const found = declared.flatMap((headers) => headers[name] ?? []);
    const objects = found.map((each) => Object(resolve(document, each)));
    const isAlways = objects.length === replies.length && objects.every((each) => each.required);
    const { schema = {}, description = '' } = objects[0];
    const shape = headerShape(shapes.shapeOf(schema, 'response'));
    return { key: legal(camelCase(name), 'header'), name, required: isAlways, shape, description };
  });
  // Names that differ in case or signs alone are one member.
  return [...new Map(all.map((each) => [each.key, each])).values()];
}

/** A header is read as a text or as a number. */
function headerShape(shape: Shape): Shape {
  if (shape.kind === 'plain' && (shape.type === 'integer' || shape.type === 'number')) return shape;
  const isText = (each: Shape) => each.kind === 'literal' && typeof each.value === 'string';
  if (isText(shape) || (shape.kind === 'union' && shape.options.every(isText))) return shape;
  return { kind: 'plain', type: 'string' };
}

/** As the kit has pages: a list whose `Link` names the next one, by the query parameter `after`. */
function pagesOf(
  document: Document,
  response: ResponseObject | undefined,
  headers: readonly ReplyHeader[],
  parameters: readonly Parameter[],
  shapes: Shapes,
): Shape | undefined {
  const hasAfter = parameters.some(({ in: place, name }) => place === 'query' && name === 'after');
  if (!hasAfter || !headers.some(({ name }) => name === 'Link')) return undefined;
  const written = payloadOf(document, response?.content, shapes)?.schema ?? {};
  const { items } = nameOf(written)
    ? resolve<Schema>(document, written as { $ref: string })
    : written;
  return items === undefined ? undefined : shapes.shapeOf(items, 'response');
}

/** The PUT that a link gives the id and the entity tag of what was read. */
function writeBack(document: Document, reply: ResponseObject | undefined): string | undefined {
  const links = Object.values<object>(Object(reply).links ?? {});
  return links
    .map((link) => Object(resolve(document, link)))
    .find(
      ({ operationId = '', parameters = {} }) =>
        parameters['If-Match'] === '$response.header.ETag' && /^replace/.test(operationId),
    )?.operationId;
}
