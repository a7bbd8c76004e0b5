/** An answer to the byte: header lines as they were written, a chunked body with its chunks. */
export type Answer = {
  readonly statusLine: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
};

export type Reading = {
  readonly answers: readonly Answer[];
  /** Whether each request was answered. */
  readonly isComplete: boolean;
  /** How many bytes there must be before another look can find more. */
  readonly needs: number;
  /** What came besides. */
  readonly rest: Buffer;
};

/** Reads the answers to requests of these methods; interim ones are answers too. At the end all is read. */
export function readAnswers(bytes: Buffer, methods: readonly string[], isEnded: boolean): Reading {
  const answers: Answer[] = [];
  let at = 0;
  let answered = 0;
  while (answered < methods.length || (isEnded && at < bytes.length)) {
    const head = headAt(bytes, at);
    const end = head && endOfBody(bytes, head, methods[answered], isEnded);
    if (!head || end === undefined || end > bytes.length) {
      const needs = end ?? bytes.length + 1;
      return { answers, isComplete: false, needs, rest: bytes.subarray(at) };
    }
    answers.push({ ...head, body: bytes.subarray(head.end, end) });
    at = end;
    if (!isInterim(head.statusLine)) answered++;
  }
  return { answers, isComplete: true, needs: 0, rest: bytes.subarray(at) };
}

export function isInterim(statusLine: string): boolean {
  return / 1\d\d /.test(statusLine);
}

/** The values of a header, by its name in small letters. */
export function valuesOf(headers: readonly string[], name: string): string[] {
  return headers
    .filter((line) => line.toLowerCase().startsWith(`${name}:`))
    .map((line) => line.slice(name.length + 1).trim());
}

type Head = Omit<Answer, 'body'> & { readonly end: number };

function headAt(bytes: Buffer, at: number): Head | undefined {
  const end = bytes.indexOf('\r\n\r\n', at);
  if (end < 0) return undefined;
  const [statusLine = '', ...headers] = bytes.toString('latin1', at, end).split('\r\n');
  return { statusLine, headers, end: end + 4 };
}

/** RFC 9112, 6.3; undefined when it is not known yet. */
function endOfBody(
  bytes: Buffer,
  { statusLine, headers, end }: Head,
  method: string | undefined,
  isEnded: boolean,
): number | undefined {
  if (method === 'HEAD' || / (1\d\d|204|304) /.test(statusLine)) return end;
  if (valuesOf(headers, 'transfer-encoding').length > 0) return endOfChunks(bytes, end);
  const [length] = valuesOf(headers, 'content-length');
  if (length !== undefined) return end + Number(length);
  return isEnded ? bytes.length : undefined;
}

function endOfChunks(bytes: Buffer, start: number): number | undefined {
  let at = start;
  for (;;) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    if (!(size > 0)) {
      // No trailers are expected.
      return line + 4;
    }
    at = line + 2 + size + 2;
    if (at > bytes.length) return at;
  }
}
