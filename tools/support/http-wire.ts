/** `head` is the status line and the headers; `body` is empty where it was not kept. */
export type HttpResponse = {
  readonly status: number;
  readonly head: string;
  readonly body: string;
};

const LINE_END = '\r\n';
const HEAD_END = LINE_END + LINE_END;

/** A request as it is sent; a body is JSON. */
export function requestText(method: string, path: string, body?: string): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n`;
  if (body === undefined) return `${head}\r\n`;
  const length = Buffer.byteLength(body);
  return `${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

type ReaderOptions = {
  readonly keepsBody: () => boolean;
  readonly onResponse: (response: HttpResponse) => void;
};

/**
 * Parses the responses of one connection from its bytes. Faster than node:http, because a load generator shares
 * the machine with the server it measures: Content-Length and chunks, no trailers, no HEAD, no 1xx.
 */
export function createReader({ keepsBody, onResponse }: ReaderOptions) {
  let awaited: 'head' | 'size' | 'content' = 'head';
  let held: Buffer | undefined;
  let head = '';
  let isChunked = false;
  /** Whether the response ends with the content that is being read. */
  let isLast = false;
  /** Bytes left of the content, and how many at its end are not part of the body. */
  let left = 0;
  let trailing = 0;
  let kept: Buffer[] = [];

  /** The position after the head; -1 when it is incomplete. */
  function readHead(data: Buffer, at: number): number {
    const end = data.indexOf(HEAD_END, at);
    if (end < 0) return -1;
    head = data.toString('latin1', at, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head);
    isChunked = !length && /\r\ntransfer-encoding: *chunked/i.test(head);
    awaited = isChunked ? 'size' : 'content';
    isLast = !isChunked;
    left = length ? Number(length[1]) : 0;
    trailing = 0;
    return end + HEAD_END.length;
  }

  /** The position after the chunk's size; -1 when it is incomplete. */
  function readSize(data: Buffer, at: number): number {
    const end = data.indexOf(LINE_END, at);
    if (end < 0) return -1;
    const size = Number.parseInt(data.toString('latin1', at, end), 16);
    awaited = 'content';
    isLast = size === 0;
    trailing = LINE_END.length;
    left = size + trailing;
    return end + LINE_END.length;
  }

  function readContent(data: Buffer, at: number): number {
    const end = at + Math.min(left, data.length - at);
    if (keepsBody()) kept.push(data.subarray(at, Math.min(end, at + left - trailing)));
    left -= end - at;
    if (left === 0) {
      awaited = isLast ? 'head' : 'size';
      if (isLast) finish();
    }
    return end;
  }

  function finish(): void {
    const body = kept.length > 0 ? Buffer.concat(kept).toString() : '';
    kept = [];
    onResponse({ status: Number(head.slice(9, 12)), head, body });
  }

  return (received: Buffer): void => {
    const data = held ? Buffer.concat([held, received]) : received;
    held = undefined;
    let at = 0;
    while (at < data.length || (awaited === 'content' && left === 0)) {
      const read = { head: readHead, size: readSize, content: readContent }[awaited];
      const next = read(data, at);
      if (next < 0) {
        held = data.subarray(at);
        return;
      }
      at = next;
    }
  };
}
