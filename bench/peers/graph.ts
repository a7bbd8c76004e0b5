import { after, openDatabase } from './database.ts';

export type User = { id: number; name: string; email: string };
export type Post = { id: number; userId: number; title: string; body: string };

/** Users, posts, books and to-dos as a GraphQL peer reads and writes them. */
export async function openGraph() {
  const db = await openDatabase();
  const users = db.all('SELECT id, name, email FROM users ORDER BY id');
  const user = db.one('SELECT id, name, email FROM users WHERE id = ?');
  const posts = db.all<Post>(
    `SELECT id, user_id AS "userId", title, body FROM posts WHERE user_id ${db.isAmong} ORDER BY id`,
  );
  const book = db.one('SELECT id, title, pages FROM books WHERE id = ?');
  const books = db.all('SELECT id, title, pages FROM books ORDER BY id');
  const addTodo = db.insert('INSERT INTO todos (title) VALUES (?)');

  return {
    query: {
      users: () => users(),
      user: (_: unknown, { id }: { id: string }) => user(Number(id)),
      book: (_: unknown, { id }: { id: string }) => book(Number(id)),
      books: () => books(),
    },
    mutation: {
      addTodo(_: unknown, { title }: { title: string }) {
        if (title.length < 1 || title.length > 200)
          throw new Error('title has 1 to 200 characters');
        return after(addTodo(title), (id) => ({ id, title, done: false }));
      },
    },
    /** The posts of many users in one statement, in the order of the ids. */
    async postsOf(ids: readonly number[]): Promise<Post[][]> {
      const found = await posts(db.list(ids));
      const byUser = Map.groupBy(found, ({ userId }) => userId);
      return ids.map((id) => byUser.get(id) ?? []);
    },
  };
}
