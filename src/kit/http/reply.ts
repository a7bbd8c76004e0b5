import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { carried } from './common-headers.ts';
import { fairTurn } from './fair-turn.ts';
import { writePlainly } from './plain-write.ts';

/** An answer as a value. */
export type AnyReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  /** The media type of the body; JSON when it is not said. */
  readonly type?: string | undefined;
  readonly body: string | AsyncIterable<string> | undefined;
};

/** One that is there as a whole. */
export type WholeReply = AnyReply & { readonly body: string | undefined };

const JSON_TYPE = 'application/json';

/** Writes a reply that is there as a whole, in one piece. */
export function sendWhole(
  response: ServerResponse,
  { status, headers, body, type = JSON_TYPE }: WholeReply,
): void {
  if (writePlainly(response, { status, headers, type, body })) return;
  const head = headOf(response, headers);
  if (body !== undefined) {
    head.push('Content-Type', type, 'Content-Length', Buffer.byteLength(body));
  }
  response.writeHead(status, head).end(body);
}

/** Writes a reply. One that comes in pieces goes out at the client's pace, others have their turn between. */
export async function send(
  response: ServerResponse,
  reply: AnyReply,
  withBody: boolean,
): Promise<void> {
  const { status, headers, body, type = JSON_TYPE } = reply;
  if (typeof body !== 'object') {
    sendWhole(response, { status, headers, body, type });
    return;
  }
  const head = headOf(response, headers);
  head.push('Content-Type', type);
  response.writeHead(status, head);
  if (withBody) await stream(response, body);
  response.end();
}

/** Names and values in turn, as node:http writes them without another look. */
function headOf(response: ServerResponse, headers: AnyReply['headers']): (string | number)[] {
  const head: (string | number)[] = carried(response);
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) head.push(name, value);
  }
  return head;
}

async function stream(response: ServerResponse, pieces: AsyncIterable<string>): Promise<void> {
  const gone = new AbortController();
  const { socket } = response;
  response.once('close', () => gone.abort());
  try {
    for await (const piece of pieces) {
      if (gone.signal.aborted) return;
      // The socket tells by itself: where a tunnel was asked for meanwhile, node:http no longer passes it on.
      // Its error is no failure: the response is closed then.
      if (!response.write(piece)) await once(socket ?? response, 'drain', gone).catch(() => {});
      await fairTurn();
    }
  } catch (error) {
    if (gone.signal.aborted) return;
    // The status is out: only a broken connection can say that the list is not whole.
    response.destroy();
    throw error;
  }
}
