import { ApiError, present } from '../errors.ts';
import type { Database } from './database.ts';
import { whenThere } from './soon.ts';
import type { Comment, Graph, Post, Todo, User } from './store.ts';

// SQLite has no booleans: there they are 0 and 1.
type TodoRow = Omit<Todo, 'done'> & { readonly done: boolean | number };

/** Users, posts, comments and to-dos. */
export function createGraph(db: Database): Graph {
  const user = 'id, name, email';
  const post = 'id, user_id AS "userId", title, body';
  const comment = 'id, post_id AS "postId", body';
  const todo = 'id, title, done';
  const among = `IN (${db.dialect.numbers('$1')}) ORDER BY id`;

  const users = db.read<User>(`SELECT ${user} FROM users ORDER BY id`);
  const userById = db.read<User>(`SELECT ${user} FROM users WHERE id = $1`);
  // An insert that the table refuses may use up an id, so one that it would refuse is not made. Of two
  // at the same time the table still admits one.
  const addUser = db.write<User>(
    `INSERT INTO users (name, email) SELECT CAST($1 AS text), CAST($2 AS text)
     WHERE NOT EXISTS (SELECT 1 FROM users WHERE email = $2) RETURNING ${user}`,
  );
  const posts = db.read<Post>(`SELECT ${post} FROM posts WHERE user_id ${among}`);
  const addPost = db.write<Post>(
    `INSERT INTO posts (user_id, title, body)
     SELECT id, CAST($2 AS text), CAST($3 AS text) FROM users WHERE id = $1 RETURNING ${post}`,
  );
  const comments = db.read<Comment>(`SELECT ${comment} FROM comments WHERE post_id ${among}`);
  const addComment = db.write<Comment>(
    `INSERT INTO comments (post_id, body)
     SELECT id, CAST($2 AS text) FROM posts WHERE id = $1 RETURNING ${comment}`,
  );
  const todos = db.read<TodoRow>(`SELECT ${todo} FROM todos ORDER BY id`);
  const addTodo = db.write<TodoRow>(`INSERT INTO todos (title) VALUES ($1) RETURNING ${todo}`);
  const setDone = db.write<TodoRow>(`UPDATE todos SET done = $2 WHERE id = $1 RETURNING ${todo}`);

  return {
    users: {
      list: () => users(),
      get: (id) => whenThere(userById(id), ([user]) => user),
      create: async ({ name, email }) => {
        const [created] = await addUser(name, email);
        if (!created) throw new ApiError('conflict');
        return created;
      },
    },
    posts: {
      ofUsers: (ids) => posts(JSON.stringify(ids)),
      create: async ({ userId, title, body }) => (await addPost(userId, title, body))[0],
    },
    comments: {
      ofPosts: (ids) => comments(JSON.stringify(ids)),
      create: async ({ postId, body }) => (await addComment(postId, body))[0],
    },
    todos: {
      list: () => whenThere(todos(), (rows) => rows.map(toTodo)),
      create: async ({ title }) => toTodo(present((await addTodo(title))[0])),
      setDone: async (id, done) => (await setDone(id, done)).map(toTodo)[0],
    },
  };
}

function toTodo(row: TodoRow): Todo {
  return { ...row, done: Boolean(row.done) };
}
