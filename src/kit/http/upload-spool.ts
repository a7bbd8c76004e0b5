import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ApiError, invalid } from '../errors.ts';

/** A file of a form. It can be read until the exchange is over. */
export type UploadedFile = {
  /** Its name as the client gives it, without folders; empty where it gives none. */
  readonly name: string;
  readonly mediaType: string;
  /** In bytes. */
  readonly size: number;
  stream(): Readable;
  bytes(): Promise<Buffer>;
};

/** Stores bytes, and gives what reads them. */
export type Spool = (
  pieces: AsyncIterable<Buffer>,
) => Promise<Omit<UploadedFile, 'name' | 'mediaType'>>;

/**
 * Holds the files of one request on disk, all in one temporary file, which is removed as soon as it is open: also a
 * process that is killed leaves nothing. It is closed when the response is.
 */
export function createSpool(response: ServerResponse): Spool {
  let opening: Promise<FileHandle> | undefined;
  let writing: Promise<void> | undefined;
  let length = 0;
  const reading = new Set<Readable>();

  response.once('close', async () => {
    for (const stream of reading) stream.destroy(over());
    // The number of a file that is closed during a write may be that of another file by then.
    await writing?.catch(() => {});
    await opening?.then((handle) => handle.close()).catch(() => {});
  });

  async function write(piece: Buffer): Promise<void> {
    opening ??= openNameless();
    const handle = await opening;
    for (let done = 0; done < piece.length; ) {
      const { bytesWritten } = await handle.write(piece, done, piece.length - done, length);
      done += bytesWritten;
      length += bytesWritten;
    }
  }

  return async (pieces) => {
    const start = length;
    for await (const piece of pieces) {
      // Nobody is left to answer, and what is opened now would stay open.
      if (response.closed) throw invalid('/body', 'was cut short');
      writing = write(piece);
      await writing.catch((cause: unknown) => {
        throw new ApiError('unavailable', { cause });
      });
    }
    const end = length;
    const size = end - start;
    const handle = size === 0 ? undefined : await opening;
    const stream = () => {
      if (response.closed) throw over();
      if (!handle) return Readable.from([]);
      const stream = handle.createReadStream({ start, end: end - 1, autoClose: false });
      reading.add(stream);
      // Without a listener the failure of a stream that nobody reads would end the process.
      return stream.once('end', () => reading.delete(stream)).on('error', () => {});
    };
    return { size, stream, bytes: async () => buffer(stream()) };
  };
}

/** No failure of the server: the client has gone, or has been answered. */
function over(): ApiError {
  return new ApiError('invalid-request', {
    detail: 'The exchange is over, and its files are gone.',
  });
}

async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'upload-'));
  try {
    return await open(join(folder, 'files'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
}
