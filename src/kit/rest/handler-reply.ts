import type { Reply } from '../http/exchange.ts';
import { json } from '../json-text.ts';
import type { AnyReply } from './handler.ts';

/** A handler's reply as it is sent: a plain value becomes JSON text, what was left out is there. */
export function sentReply({ status, headers, type, body }: AnyReply): Reply {
  // The compiler holds headers to the types of the contract, which can all be sent.
  return { status, headers: (headers ?? {}) as Reply['headers'], type, body: sentBody(body) };
}

/** Text and bytes are sent as they are, anything else as JSON. */
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
