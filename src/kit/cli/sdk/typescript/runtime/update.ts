import type { Reply } from './call.js';
import { ApiError } from './errors.js';

const ATTEMPTS = 10;

/** Reads, changes and writes back; when somebody else has written meanwhile, all of it again. */
export async function update<Read, Written>(
  read: () => Promise<Reply<Read, { readonly etag: string }>>,
  write: (input: Written, etag: string) => Promise<Read>,
  change: (current: Read) => Written | Promise<Written>,
): Promise<Read> {
  for (let attempt = 1; ; attempt++) {
    const { data, headers } = await read();
    try {
      return await write(await change(data), headers.etag);
    } catch (error) {
      const isStale = error instanceof ApiError && error.status === 412;
      if (!isStale || attempt === ATTEMPTS) throw error;
    }
  }
}
