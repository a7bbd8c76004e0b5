import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

// It takes about a millisecond for each megabyte that is in memory, and as long as reading takes for the
// rest. A larger file is opened as it is: what is damaged in it is answered with 503 where it is met.
const LARGEST_CHECKED = 512_000_000;

/** Refuses a file that is damaged or not a database: writing to it could only make it worse. */
export function requireIntegrity(database: DatabaseSync, file: string): void {
  if (file === ':memory:' || statSync(file).size > LARGEST_CHECKED) return;
  const finding = firstFinding(database);
  if (finding === 'ok') return;
  throw new Error(`the database ${file} is damaged, restore it from a copy: ${finding}`);
}

function firstFinding(database: DatabaseSync): string {
  try {
    const finding = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    return String(finding).replaceAll(/\s+/g, ' ');
  } catch (error) {
    return Object(error).message;
  }
}
