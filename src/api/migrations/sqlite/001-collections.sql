-- AUTOINCREMENT: an id is never given twice, not even after its record is deleted.
CREATE TABLE books (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  version INTEGER NOT NULL DEFAULT 1,
  title   TEXT    NOT NULL,
  pages   INTEGER NOT NULL
) STRICT;

CREATE TABLE tasks (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  version INTEGER NOT NULL DEFAULT 1,
  title   TEXT    NOT NULL,
  done    INTEGER NOT NULL CHECK (done IN (0, 1))
) STRICT;

CREATE TABLE notes (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  version INTEGER NOT NULL DEFAULT 1,
  title   TEXT    NOT NULL,
  body    TEXT    NOT NULL
) STRICT;

CREATE TABLE items (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  version  INTEGER NOT NULL DEFAULT 1,
  name     TEXT    NOT NULL,
  quantity INTEGER NOT NULL
) STRICT;
