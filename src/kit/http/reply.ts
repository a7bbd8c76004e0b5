import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Exchange, Reply } from './exchange.ts';
import { fairTurn } from './fair-turn.ts';

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
  if (response.headersSent || response.destroyed) return undefined;
  const head: (string | number)[] = [...exchange.headers];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) head.push(name, value);
  }
  if (body === undefined) {
    response.writeHead(status, head).end();
    return '';
  }
  head.push('Content-Type', type);
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    head.push('Content-Length', Buffer.byteLength(body));
    response.writeHead(status, head).end(body);
    return typeof body === 'string' ? body : undefined;
  }
  response.writeHead(status, head);
  // The iterator of a body that nobody reads is never started.
  return exchange.method === 'HEAD' ? void response.end() : stream(response, body);
}

/** Sends pieces at the client's pace, one in a turn of the event loop. */
async function stream(
  response: ServerResponse,
  pieces: AsyncIterable<string>,
): Promise<string | undefined> {
  const gone = new AbortController();
  const { socket } = response;
  let text: string | undefined = '';
  response.once('close', () => gone.abort());
  try {
    for await (const piece of pieces) {
      if (gone.signal.aborted) return undefined;
      if (text !== undefined)
        text = text.length + piece.length > LONGEST_KEPT ? undefined : text + piece;
      // node:http does not pass 'drain' on from a socket that asked for an upgrade.
      if (!response.write(piece)) await once(socket ?? response, 'drain', gone).catch(() => {});
      await fairTurn();
    }
  } catch (error) {
    if (gone.signal.aborted) return undefined;
    // The status is out: only a broken connection tells the client that the body is not whole.
    response.destroy();
    throw error;
  }
  response.end();
  return text;
}
