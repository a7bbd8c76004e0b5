import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { ApiError, invalid } from '../errors.ts';
import { lossIn, type Numbers } from './exact-json.ts';
import type { Exchange } from './exchange.ts';
import { expectsContinue } from './request-check.ts';
import { timesSent } from './target.ts';

/** The most bytes of a body that is held in memory. */
export const MOST_BYTES = 262_144;
/** The most bytes of a body with files, or of one that is streamed, unless a setting says otherwise. */
export const defaultUploadLimit = 10_485_760;

/** The bytes of a body that is JSON; any other is refused. */
export function readJsonBytes(exchange: Exchange): Promise<Buffer> {
  const { headers, rawHeaders } = exchange.request;
  if (!hasBody(exchange.request)) throw invalid('/body', 'is required');
  const isTwice = timesSent(rawHeaders, 'content-type') > 1;
  if (isTwice || !isJson(headers['content-type'] ?? '')) {
    throw invalid('/headers/content-type', 'must be application/json in UTF-8');
  }
  return readWhole(exchange);
}

/** Whether a request announces a body that is not empty. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}

/** The bytes of a body that is held in memory; one that is encoded or too large is refused. */
export function readWhole(exchange: Exchange): Promise<Buffer> {
  checkTransfer(exchange.request, MOST_BYTES);
  return readBytes(exchange);
}

function checkTransfer({ headers }: IncomingMessage, most: number): void {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw invalid('/headers/content-encoding', 'must not be set: bodies are sent as they are');
  }
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
    throw invalid('/headers/transfer-encoding', 'must be chunked, if anything');
  }
  if (Number(headers['content-length']) > most) throw tooLarge(most);
}

/**
 * The bytes of a body as they arrive, at the reader's pace. After as many as the exchange admits, the stream
 * fails with the refusal. What is not read when the exchange is over is discarded.
 */
export function bodyStream(exchange: Exchange): Readable {
  const { request, response, uploadLimit: most } = exchange;
  checkTransfer(request, most);
  let length = 0;
  let isStarted = false;
  const stream = new Readable({
    read() {
      if (!isStarted) start();
      request.resume();
    },
    destroy(error, done) {
      request.off('data', take);
      // An unread rest would block the connection.
      request.resume();
      done(error);
    },
  });
  function start(): void {
    isStarted = true;
    askForBody(exchange);
    request.on('data', take);
    if (request.readableEnded) stream.push(null);
    else request.once('end', () => stream.push(null));
  }
  function take(chunk: Buffer): void {
    length += chunk.length;
    if (length > most) stream.destroy(tooLarge(most));
    else if (!stream.push(chunk)) request.pause();
  }
  // Also where the body has arrived: what is left of it cannot be read any more.
  response.once('close', () => stream.destroy(invalid('/body', 'was cut short')));
  // Without a listener the failure of a stream that nobody reads would end the process.
  stream.on('error', () => {});
  return stream;
}

function isJson(contentType: string): boolean {
  const [mediaType, ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  return (
    mediaType === 'application/json' &&
    parameters.every((each) => !each.startsWith('charset') || /^charset="?utf-?8"?$/.test(each))
  );
}

/** Whether a request announces a JSON body of a size to be read, without any other claim about it. */
export function isPlainJson({ headers, rawHeaders }: IncomingMessage): boolean {
  const length = Number(headers['content-length']);
  return (
    headers['content-type'] === 'application/json' &&
    timesSent(rawHeaders, 'content-type') === 1 &&
    headers['content-encoding'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    length > 0 &&
    length <= MOST_BYTES
  );
}

/** Reads the body whole. It is kept in the exchange, so that it can be asked for again. */
export function readBytes(exchange: Exchange): Promise<Buffer> {
  const { request, body } = exchange;
  if (body) return Promise.resolve(body);
  askForBody(exchange);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const add = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= MOST_BYTES) return;
      // The rest is discarded.
      request.off('data', add).resume();
      chunks.length = 0;
      reject(tooLarge(MOST_BYTES));
    };
    request.on('data', add);
    request.on('end', () => {
      const [first, ...others] = chunks;
      exchange.body = first && others.length === 0 ? first : Buffer.concat(chunks, length);
      resolve(exchange.body);
    });
    // The client went away: nobody is left to answer, and nothing failed here.
    request.on('error', () => reject(invalid('/body', 'was cut short')));
  });
}

/**
 * Only when it is read: a client that waits to be asked need not send what is refused without it. After the head of
 * the response it would stand within the response.
 */
function askForBody({ request, response }: Exchange): void {
  if (expectsContinue(request) && !response.headersSent) response.writeContinue();
}

export function tooLarge(most: number): ApiError {
  return new ApiError('payload-too-large', { detail: `The body is larger than ${most} bytes.` });
}

/** The value of a JSON text in UTF-8; one that JavaScript would not keep as it is written is refused. */
export function parseJson(bytes: Buffer, numbers: Numbers = 'exact', at = '/body'): unknown {
  return jsonOf(jsonText(bytes, at), numbers, at);
}

/** A JSON text in UTF-8. */
export function jsonText(bytes: Buffer, at = '/body'): string {
  const text = attempt(() => utf8.decode(bytes), at, 'is not valid UTF-8');
  if (text === '') throw invalid(at, 'is required');
  return text;
}

/** The text of bytes in UTF-8, a byte order mark included. */
export function parseText(bytes: Uint8Array, at = '/body'): string {
  return attempt(() => exactUtf8.decode(bytes), at, 'is not valid UTF-8');
}

export function jsonOf(text: string, numbers: Numbers = 'exact', at = '/body'): unknown {
  const value: unknown = attempt(() => JSON.parse(text), at, 'is not valid JSON');
  const loss = lossIn(text, value, numbers);
  if (loss) throw invalid(at, loss);
  return value;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const exactUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function attempt<T>(make: () => T, at: string, fault: string): T {
  try {
    return make();
  } catch {
    throw invalid(at, fault);
  }
}
