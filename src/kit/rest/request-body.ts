import { isInRange, isMediaRange, mediaTypeOf } from '../contract/media-type.ts';
import type { Document, MediaTypeObject } from '../contract/openapi-document.ts';
import type { RequestBody } from '../contract/operation.ts';
import { ApiError, invalid } from '../errors.ts';
import { bodyStream, hasBody, parseJson, parseText, readWhole } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { timesSent } from '../http/target.ts';
import { type BodyKind, kindOf, kindsOf } from './body-kind.ts';
import { formValue, urlEncodedFields } from './form-body.ts';
import { withoutFiles } from './form-files.ts';
import { isMergePatch } from './merge-patch.ts';
import { readMultipart } from './multipart-body.ts';
import { createSchemaReader, type Schema, type SchemaReader } from './schema-parts.ts';

/** One way in which an operation takes its body. */
export type BodyForm = {
  /** The media type or range, as the contract writes it. */
  readonly mediaType: string;
  /** A range has one form for each kind of media type in it. */
  readonly kind: BodyKind;
  /** What the value must satisfy. */
  readonly schema: Schema;
  /** The value; undefined where the body turns out to be empty and is not required. */
  read(exchange: Exchange): Promise<unknown>;
};

/** The forms of a body, in the order of the contract. */
export function bodyForms(
  document: Document,
  { content, required }: RequestBody,
): readonly BodyForm[] {
  const schemas = createSchemaReader(document);
  return [...content].flatMap(([mediaType, media]) =>
    kindsOf(mediaTypeOf(mediaType).name).map((kind) => ({
      mediaType,
      kind,
      schema: schemaOf(schemas, kind, media),
      read: readers[kind]({ schemas, media, required }),
    })),
  );
}

/**
 * The form of the body that a request has; undefined where it has none and needs none. A body that is absent, or of a
 * media type that is not declared, is refused.
 */
export function formOf(
  forms: readonly BodyForm[],
  { required }: RequestBody,
  { request, operation }: Exchange,
): BodyForm | undefined {
  const isEmpty = !hasBody(request);
  if (isEmpty && !required) return undefined;
  const sent = request.headers['content-type'];
  const isTwice = timesSent(request.rawHeaders, 'content-type') > 1;
  // RFC 9110, 8.3: what has no type may be taken for application/octet-stream.
  const form = isTwice ? undefined : matching(forms, sent ?? 'application/octet-stream');
  // An empty text is a text, where the client says that it is one.
  if (isEmpty && (!form || !sent || form.kind === 'json' || form.kind === 'multipart')) {
    throw invalid('/body', 'is required');
  }
  if (form) return form;
  const types = [...new Set(forms.map(({ mediaType }) => mediaType))];
  const encoding = forms.every(({ kind }) => kind === 'json') ? ' in UTF-8' : '';
  const errors = [
    { path: '/headers/content-type', message: `must be ${types.join(' or ')}${encoding}` },
  ];
  if (!operation?.responses.has('415') && !types.some(isMergePatch)) {
    throw new ApiError('invalid-request', { errors });
  }
  // RFC 5789, 2.2: a patch of another type is 415, with those that there are.
  const headers = operation?.method === 'PATCH' ? { 'Accept-Patch': types.join(', ') } : {};
  throw new ApiError('invalid-request', { status: 415, errors, headers });
}

/** The media type of a body for the handler: as the contract writes it, of a range the one that was sent. */
export function mediaTypeFor({ mediaType }: BodyForm, { request }: Exchange): string {
  const isRange = mediaType.includes('*');
  return isRange ? (request.headers['content-type'] ?? 'application/octet-stream') : mediaType;
}

function matching(forms: readonly BodyForm[], sent: string): BodyForm | undefined {
  const { name, parameters } = mediaTypeOf(sent);
  if (!isMediaRange(name)) return undefined;
  const kind = kindOf(name);
  const charset = parameters.get('charset')?.toLowerCase() ?? 'utf-8';
  if (kind !== 'binary' && kind !== 'multipart' && !/^utf-?8$/.test(charset)) return undefined;
  const [best] = forms
    .filter((form) => form.kind === kind)
    .map((form) => ({ form, rank: rankOf(mediaTypeOf(form.mediaType), name, parameters) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank);
  return best?.form;
}

/** How exactly a declared type names the one that was sent; 0 where it does not. */
function rankOf(
  declared: ReturnType<typeof mediaTypeOf>,
  name: string,
  parameters: ReadonlyMap<string, string>,
): number {
  if (!isInRange(name, declared.name)) return 0;
  if (declared.name === '*/*') return 1;
  if (declared.name !== name) return 2;
  const own = [...declared.parameters];
  return own.every(([key, value]) => parameters.get(key) === value) ? 4 + own.length : 3;
}

function schemaOf(schemas: SchemaReader, kind: BodyKind, media: MediaTypeObject): Schema {
  const { schema = true } = media;
  if (kind === 'binary') return true;
  if (kind === 'multipart') return withoutFiles(schemas, media);
  // The schema of XML and the like is of the data in the text.
  const types = kind === 'text' ? schemas.types(schema) : new Set();
  return types.size === 0 || types.has('string') ? schema : true;
}

type Read = BodyForm['read'];
type ReaderParts = {
  readonly schemas: SchemaReader;
  readonly media: MediaTypeObject;
  readonly required: boolean;
};

const readers: Readonly<Record<BodyKind, (parts: ReaderParts) => Read>> = {
  json:
    ({ required }) =>
    async (exchange) => {
      const bytes = await readWhole(exchange);
      return bytes.length === 0 && !required ? undefined : parseJson(bytes);
    },
  form:
    ({ schemas, media }) =>
    async (exchange) =>
      formValue(schemas, media, urlEncodedFields(parseText(await readWhole(exchange)))),
  multipart:
    ({ schemas, media }) =>
    (exchange) =>
      readMultipart(schemas, media, exchange),
  text: () => async (exchange) => parseText(await readWhole(exchange)),
  binary: () => async (exchange) => bodyStream(exchange),
};
