CREATE TABLE users (
  id    INTEGER PRIMARY KEY AUTOINCREMENT,
  name  TEXT    NOT NULL,
  email TEXT    NOT NULL UNIQUE
) STRICT;

CREATE TABLE posts (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  title   TEXT    NOT NULL,
  body    TEXT    NOT NULL
) STRICT;
CREATE INDEX posts_by_user ON posts (user_id);

CREATE TABLE comments (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  post_id INTEGER NOT NULL REFERENCES posts (id),
  body    TEXT    NOT NULL
) STRICT;
CREATE INDEX comments_by_post ON comments (post_id);

CREATE TABLE todos (
  id    INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT    NOT NULL,
  done  INTEGER NOT NULL DEFAULT 0 CHECK (done IN (0, 1))
) STRICT;
