import { inspect } from 'node:util';

export type LogLevel = 'silent' | 'error' | 'info';

/** Where the server says what it does: a line per request, and each failure with its cause. */
export type Log = {
  info(text: string): void;
  /** One line: what was asked for, and what came of it. */
  request(what: string, outcome: string): void;
  failure(what: string, cause: unknown): void;
};

export function createLog(level: LogLevel, write: (line: string) => void): Log {
  return {
    info: (text) => {
      if (level === 'info') write(printable(text));
    },
    request: (what, outcome) => {
      if (level === 'info') write(`${printable(what)} ${outcome}`);
    },
    failure: (what, cause) => {
      if (level === 'silent') return;
      write(`${printable(what)} failed: ${inspect(cause)}`);
    },
  };
}

// Part of a line is the client's: it must not end the line, colour the terminal or go on for pages.
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 300);
}
