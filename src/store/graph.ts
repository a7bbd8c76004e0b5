import { present } from '../errors.ts';
import type { Database } from './database.ts';
import type { Comment, Graph, Post, Todo, User } from './store.ts';

type TodoRow = Omit<Todo, 'done'> & { readonly done: 0 | 1 };

/** Users, posts, comments and to-dos on SQLite. */
export function createGraph(db: Database): Graph {
  const user = 'id, name, email';
  const post = 'id, user_id AS userId, title, body';
  const comment = 'id, post_id AS postId, body';
  const todo = 'id, title, done';
  const among = 'IN (SELECT value FROM json_each(?)) ORDER BY id';
  const given = (table: string) => `WHERE EXISTS (SELECT 1 FROM ${table} WHERE id = ?1)`;

  const users = db.query<User>(`SELECT ${user} FROM users ORDER BY id`);
  const userById = db.query<User>(`SELECT ${user} FROM users WHERE id = ?`);
  const addUser = db.query<User>(`INSERT INTO users (name, email) VALUES (?, ?) RETURNING ${user}`);
  const posts = db.query<Post>(`SELECT ${post} FROM posts WHERE user_id ${among}`);
  const addPost = db.query<Post>(
    `INSERT INTO posts (user_id, title, body) SELECT ?1, ?2, ?3 ${given('users')} RETURNING ${post}`,
  );
  const comments = db.query<Comment>(`SELECT ${comment} FROM comments WHERE post_id ${among}`);
  const addComment = db.query<Comment>(
    `INSERT INTO comments (post_id, body) SELECT ?1, ?2 ${given('posts')} RETURNING ${comment}`,
  );
  const todos = db.query<TodoRow>(`SELECT ${todo} FROM todos ORDER BY id`);
  const addTodo = db.query<TodoRow>(`INSERT INTO todos (title) VALUES (?) RETURNING ${todo}`);
  const setDone = db.query<TodoRow>(`UPDATE todos SET done = ?2 WHERE id = ?1 RETURNING ${todo}`);

  return {
    users: {
      list: async () => users(),
      get: async (id) => userById(id)[0],
      create: async ({ name, email }) => present(addUser(name, email)[0]),
    },
    posts: {
      ofUsers: async (ids) => posts(JSON.stringify(ids)),
      create: async ({ userId, title, body }) => addPost(userId, title, body)[0],
    },
    comments: {
      ofPosts: async (ids) => comments(JSON.stringify(ids)),
      create: async ({ postId, body }) => addComment(postId, body)[0],
    },
    todos: {
      list: async () => todos().map(toTodo),
      create: async ({ title }) => toTodo(present(addTodo(title)[0])),
      setDone: async (id, done) => setDone(id, Number(done)).map(toTodo)[0],
    },
  };
}

function toTodo(row: TodoRow): Todo {
  return { ...row, done: row.done === 1 };
}
