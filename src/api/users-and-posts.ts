import { ApiError, present } from '../kit/errors.ts';
import { whenThere } from '../kit/maybe-promise.ts';
import type { Database } from '../kit/store/database.ts';
import type { Comment, Graph, Post, Todo, User } from '../kit/store/store.ts';

/** Users, posts, comments and to-dos. */
export function createGraph(db: Database): Graph {
  const user = 'id, name, email';
  const post = 'id, user_id, title, body';
  const comment = 'id, post_id, body';
  const todo = 'id, title, done';
  // SQLite prepares a statement anew for each value of a bare parameter in LIMIT, which takes 4 to 10 µs.
  const limit = (parameter: string) => `LIMIT CAST(${parameter} AS integer)`;
  const ofAll = `WHERE id > $1 ORDER BY id ${limit('$2')}`;
  // In the order of the index on the parent, so that LIMIT ends the reading and nothing is sorted.
  const ofParents = (parent: string) =>
    `WHERE ${parent} IN (${db.dialect.numbers('$1')}) AND (${parent}, id) > ($2, $3)
     ORDER BY ${parent}, id ${limit('$4')}`;

  const users = db.read(`SELECT ${user} FROM users ${ofAll}`, toUser);
  const userById = db.read(`SELECT ${user} FROM users WHERE id = $1`, toUser);
  // An insert that the table refuses may use up an id, so one that it would refuse is not made. Of two
  // at the same time the table still admits one.
  const addUser = db.insert(
    'users',
    `(name, email) SELECT CAST($1 AS text), CAST($2 AS text)
     WHERE NOT EXISTS (SELECT 1 FROM users WHERE email = $2)`,
  );
  const posts = db.read(`SELECT ${post} FROM posts ${ofParents('user_id')}`, toPost);
  const addPost = db.insert(
    'posts',
    `(user_id, title, body)
     SELECT id, CAST($2 AS text), CAST($3 AS text) FROM users WHERE id = $1`,
  );
  const comments = db.read(`SELECT ${comment} FROM comments ${ofParents('post_id')}`, toComment);
  const addComment = db.insert(
    'comments',
    '(post_id, body) SELECT id, CAST($2 AS text) FROM posts WHERE id = $1',
  );
  const todos = db.read(`SELECT ${todo} FROM todos ${ofAll}`, toTodo);
  const addTodo = db.insert('todos', '(title) VALUES ($1)');
  const setDone = db.write(`UPDATE todos SET done = $2 WHERE id = $1 RETURNING ${todo}`, toTodo);

  return {
    users: {
      list: ({ after, limit }) => users(after?.id ?? 0, limit),
      get: (id) => whenThere(userById(id), ([user]) => user),
      create: async ({ name, email }) => {
        const id = await addUser(name, email);
        if (id === undefined) throw new ApiError('conflict');
        return { id, name, email };
      },
    },
    posts: {
      ofUsers: (ids, { after, limit }) =>
        posts(remaining(ids, after?.userId), after?.userId ?? 0, after?.id ?? 0, limit),
      create: async ({ userId, title, body }) => {
        const id = await addPost(userId, title, body);
        return id === undefined ? undefined : { id, userId, title, body };
      },
    },
    comments: {
      ofPosts: (ids, { after, limit }) =>
        comments(remaining(ids, after?.postId), after?.postId ?? 0, after?.id ?? 0, limit),
      create: async ({ postId, body }) => {
        const id = await addComment(postId, body);
        return id === undefined ? undefined : { id, postId, body };
      },
    },
    todos: {
      list: ({ after, limit }) => todos(after?.id ?? 0, limit),
      create: async ({ title }) => ({ id: present(await addTodo(title)), title, done: false }),
      setDone: async (id, done) => (await setDone(id, done))[0],
    },
  };
}

/** The parents whose children were not all read yet, as JSON. */
function remaining(ids: readonly number[], from = 0): string {
  return JSON.stringify(from === 0 ? ids : ids.filter((id) => id >= from));
}

function toUser([id, name, email]: [number, string, string]): User {
  return { id, name, email };
}

function toPost([id, userId, title, body]: [number, number, string, string]): Post {
  return { id, userId, title, body };
}

function toComment([id, postId, body]: [number, number, string]): Comment {
  return { id, postId, body };
}

// SQLite has no booleans: there they are 0 and 1.
function toTodo([id, title, done]: [number, string, boolean | number]): Todo {
  return { id, title, done: Boolean(done) };
}
