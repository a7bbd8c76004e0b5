import { Buffer } from 'node:buffer';
import { ServerResponse, STATUS_CODES } from 'node:http';
import { carriedLines, headerLine } from './common-headers.ts';

/** An answer that is there as a whole. */
type Whole = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly type: string;
  readonly body: string | undefined;
};

/** What node:http keeps of an answer: the text of its head, whether that is out, and whether a body may follow. */
type Headed = ServerResponse & {
  _header: string;
  _headerSent: boolean;
  readonly _hasBody: boolean;
};

const { writeHead, end } = ServerResponse.prototype;
// An answer with one of these has no body, and no header says so.
const BODILESS = new Set([204, 304]);
// Beyond ASCII the encoding depends on the body.
const NOT_PLAIN = /[^\t\x20-\x7e]/;

/**
 * Writes an answer byte for byte as node:http would, without most of its work; says whether it did. It does
 * where there is nothing to decide: the connection stays open, and nobody else has a hand in the answer.
 */
export function writePlainly(response: ServerResponse, whole: Whole): boolean {
  const { socket } = response;
  if (!socket?.writable || !isUntouched(response) || !staysOpen(response)) return false;
  if ((whole.body === undefined) !== BODILESS.has(whole.status)) return false;
  const headed = response as Headed;
  // Others may have taken HEAD for GET meanwhile; this is of the request as it came.
  if (!headed._hasBody) return false;
  const head = headOf(response, whole);
  if (head === undefined) return false;
  headed.statusCode = whole.status;
  headed._header = head;
  headed._headerSent = true;
  socket.write(whole.body === undefined ? head : head + whole.body);
  // With its head out there is nothing left to send: it is over when the connection has taken all of it.
  response.end();
  return true;
}

function isUntouched(response: ServerResponse): boolean {
  return (
    response.writeHead === writeHead &&
    response.end === end &&
    !response.headersSent &&
    response.getHeaderNames().length === 0
  );
}

function staysOpen({ shouldKeepAlive, req: request }: ServerResponse): boolean {
  return shouldKeepAlive && request.httpVersionMinor === 1 && request.headers.expect === undefined;
}

/** The head; undefined when there is something in a value that node:http is to judge. */
function headOf(
  response: ServerResponse,
  { status, headers, type, body }: Whole,
): string | undefined {
  let text = statusLine(status) + carriedLines(response);
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    if (typeof value === 'string' && NOT_PLAIN.test(value)) return undefined;
    text += headerLine(name, value);
  }
  if (body !== undefined) {
    text += `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  }
  return `${text}Date: ${date()}\r\nConnection: keep-alive\r\n\r\n`;
}

const statusLines = new Map<number, string>();

function statusLine(status: number): string {
  const known = statusLines.get(status);
  if (known !== undefined) return known;
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  statusLines.set(status, line);
  return line;
}

let second: string | undefined;

/** The time as HTTP writes it, which is the same for a second. */
function date(): string {
  if (second !== undefined) return second;
  const now = new Date();
  const text = now.toUTCString();
  second = text;
  const forget = () => {
    second = undefined;
  };
  setTimeout(forget, 1000 - now.getMilliseconds()).unref();
  return text;
}
