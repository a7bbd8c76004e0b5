-- An identity is never given twice, not even after its record is deleted.
CREATE TABLE books (
  id      bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  version bigint  NOT NULL DEFAULT 1,
  title   text    NOT NULL,
  pages   bigint  NOT NULL
);

CREATE TABLE tasks (
  id      bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  version bigint  NOT NULL DEFAULT 1,
  title   text    NOT NULL,
  done    boolean NOT NULL
);

CREATE TABLE notes (
  id      bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  version bigint  NOT NULL DEFAULT 1,
  title   text    NOT NULL,
  body    text    NOT NULL
);

CREATE TABLE items (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  version  bigint NOT NULL DEFAULT 1,
  name     text   NOT NULL,
  quantity bigint NOT NULL
);
