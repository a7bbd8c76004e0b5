import { destination } from 'pino';
import type { WriteLine } from './log.ts';
import { readable } from './log-form.ts';

// What a pipe takes whole: lines of several processes do not run into each other.
const PIPE_TAKES_WHOLE = 4096;
const ENOUGH_TO_WRITE = 4000;
const LONGEST_WAIT = 100;
const MOST_WAITING = 16 * 1024 * 1024;

/**
 * The log of this process: for people at a terminal, as JSON everywhere else.
 *
 * Lines are written beside the work, not within it, and some twenty at once: that costs less, and a
 * reader that stops reading does not stop the server, whose lines are dropped only when 16 MiB wait. A
 * process that ends, also by an exception, first writes what waits. One that is killed loses the
 * lines of its last tenth of a second; what it has answered is in the database all the same.
 */
export function standardOutput(): WriteLine {
  if (process.stdout.isTTY) return readable((text) => process.stdout.write(text));
  const lines = destination({
    fd: 1,
    sync: false,
    minLength: ENOUGH_TO_WRITE,
    periodicFlush: LONGEST_WAIT,
    maxWrite: PIPE_TAKES_WHOLE,
    maxLength: MOST_WAITING,
  });
  return (line) => void lines.write(line);
}
