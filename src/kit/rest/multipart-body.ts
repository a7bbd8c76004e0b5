import { isInRange, isJsonType, mediaTypeOf } from '../contract/media-type.ts';
import type { EncodingObject, MediaTypeObject } from '../contract/openapi-document.ts';
import { invalid } from '../errors.ts';
import { bodyStream, jsonOf, MOST_BYTES, parseText, tooLarge } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { boundaryOf, dispositionOf, type Part, partsOf } from '../http/multipart.ts';
import { createSpool, type Spool, type UploadedFile } from '../http/upload-spool.ts';
import { kindOf } from './body-kind.ts';
import { type Field, formValue } from './form-body.ts';
import { partKind } from './form-files.ts';
import type { Schema, SchemaReader } from './schema-parts.ts';

/** The object that a multipart body is: files are held on disk, everything else in memory. */
export async function readMultipart(
  schemas: SchemaReader,
  media: MediaTypeObject,
  exchange: Exchange,
): Promise<Record<string, unknown>> {
  const boundary = boundaryOf(exchange.request.headers['content-type'] ?? '');
  const properties = schemas.properties(media.schema);
  const additional = schemas.additional(media.schema);
  const spool = createSpool(exchange.response);
  const fields: Field[] = [];
  let room = MOST_BYTES;
  for await (const part of partsOf(bodyStream(exchange), boundary)) {
    const { name, filename } = dispositionOf(part);
    if (name === undefined) throw invalid('/body', 'has a part without a name');
    const transfer = part.headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
    if (!['7bit', '8bit', 'binary'].includes(transfer)) {
      throw invalid(`/body/${name}`, `must not be sent in ${transfer}`);
    }
    const schema = properties.get(name) ?? additional;
    const own = media.encoding?.[name];
    if (isFile(schemas, schema, own, part, filename)) {
      const value = await fileOf(part, name, filename, own, spool);
      checkSize(schemas, schema, name, value);
      fields.push({ name, value });
    } else {
      const bytes = await gather(part, room);
      room -= bytes.length;
      fields.push(fieldOf(part, name, bytes));
    }
  }
  return formValue(schemas, media, fields);
}

function isFile(
  schemas: SchemaReader,
  schema: Schema,
  encoding: EncodingObject | undefined,
  { headers }: Part,
  filename: string | undefined,
): boolean {
  const kind = partKind(schemas, schema, encoding);
  if (kind !== 'either') return kind === 'file';
  const { name } = mediaTypeOf(headers.get('content-type') ?? 'text/plain');
  return filename !== undefined || kindOf(name) === 'binary';
}

async function fileOf(
  { headers, content }: Part,
  name: string,
  filename: string | undefined,
  encoding: EncodingObject | undefined,
  spool: Spool,
): Promise<UploadedFile> {
  const sent = headers.get('content-type');
  const admitted = (encoding?.contentType ?? '*/*')
    .split(',')
    .map((each) => mediaTypeOf(each).name);
  if (sent && !admitted.some((range) => isInRange(mediaTypeOf(sent).name, range))) {
    throw invalid(`/body/${name}`, `must be ${admitted.join(' or ')}`);
  }
  const [only = '*', ...others] = admitted;
  const assumed = others.length > 0 || only.includes('*') ? 'application/octet-stream' : only;
  return { name: filename ?? '', mediaType: sent ?? assumed, ...(await spool(content)) };
}

/** OpenAPI: the length of binary text is its number of bytes. No number is below or above a bound that is not there. */
function checkSize(
  schemas: SchemaReader,
  schema: Schema,
  name: string,
  { size }: UploadedFile,
): void {
  for (const { minLength, maxLength } of schemas.parts(schema)) {
    if (size > Number(maxLength)) {
      throw invalid(`/body/${name}`, `must not have more than ${maxLength} bytes`);
    }
    if (size < Number(minLength)) {
      throw invalid(`/body/${name}`, `must not have fewer than ${minLength} bytes`);
    }
  }
}

async function gather({ content }: Part, room: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of content) {
    length += piece.length;
    if (length > room) throw tooLarge(MOST_BYTES);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}

function fieldOf({ headers }: Part, name: string, bytes: Buffer): Field {
  const { name: mediaType, parameters } = mediaTypeOf(headers.get('content-type') ?? 'text/plain');
  const at = `/body/${name}`;
  if (!/^(utf-?8|us-ascii)$/i.test(parameters.get('charset') ?? 'utf-8')) {
    throw invalid(at, 'must be in UTF-8');
  }
  const text = parseText(bytes, at);
  return isJsonType(mediaType) ? { name, value: jsonOf(text, 'exact', at) } : { name, text };
}
