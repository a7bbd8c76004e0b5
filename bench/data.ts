import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export const BOOKS = 10_000;
export const USERS = 20;
export const POSTS_EACH = 3;

export type Book = { readonly id: number; readonly title: string; readonly pages: number };

export function book(id: number): Book {
  return { id, title: `The Book of Numbers, volume ${id}`, pages: 100 + (id % 900) };
}

export const user = (id: number) => ({
  id,
  name: `Reader ${id}`,
  email: `reader-${id}@example.com`,
});
export const post = (id: number) => ({
  id,
  title: `What reader ${Math.ceil(id / POSTS_EACH)} read`,
  body: 'At length.',
});

/** Creates the data; each server gets a copy. */
export function createData(folder: string, root: string) {
  const database = join(folder, 'seed.db');
  const env = { ...process.env, DATABASE_URL: `sqlite:${database}` };
  execFileSync(process.execPath, [join(root, 'src/main.ts'), 'migrate'], { env });
  fill(database);
  const json = join(folder, 'seed.json');
  writeFileSync(json, JSON.stringify({ books: range(BOOKS).map(book) }, null, 2));
  return {
    copyDatabase: (name: string) => copied(database, join(folder, `${name}.db`)),
    copyJson: (name: string) => copied(json, join(folder, `${name}.json`)),
  };
}

function fill(file: string): void {
  const db = new DatabaseSync(file);
  db.exec('BEGIN');
  const addBook = db.prepare('INSERT INTO books (title, pages) VALUES (?, ?)');
  for (const { title, pages } of range(BOOKS).map(book)) addBook.run(title, pages);
  const addUser = db.prepare('INSERT INTO users (name, email) VALUES (?, ?)');
  for (const { name, email } of range(USERS).map(user)) addUser.run(name, email);
  const addPost = db.prepare('INSERT INTO posts (user_id, title, body) VALUES (?, ?, ?)');
  for (const { id, title, body } of range(USERS * POSTS_EACH).map(post)) {
    addPost.run(Math.ceil(id / POSTS_EACH), title, body);
  }
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

function copied(from: string, to: string): string {
  copyFileSync(from, to);
  return to;
}

/** The numbers from 1. */
export function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1);
}
