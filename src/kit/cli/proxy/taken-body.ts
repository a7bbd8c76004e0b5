import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import { MOST_BYTES } from '../../http/body.ts';

/** The start of a body that is passed on: at most as many bytes as are checked. */
export type Taken = {
  /** All of it, once it has ended; undefined where it is longer. */
  whole(): Buffer | undefined;
};

/** Looks at the bytes that a stream gives to its reader. */
export function take(stream: Readable): Taken {
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= MOST_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  });
  return { whole: () => (length > MOST_BYTES ? undefined : Buffer.concat(chunks, length)) };
}

/** Reads a stream until it ends, or has given more than is checked; then it is paused. */
export function readStart(stream: Readable): Promise<{ bytes: Buffer; isWhole: boolean }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const done = (isWhole: boolean) => {
      stream.off('data', add).off('end', end).off('error', fail).off('close', fail);
      resolve({ bytes: Buffer.concat(chunks, length), isWhole });
    };
    const add = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= MOST_BYTES) return;
      stream.pause();
      done(false);
    };
    const end = () => done(true);
    const fail = () => reject(new Error('the body was cut short'));
    stream.on('data', add).on('end', end).on('error', fail).on('close', fail);
  });
}

const decoders: Readonly<
  Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>
> = {
  identity: async (bytes) => bytes,
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};

/** The bytes of a body without its codings, or why they are not there. */
export async function decoded(
  bytes: Buffer | undefined,
  headers: IncomingHttpHeaders,
): Promise<Buffer | 'too long' | 'undecodable'> {
  const codings = [...namesIn(headers['content-encoding']), ...transferCodings(headers)];
  let plain = bytes;
  // They are listed in the order in which they were applied.
  for (const name of codings.toReversed()) {
    if (!plain || plain.length === 0) break;
    const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
    if (!decode) return 'undecodable';
    try {
      plain = await decode(plain, { maxOutputLength: MOST_BYTES });
    } catch (error) {
      return Object(error).code === 'ERR_BUFFER_TOO_LARGE' ? 'too long' : 'undecodable';
    }
  }
  return plain ?? 'too long';
}

/** Whether an answer is a stream of events, which may have nothing to tell for any time. */
export function isEndless({ headers }: IncomingMessage): boolean {
  return /^text\/event-stream|^multipart\/mixed/.test(headers['content-type'] ?? '');
}

/** What was done to a body besides cutting it into chunks. */
export function transferCodings(headers: IncomingHttpHeaders): string[] {
  return namesIn(headers['transfer-encoding']).filter((name) => name !== 'chunked');
}

function namesIn(list = ''): string[] {
  const names = list.split(',').map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== '');
}
