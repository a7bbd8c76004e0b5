export const BOOKS = 10_000;
export const USERS = 20;
export const POSTS_EACH = 3;

/** How much there is; each user has as many posts as every other. */
export type Size = { readonly books: number; readonly users: number };
export const usual: Size = { books: BOOKS, users: USERS };

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
  userId: Math.ceil(id / POSTS_EACH),
  title: `What reader ${Math.ceil(id / POSTS_EACH)} read`,
  body: 'At length.',
});

/** The rows of one table, in the order of their ids, and their types in PostgreSQL. */
export type Rows = {
  readonly table: string;
  readonly columns: readonly (readonly [name: string, type: 'text' | 'bigint'])[];
  readonly count: number;
  row(id: number): (string | number)[];
};

/** What every server has; references come after what they refer to. */
export function rowsOf({ books, users }: Size): readonly Rows[] {
  return [
    {
      table: 'books',
      columns: [
        ['title', 'text'],
        ['pages', 'bigint'],
      ],
      count: books,
      row: (id) => [book(id).title, book(id).pages],
    },
    {
      table: 'users',
      columns: [
        ['name', 'text'],
        ['email', 'text'],
      ],
      count: users,
      row: (id) => [user(id).name, user(id).email],
    },
    {
      table: 'posts',
      columns: [
        ['user_id', 'bigint'],
        ['title', 'text'],
        ['body', 'text'],
      ],
      count: users * POSTS_EACH,
      row: (id) => [post(id).userId, post(id).title, post(id).body],
    },
  ];
}

/** The numbers from 1. */
export function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1);
}
