import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';

/**
 * Copies a database that may be in use, as it is at one moment, into a new file. The file has its name when it
 * is whole, checked and on disk; one that is aborted leaves nothing. Resolves with its number of pages.
 */
export async function backUpSqlite(
  file: string,
  out: string,
  signal?: AbortSignal,
): Promise<number> {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  // Of a link to nothing the link itself is there.
  if (lstatSync(out, { throwIfNoEntry: false })) throw overwrites(out);
  if (!existsSync(dirname(out))) throw new Error(`there is no folder ${dirname(out)}`);
  const draft = `${out}.${randomUUID()}.draft`;
  try {
    closeSync(openSync(draft, 'wx', 0o600));
    const pages = await copyMoment(file, draft, signal);
    requireIntact(draft);
    // Whoever may not read the database may not read its copy.
    chmodSync(draft, statSync(file).mode & 0o777);
    flush(draft);
    name(draft, out);
    flush(dirname(out));
    return pages;
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${draft}${end}`, { force: true });
  }
}

/** Unlike a rename it fails where another has made the file meanwhile. */
function name(draft: string, out: string): void {
  try {
    linkSync(draft, out);
  } catch (error) {
    throw Object(error).code === 'EEXIST' ? overwrites(out) : error;
  }
}

function overwrites(out: string): Error {
  return new Error(`${out} is there already: a backup overwrites nothing`);
}

async function copyMoment(file: string, draft: string, signal?: AbortSignal): Promise<number> {
  const source = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    // Without a transaction each write of others would make SQLite begin again.
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    return await backup(source, draft, { progress: () => signal?.throwIfAborted() });
  } finally {
    source.close();
  }
}

function requireIntact(file: string): void {
  const copy = new DatabaseSync(file);
  try {
    const finding = copy.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
    if (finding !== 'ok')
      throw new Error(`the copy is damaged, and so may be the database: ${finding}`);
  } finally {
    copy.close();
  }
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
