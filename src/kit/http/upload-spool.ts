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

  response.once('close', async () => {
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
      return (
        handle?.createReadStream({ start, end: end - 1, autoClose: false }) ?? Readable.from([])
      );
    };
    return { size, stream, bytes: async () => buffer(stream()) };
  };
}

function over(): Error {
  return new Error('the exchange is over, and its files are gone');
}

async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'upload-'));
  try {
    return await open(join(folder, 'files'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
}
