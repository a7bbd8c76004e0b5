import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

// The check takes about 1 ms per cached megabyte. A larger file is not checked: a damaged page is 503 when
// it is read.
const LARGEST_CHECKED = 512_000_000;
// How many milliseconds a start waits for another process's lock, which may be migrating.
const PATIENCE_AT_START = 10_000;
// SQLite's result codes for a file that is malformed or not a database.
const DAMAGED = new Set([11, 26]);

/** Opens a file; a damaged one is refused. */
export function openIntact(file: string): DatabaseSync {
  const { database, finding } = openAndLook(file);
  if (finding === 'ok') return database;
  database.close();
  throw damaged(file, finding);
}

function openAndLook(file: string) {
  try {
    const database = new DatabaseSync(file, { timeout: PATIENCE_AT_START });
    const isChecked = file !== ':memory:' && statSync(file).size <= LARGEST_CHECKED;
    return { database, finding: isChecked ? firstFinding(database) : 'ok' };
  } catch (error) {
    const { errcode, message } = Object(error);
    if (DAMAGED.has(errcode & 0xff)) throw damaged(file, message);
    throw new Error(`the database ${file} cannot be opened: ${message}`, { cause: error });
  }
}

function firstFinding(database: DatabaseSync): string {
  const finding = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  return String(finding).replaceAll(/\s+/g, ' ');
}

function damaged(file: string, finding: string): Error {
  return new Error(`the database ${file} is damaged, restore it from a copy: ${finding}`);
}
