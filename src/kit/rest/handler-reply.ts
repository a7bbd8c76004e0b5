import type { Operation } from '../contract/operation.ts';
import type { Reply } from '../http/exchange.ts';
import { json } from '../json-text.ts';
import { declaredResponse } from './declared-response.ts';
import type { AnyReply } from './handler.ts';

/** A handler's reply as it is sent: with the declared media type, headers as text, a plain value as JSON text. */
export function sentReply(
  { status, headers = {}, type, body }: AnyReply,
  operation: Operation,
): Reply {
  return {
    status,
    headers: headerTexts(headers),
    type: body === undefined ? undefined : (type ?? typeOf(operation, status)),
    body: sentBody(body),
  };
}

function typeOf(operation: Operation, status: number): string | undefined {
  const declared = operation.mediaTypes.get(status);
  if (declared !== undefined) return declared;
  return Object.keys(declaredResponse(operation, status)?.content ?? {})[0];
}

function headerTexts(headers: Readonly<Record<string, unknown>>): Reply['headers'] {
  for (const name in headers) {
    if (typeof headers[name] !== 'string') return converted(headers);
  }
  // Every value was seen to be text.
  return headers as Reply['headers'];
}

/** In the style `simple`: lists are joined by commas, members of an object are `name,value`. */
function converted(headers: Readonly<Record<string, unknown>>): Reply['headers'] {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, headerText(value)]));
}

function headerText(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(',');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value).flat().map(String).join(',');
}

export function sentBody(body: unknown): Reply['body'] {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body;
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // What the compiler admits as a body in pieces has pieces that can be written.
  if (isIterable(body)) return body as AsyncIterable<string>;
  return json(body);
}

function isIterable(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
