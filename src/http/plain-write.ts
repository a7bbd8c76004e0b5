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

/** What node:http keeps of the head of an answer: its text, and whether that is out. */
type Headed = ServerResponse & { _header: string; _headerSent: boolean };

const { writeHead, end } = ServerResponse.prototype;
// An answer with one of these has no body, and no header says so.
const BODILESS = new Set([204, 304]);
const NOT_IN_A_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Writes an answer byte for byte as node:http would, without most of its work; says whether it did. It does
 * where there is nothing to decide: the connection stays open, and nobody else has a hand in the answer.
 */
export function writePlainly(response: ServerResponse, whole: Whole): boolean {
  const { socket } = response;
  if (!socket?.writable || !isUntouched(response) || !staysOpen(response)) return false;
  if (whole.body === undefined && !BODILESS.has(whole.status)) return false;
  const head = headOf(response, whole);
  if (head === undefined) return false;
  const headed = response as Headed;
  headed.statusCode = whole.status;
  headed._header = head;
  headed._headerSent = true;
  socket.write(whole.body === undefined ? head : head + whole.body);
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
  return (
    shouldKeepAlive &&
    request.method !== 'HEAD' &&
    request.httpVersionMinor === 1 &&
    request.headers.expect === undefined
  );
}

/** The head; undefined when a value cannot stand in it, which node:http is left to say. */
function headOf(
  response: ServerResponse,
  { status, headers, type, body }: Whole,
): string | undefined {
  let text = statusLine(status) + carriedLines(response);
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    if (typeof value === 'string' && NOT_IN_A_VALUE.test(value)) return undefined;
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
