import type { IncomingMessage } from 'node:http';
import { ApiError, invalid } from '../errors.ts';
import { lossIn, type Numbers } from './exact-json.ts';
import type { Exchange } from './exchange.ts';
import { timesSent } from './target.ts';

const MOST_BYTES = 262_144;

/** The JSON value in the body of a request; anything else is refused. */
export async function readJson(exchange: Exchange, numbers: Numbers = 'exact'): Promise<unknown> {
  const { headers, rawHeaders } = exchange.request;
  const announced = Number(headers['content-length']);
  if (!headers['transfer-encoding'] && !(announced > 0)) throw invalid('/body', 'is required');
  const isTwice = timesSent(rawHeaders, 'content-type') > 1;
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
  return parseJson(await readBytes(exchange), numbers);
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
export async function readBytes(exchange: Exchange): Promise<Buffer> {
  exchange.body ??= await gather(exchange.request);
  return exchange.body;
}

function gather(request: IncomingMessage): Promise<Buffer> {
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
      reject(tooLarge());
    };
    request.on('data', add);
    request.on('end', () => {
      const [first, ...others] = chunks;
      resolve(first && others.length === 0 ? first : Buffer.concat(chunks, length));
    });
    // The client went away: nobody is left to answer, and nothing failed here.
    request.on('error', () => reject(invalid('/body', 'was cut short')));
  });
}

function tooLarge(): ApiError {
  const detail = `The body is larger than ${MOST_BYTES} bytes.`;
  return new ApiError('payload-too-large', { detail });
}

/** The value of a JSON text in UTF-8; one that JavaScript would not keep as it is written is refused. */
export function parseJson(bytes: Buffer, numbers: Numbers = 'exact'): unknown {
  const text = attempt(() => utf8.decode(bytes), 'is not valid UTF-8');
  if (text === '') throw invalid('/body', 'is required');
  const value: unknown = attempt(() => JSON.parse(text), 'is not valid JSON');
  const loss = lossIn(text, value, numbers);
  if (loss) throw invalid('/body', loss);
  return value;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function attempt<T>(make: () => T, fault: string): T {
  try {
    return make();
  } catch {
    throw invalid('/body', fault);
  }
}
