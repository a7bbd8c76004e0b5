-- What the first request under an Idempotency-Key was answered; the answer is there when it commits.
CREATE TABLE IF NOT EXISTS first_answers (
  id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key     text   COLLATE "C" NOT NULL UNIQUE,
  request text   NOT NULL,
  expires bigint NOT NULL,
  answer  text
);
CREATE INDEX IF NOT EXISTS first_answers_by_expiry ON first_answers (expires);
