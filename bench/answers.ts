/** An answer as it came over the wire; the body only where somebody wants to see it. */
export type Answer = { readonly status: number; readonly head: string; readonly body: string };

const LINE_END = '\r\n';
const HEAD_END = LINE_END + LINE_END;

/**
 * Reads the answers of one connection, as cheaply as can be: the client shares its machine with the
 * server. Knows Content-Length and chunks, and nothing of what these servers do not send.
 */
export function createReader(keepsBody: () => boolean, onAnswer: (answer: Answer) => void) {
  let awaited: 'head' | 'size' | 'content' = 'head';
  let held: Buffer | undefined;
  let head = '';
  let isChunked = false;
  /** Whether the answer ends with the content that is being read. */
  let isLast = false;
  /** Bytes to come of the content, and how many of them, at its end, do not belong to the body. */
  let left = 0;
  let trailing = 0;
  let kept: Buffer[] = [];

  /** Where to read on, after the head that begins here; -1 when it is not complete. */
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

  /** Where to read on, after the size of a chunk that begins here; -1 when it is not complete. */
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
    onAnswer({ status: Number(head.slice(9, 12)), head, body });
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
