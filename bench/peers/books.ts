import { after, openDatabase } from './database.ts';

export type Fields = { title: string; pages: number };
export type Book = Fields & { id: number };
export type Range = { limit?: number | undefined; after?: number | undefined };
type Row = Book & { version: number };
export type Stored = { readonly book: Book; readonly tag: string };

/** The books as a peer reads and writes them: one prepared statement each. */
export async function openBooks() {
  const db = await openDatabase();
  const columns = 'id, version, title, pages';
  const get = db.one<Row>(`SELECT ${columns} FROM books WHERE id = ?`);
  const all = db.all<Book>('SELECT id, title, pages FROM books WHERE id > ? ORDER BY id');
  const page = db.all<Book>('SELECT id, title, pages FROM books WHERE id > ? ORDER BY id LIMIT ?');
  const insert = db.insert('INSERT INTO books (title, pages) VALUES (?, ?)');
  const update = db.one<Row>(
    `UPDATE books SET title = ?, pages = ?, version = version + 1 WHERE id = ? RETURNING ${columns}`,
  );
  const remove = db.change('DELETE FROM books WHERE id = ?');

  return {
    get: (id: number) => after(get(id), stored),

    /** The books, and the `Link` to the next page where there is one. */
    list: ({ limit, after: last = 0 }: Range) =>
      limit === undefined
        ? after(all(last), (books) => ({ books, link: undefined }))
        : after(page(last, limit + 1), (books) => pageOf(books, limit)),

    create: ({ title, pages }: Fields) =>
      after(insert(title, pages), (id) => ({
        ...{ book: { id, title, pages }, tag: '"1"' },
        location: `/books/${id}`,
      })),

    replace: (id: number, { title, pages }: Fields) => after(update(title, pages, id), stored),

    remove: (id: number) => after(remove(id), (count) => count > 0),
  };
}

function stored(row: Row | undefined): Stored | undefined {
  if (!row) return undefined;
  const { id, title, pages } = row;
  return { book: { id, title, pages }, tag: `"${row.version}"` };
}

/** A page of which one more was read, if there is one. */
function pageOf(books: Book[], limit: number) {
  if (books.length <= limit) return { books, link: undefined };
  books.pop();
  return { books, link: `</books?limit=${limit}&after=${books.at(-1)?.id}>; rel="next"` };
}
