import { destination } from 'pino';
import type { WriteLine } from './log.ts';
import { readable } from './log-form.ts';

// What a pipe takes whole: lines of several processes do not run into each other.
const PIPE_TAKES_WHOLE = 4096;
const MOST_WAITING = 16 * 1024 * 1024;

/**
 * The log of this process: for people at a terminal, as JSON everywhere else.
 *
 * Lines are written beside the work, not within it: a reader that stops reading must not stop the
 * server, whose lines are dropped once too many wait. A process that ends, also by an exception, first
 * writes what waits; one that is killed loses the lines of its last moment.
 */
export function standardOutput(): WriteLine {
  if (process.stdout.isTTY) return readable((text) => process.stdout.write(text));
  const lines = destination({
    fd: 1,
    sync: false,
    maxWrite: PIPE_TAKES_WHOLE,
    maxLength: MOST_WAITING,
  });
  return (line) => void lines.write(line);
}
