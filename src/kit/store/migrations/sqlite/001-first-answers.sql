-- What the first request under an Idempotency-Key was answered; the answer is there when it commits.
CREATE TABLE IF NOT EXISTS first_answers (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  key     TEXT    NOT NULL UNIQUE,
  request TEXT    NOT NULL,
  expires INTEGER NOT NULL,
  answer  TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS first_answers_by_expiry ON first_answers (expires);
