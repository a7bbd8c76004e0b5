export type Pair = readonly [name: string, value: string];

/** A request in good HTTP, whatever it says. */
export type WireRequest = {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Pair[];
  readonly body?: Buffer | undefined;
  /** The size of the chunks in which the body is sent; without it the body has a Content-Length. */
  readonly chunkSize?: number | undefined;
  readonly version?: string;
};

/** What is sent on a connection at a time. */
export type Exchange = {
  /** What it tries, for the count by kind. */
  readonly kind: string;
  /** Method and target of each request in it: as many answers are expected. */
  readonly requests: readonly Pick<WireRequest, 'method' | 'target'>[];
  readonly pieces: readonly Buffer[];
  /** Whether a piece is sent when something has come back for the one before it, or soon after it. */
  readonly pace: 'after an answer' | 'in turn';
  /**
   * The connection that is kept, or one of its own, whose sending side the client closes after the last
   * piece: at once, or when nothing comes back any more. What a server does with the end of a connection on
   * which it has still to refuse something depends on which it sees first.
   */
  readonly connection: 'kept' | 'closed at once' | 'closed when quiet';
};

/** Stand for the ETag and the Last-Modified that this server last gave for the same target. */
export const LAST_TAG = '{last-etag}';
export const LAST_DATE = '{last-modified}';

/** Some requests in one piece; all on one connection of their own, or on the one that is kept. */
export function inOnePiece(
  kind: string,
  requests: readonly WireRequest[],
  isAlone = false,
): Exchange {
  const pieces = [Buffer.concat(requests.map(encode))];
  const connection = isAlone ? 'closed at once' : 'kept';
  return { kind, requests, pieces, pace: 'in turn', connection };
}

/** Bytes of which only some may be requests, on a connection of their own. */
export function bytesAlone(kind: string, ...texts: (string | Buffer)[]): Exchange {
  const pieces = texts.map((text) =>
    typeof text === 'string' ? Buffer.from(text, 'latin1') : text,
  );
  const requests = [...(texts[0]?.toString('latin1') ?? '').matchAll(/^(\w+) (\S*) HTTP/gm)].map(
    ([, method = '', target = '']) => ({ method, target }),
  );
  return { kind, requests, pieces, pace: 'after an answer', connection: 'closed when quiet' };
}

export function encode(request: WireRequest): Buffer {
  const { method, target, headers, body, chunkSize, version = '1.1' } = request;
  const lines = [...headers, ...framing(request)].map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${target} HTTP/${version}\r\n${lines.join('')}\r\n`;
  const content = body && chunkSize !== undefined ? chunked(body, chunkSize) : body;
  return Buffer.concat([Buffer.from(head, 'latin1'), content ?? Buffer.alloc(0)]);
}

function framing({ body, chunkSize }: WireRequest): Pair[] {
  if (!body) return [];
  if (chunkSize !== undefined) return [['Transfer-Encoding', 'chunked']];
  return [['Content-Length', String(body.length)]];
}

function chunked(body: Buffer, size: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.subarray(at, at + size);
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}
