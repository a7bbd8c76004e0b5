-- Addresses are the same when their bytes are, whatever the database's collation says.
CREATE TABLE users (
  id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name  text   NOT NULL,
  email text   COLLATE "C" NOT NULL UNIQUE
);

CREATE TABLE posts (
  id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users (id),
  title   text   NOT NULL,
  body    text   NOT NULL
);
CREATE INDEX posts_by_user ON posts (user_id);

CREATE TABLE comments (
  id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  post_id bigint NOT NULL REFERENCES posts (id),
  body    text   NOT NULL
);
CREATE INDEX comments_by_post ON comments (post_id);

CREATE TABLE todos (
  id    bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text    NOT NULL,
  done  boolean NOT NULL DEFAULT false
);
