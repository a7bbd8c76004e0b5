import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { fairTurn } from '../fair-turn.ts';
import type { Exchange, HeaderValue, Reply } from './exchange.ts';

const JSON_TYPE = 'application/json';
// As much of a streamed body is kept for the taps.
const LONGEST_KEPT = 65_536;

/** Sends a reply: every reply goes through here. Gives the text that was sent. */
export function send(
  exchange: Exchange,
  reply: Reply,
): string | undefined | Promise<string | undefined> {
  const { response } = exchange;
  const { status, headers, body, type = JSON_TYPE } = reply;
  if (response.headersSent || response.destroyed) return discard(body);
  const head: (string | number)[] = [...exchange.headers];
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === 'string' || typeof value === 'number') head.push(name, value);
    else for (const text of headerTexts(name, value)) head.push(name, text);
  }
  if (body === undefined) {
    response.writeHead(status, head).end();
    return '';
  }
  head.push('Content-Type', type);
  if (typeof body === 'string' || body instanceof Uint8Array) {
    head.push('Content-Length', Buffer.byteLength(body));
    response.writeHead(status, head).end(body);
    return typeof body === 'string' ? body : undefined;
  }
  const begin = () => response.writeHead(status, head);
  if (type.startsWith('text/event-stream')) endWithClient(response);
  if (exchange.method !== 'HEAD') return stream(response, body, begin);
  begin().end();
  return discard(body);
}

/**
 * Events have no end: a client that sends no more has gone. One that has only half-closed its side sends the same FIN;
 * the second write after it would tell them apart, which may be two pings later.
 */
export function endWithClient(response: ServerResponse): void {
  const { socket } = response;
  const end = () => response.destroy();
  socket?.once('end', end);
  // Otherwise a keep-alive socket retains the finished response.
  response.once('close', () => socket?.off('end', end));
}

/** Releases what a body that nobody reads may hold open; an iterator is never started. */
function discard(body: Reply['body']): undefined {
  if (body instanceof Readable) body.on('error', () => {}).destroy();
}

/** A value as it is written, by the style `simple` of OpenAPI: one text, of Set-Cookie one for each. */
export function headerTexts(name: string, value: HeaderValue): string[] {
  if (value === undefined) return [];
  if (!(value instanceof Object)) return [String(value)];
  if (!Array.isArray(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return [members.flat().join()];
  }
  return name.toLowerCase() === 'set-cookie' ? value.map(String) : [value.join()];
}

/** Sends pieces at the client's pace, one in a turn of the event loop. The head goes with the first of them. */
async function stream(
  response: ServerResponse,
  pieces: AsyncIterable<string | Uint8Array>,
  begin: () => void,
): Promise<string | undefined> {
  const gone = new AbortController();
  const { socket } = response;
  let text: string | undefined = '';
  response.once('close', () => {
    gone.abort();
    // It may wait for a source that has nothing to give.
    if (pieces instanceof Readable) pieces.destroy();
  });
  try {
    for await (const piece of pieces) {
      if (gone.signal.aborted) return undefined;
      if (!response.headersSent) begin();
      const isKept: boolean = text !== undefined && text.length + piece.length <= LONGEST_KEPT;
      text = isKept && typeof piece === 'string' ? `${text}${piece}` : undefined;
      // node:http does not pass 'drain' on from a socket that asked for an upgrade.
      if (!response.write(piece)) await once(socket ?? response, 'drain', gone).catch(() => {});
      await fairTurn();
    }
  } catch (error) {
    if (gone.signal.aborted) return undefined;
    // The status is out: only a broken connection tells the client that the body is not whole.
    if (response.headersSent) response.destroy();
    throw error;
  }
  if (!response.headersSent) begin();
  response.end();
  return text;
}
