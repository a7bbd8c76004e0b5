import { closeSync, constants, openSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a contract is read from: a file, or a pipe (`--openapi <(…)`). */
export async function contractBytes(file: URL): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    if (Object(error).code !== 'EISDIR') throw error;
    throw new Error(`${basename(fileURLToPath(file))} is a folder, expected a file`);
  }
}

/** What a regular file that a contract refers to holds, or why it cannot be read: a pipe or a device would keep the reader waiting. */
export function bytesOrFault(file: string): Buffer | string {
  try {
    if (statSync(file).isFile()) return bytesAtOnce(file);
  } catch (error) {
    if (Object(error).code === 'ENOENT') return 'which is not there; expected a file';
  }
  return 'expected a file that can be read';
}

/** Files of the kernel such as /proc/kmsg look regular, and would wait for what is not there yet. */
function bytesAtOnce(file: string): Buffer {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
