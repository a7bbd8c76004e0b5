import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';

/** An answer as a value. */
export type AnyReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  /** The media type of the body; JSON when it is not said. */
  readonly type?: string | undefined;
  readonly body: string | AsyncIterable<string> | undefined;
};

/** Writes a reply. One that comes in pieces goes out at the client's pace, others have their turn between. */
export async function send(
  response: ServerResponse,
  reply: AnyReply,
  withBody: boolean,
): Promise<void> {
  const { status, body } = reply;
  const headers = Object.entries(reply.headers).flat();
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  headers.push('Content-Type', reply.type ?? 'application/json');
  if (typeof body === 'string') {
    headers.push('Content-Length', Buffer.byteLength(body));
    response.writeHead(status, headers).end(body);
    return;
  }
  response.writeHead(status, headers);
  if (withBody) await stream(response, body);
  response.end();
}

async function stream(response: ServerResponse, pieces: AsyncIterable<string>): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    for await (const piece of pieces) {
      if (gone.signal.aborted) return;
      if (response.write(piece)) await setImmediate();
      else await once(response, 'drain', { signal: gone.signal });
    }
  } catch (error) {
    if (gone.signal.aborted) return;
    // The status is out: only a broken connection can say that the list is not whole.
    response.destroy();
    throw error;
  }
}
