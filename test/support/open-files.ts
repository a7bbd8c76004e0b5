import { readdirSync, readlinkSync } from 'node:fs';

/** The files of a folder that this process has open. */
export function openFiles(folder: string): string[] {
  const all = readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      // The one that the list was read by.
      return [];
    }
  });
  return all.filter((path) => path.startsWith(folder));
}
