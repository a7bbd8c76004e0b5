import { open } from './database.ts';

export type User = { id: number; name: string; email: string };
export type Post = { id: number; userId: number; title: string; body: string };

/** Users, posts, books and to-dos as a GraphQL peer reads and writes them. */
export function openGraph() {
  const db = open();
  const users = db.prepare('SELECT id, name, email FROM users ORDER BY id');
  const user = db.prepare('SELECT id, name, email FROM users WHERE id = ?');
  const posts = db.prepare(
    `SELECT id, user_id AS "userId", title, body FROM posts
     WHERE user_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
  );
  const book = db.prepare('SELECT id, title, pages FROM books WHERE id = ?');
  const books = db.prepare('SELECT id, title, pages FROM books ORDER BY id');
  const addTodo = db.prepare('INSERT INTO todos (title) VALUES (?)');

  return {
    query: {
      users: () => users.all(),
      user: (_: unknown, { id }: { id: string }) => user.get(Number(id)),
      book: (_: unknown, { id }: { id: string }) => book.get(Number(id)),
      books: () => books.all(),
    },
    mutation: {
      addTodo(_: unknown, { title }: { title: string }) {
        if (title.length < 1 || title.length > 200)
          throw new Error('title has 1 to 200 characters');
        return { id: Number(addTodo.run(title).lastInsertRowid), title, done: false };
      },
    },
    /** The posts of many users in one statement, in the order of the ids. */
    async postsOf(ids: readonly number[]): Promise<Post[][]> {
      const found = posts.all(JSON.stringify(ids)) as Post[];
      const byUser = Map.groupBy(found, ({ userId }) => userId);
      return ids.map((id) => byUser.get(id) ?? []);
    },
  };
}
