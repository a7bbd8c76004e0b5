import { connect, type Socket } from 'node:net';

/** An answer, or how it failed to come. */
export type Outcome =
  | { readonly status: number; readonly head: string; readonly body: string }
  /** Nobody listens; the connection broke before an answer; it broke within one. */
  | { readonly status: 'refused' | 'reset' | 'truncated' };

export type Client = {
  send(method: string, path: string, body?: string): Promise<Outcome>;
  close(): void;
};

/** A client on one keep-alive connection, opened again when the server has asked it to close. */
export function createClient(url: string): Client {
  const { port, hostname } = new URL(url);
  let socket: Socket | undefined;
  let settle: ((outcome: Outcome) => void) | undefined;
  let chunks: Buffer[] = [];

  function finish(outcome: Outcome): void {
    const resolve = settle;
    settle = undefined;
    chunks = [];
    resolve?.(outcome);
  }

  function open(): Socket {
    const opened = connect(Number(port), hostname);
    opened.setNoDelay(true);
    let isConnected = false;
    opened.once('connect', () => {
      isConnected = true;
    });
    opened.on('data', (chunk) => {
      chunks.push(chunk);
      const answer = wholeAnswer(chunks);
      if (!answer) return;
      if (/\r\nconnection: close/i.test(answer.head)) socket = undefined;
      finish(answer);
    });
    const gone = () => {
      if (socket === opened) socket = undefined;
      if (!settle || (socket && socket !== opened)) return;
      finish({ status: !isConnected ? 'refused' : chunks.length > 0 ? 'truncated' : 'reset' });
    };
    opened.on('error', gone);
    opened.on('close', gone);
    return opened;
  }

  return {
    send(method, path, body) {
      socket ??= open();
      const type = body === undefined ? '' : 'Content-Type: application/json\r\n';
      const length = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\n${type}${length}\r\n${body ?? ''}`);
      return new Promise((resolve) => {
        settle = resolve;
      });
    },
    close: () => void socket?.destroy(),
  };
}

const END_OF_CHUNKS = '\r\n0\r\n\r\n';

/** The answer, once all of it is there. */
function wholeAnswer(chunks: readonly Buffer[]) {
  const first = chunks[0]?.toString('latin1') ?? '';
  const bytes = first.includes('\r\n\r\n') ? undefined : Buffer.concat(chunks).toString('latin1');
  const start = bytes ?? first;
  const end = start.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = start.slice(0, end);
  const status = Number(head.slice(9, 12));
  const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const length = head.match(/\r\ncontent-length: (\d+)/i)?.[1];
  if (length !== undefined && total < end + 4 + Number(length)) return undefined;
  if (length === undefined && status !== 204 && status !== 304) {
    const tail = Buffer.concat(chunks.slice(-2)).subarray(-END_OF_CHUNKS.length);
    if (tail.toString('latin1') !== END_OF_CHUNKS) return undefined;
  }
  const body = Buffer.concat(chunks).subarray(end + 4);
  return { status, head, body: body.toString('utf8') };
}

/** Whether a refusal is as the contract has it: JSON in the one shape, with a time to come back. */
export function isWellFormed({
  head,
  body,
  status,
}: Exclude<Outcome, { status: string }>): boolean {
  try {
    const { type, title, status: said, detail, errors } = JSON.parse(body);
    const isProblem = [type, title, detail].every((each) => typeof each === 'string');
    const isGraphql = typeof errors?.[0]?.extensions?.code === 'string';
    const hasTime = status !== 503 || /\r\nretry-after: \d+/i.test(head);
    return ((isProblem && said === status) || isGraphql) && hasTime;
  } catch {
    return false;
  }
}

/**
 * Asks for one record again and again, as somebody who has nothing to do with it all: on one connection, or each
 * time on a new one, behind all others that wait to be accepted.
 */
export function startBystander(url: string, path = '/books/1', isNewcomer = false) {
  let client = createClient(url);
  const other = new Map<string, number>();
  let longest = 0;
  let answered = 0;
  let isOver = false;
  const done = (async () => {
    while (!isOver) {
      const start = performance.now();
      const { status } = await client.send('GET', path);
      longest = Math.max(longest, performance.now() - start);
      if (status === 200) answered++;
      else other.set(String(status), (other.get(String(status)) ?? 0) + 1);
      if (isNewcomer) {
        client.close();
        client = createClient(url);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return async () => {
    isOver = true;
    await done;
    client.close();
    return { longest, answered, other };
  };
}
