import { IncomingMessage } from 'node:http';
import { ApiError, invalid } from '../errors.ts';
import { lossIn, type Numbers } from './exact-json.ts';
import { timesSent } from './target.ts';

const MOST_BYTES = 262_144;

/** The JSON value in the body of a request; anything else is refused. */
export async function readJson(
  request: IncomingMessage,
  numbers: Numbers = 'exact',
): Promise<unknown> {
  const { headers } = request;
  const announced = Number(headers['content-length']);
  if (!headers['transfer-encoding'] && !(announced > 0)) throw invalid('/body', 'is required');
  const isTwice = timesSent(request.rawHeaders, 'content-type') > 1;
  if (isTwice || !isJson(headers['content-type'] ?? '')) {
    throw invalid('/headers/content-type', 'must be application/json in UTF-8');
  }
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw invalid('/headers/content-encoding', 'must not be set: bodies are sent as they are');
  }
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
    throw invalid('/headers/transfer-encoding', 'must be chunked, if anything');
  }
  if (announced > MOST_BYTES) throw tooLarge();
  return parseJson(await readBytes(request), numbers);
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

/** Whether a request says, in the plainest words, that it has a JSON body of a size to be read. */
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

type Bodied = IncomingMessage & {
  bytes?: Promise<Buffer>;
  /** How node:http itself ends a request without a body, where `optimizeEmptyRequests` is set. */
  _dumpAndCloseReadable?(): void;
};

/** Reads the body whole. It comes once: whoever asks again is given the same bytes. */
export function readBytes(request: Bodied): Promise<Buffer> {
  request.bytes ??= gather(request);
  return request.bytes;
}

function gather(request: Bodied): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const add = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= MOST_BYTES) return;
      // What comes after the limit is left to node:http, which discards it.
      request.push = IncomingMessage.prototype.push;
      request.off('data', add).resume();
      chunks.length = 0;
      reject(tooLarge());
    };
    const end = () => {
      const [first, ...others] = chunks;
      resolve(first && others.length === 0 ? first : Buffer.concat(chunks, length));
    };
    // The client went away: nobody is left to answer, and nothing failed here.
    request.on('error', () => reject(invalid('/body', 'was cut short')));
    if (isYetToCome(request)) take(request, add, end);
    else request.on('data', add).on('end', end);
  });
}

/** Whether nothing of a body is in the stream, and nobody else listens to the parser. */
function isYetToCome(request: Bodied): request is Required<Bodied> {
  const { complete, readableLength, push, _dumpAndCloseReadable } = request;
  const isPlain = push === IncomingMessage.prototype.push && _dumpAndCloseReadable !== undefined;
  return isPlain && !complete && readableLength === 0;
}

/** Takes a body as the parser gives it: the way through a stream, which nobody else reads, is long. */
function take(request: Required<Bodied>, add: (chunk: Buffer) => void, end: () => void): void {
  const push = (chunk: Buffer | null) => {
    if (chunk) {
      add(chunk);
    } else {
      request._dumpAndCloseReadable();
      end();
    }
    return true;
  };
  // Where a function is written as it is assigned, V8 takes it for a method, and keeps it and all that it
  // refers to with what lives long.
  request.push = push;
}

function tooLarge(): ApiError {
  const detail = `The body is larger than ${MOST_BYTES} bytes.`;
  return new ApiError('payload-too-large', { detail });
}

/** The value of a JSON text in UTF-8; one that would not be kept as it is written is refused. */
export function parseJson(bytes: Buffer, numbers: Numbers = 'exact'): unknown {
  const text = decode(bytes);
  if (text === '') throw invalid('/body', 'is required');
  const value = parsed(text);
  const loss = lossIn(text, value, numbers);
  if (loss) throw invalid('/body', loss);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('/body', 'is not valid JSON');
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid('/body', 'is not valid UTF-8');
  }
}
