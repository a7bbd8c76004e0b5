import { open } from './database.ts';

export type Fields = { title: string; pages: number };
export type Book = Fields & { id: number };
export type Range = { limit?: number | undefined; after?: number | undefined };
type Row = Book & { version: number };

/** The books as a peer reads and writes them: one prepared statement each. */
export function openBooks() {
  const db = open();
  const columns = 'id, version, title, pages';
  const get = db.prepare(`SELECT ${columns} FROM books WHERE id = ?`);
  const all = db.prepare('SELECT id, title, pages FROM books WHERE id > ? ORDER BY id');
  const page = db.prepare('SELECT id, title, pages FROM books WHERE id > ? ORDER BY id LIMIT ?');
  const insert = db.prepare('INSERT INTO books (title, pages) VALUES (?, ?)');
  const update = db.prepare(
    `UPDATE books SET title = ?, pages = ?, version = version + 1 WHERE id = ? RETURNING ${columns}`,
  );
  const remove = db.prepare('DELETE FROM books WHERE id = ?');

  return {
    get: (id: number) => stored(get.get(id) as Row | undefined),

    /** The books, and the `Link` to the next page where there is one. */
    list({ limit, after = 0 }: Range) {
      if (limit === undefined) return { books: all.all(after) as Book[], link: undefined };
      const books = page.all(after, limit + 1) as Book[];
      if (books.length <= limit) return { books, link: undefined };
      books.pop();
      return { books, link: `</books?limit=${limit}&after=${books.at(-1)?.id}>; rel="next"` };
    },

    create({ title, pages }: Fields) {
      const id = Number(insert.run(title, pages).lastInsertRowid);
      return { book: { id, title, pages }, tag: '"1"', location: `/books/${id}` };
    },

    replace: (id: number, { title, pages }: Fields) =>
      stored(update.get(title, pages, id) as Row | undefined),

    remove: (id: number) => remove.run(id).changes > 0,
  };
}

function stored(row: Row | undefined) {
  if (!row) return undefined;
  const { id, title, pages } = row;
  return { book: { id, title, pages }, tag: `"${row.version}"` };
}
