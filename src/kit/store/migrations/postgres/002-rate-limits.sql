-- How many requests each client has made, where the instances share a limit: of no use after a crash.
CREATE UNLOGGED TABLE IF NOT EXISTS rate_limits (
  key    varchar(255) PRIMARY KEY,
  points integer      NOT NULL DEFAULT 0,
  expire bigint
);
