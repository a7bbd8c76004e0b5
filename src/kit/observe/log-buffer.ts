import type { WriteLine } from './log.ts';

const MOST_WAITING = 16 * 1024 * 1024;

export type LogOutput = {
  readonly write: WriteLine;
  /** How many lines could not be written. */
  readonly lost: () => number;
};

/** Where chunks of lines go. */
export type Sink = {
  /** Whether everything that was taken before is written. */
  isFree(): boolean;
  take(chunk: string): void;
};

type LogBuffer = LogOutput & {
  /** Hands on what waits, as far as the sink takes it. */
  readonly flush: () => void;
  /** The last flush, which also tells of lines that were lost. */
  readonly end: () => void;
};

/**
 * Collects lines into chunks of about `size` characters. When 16 MiB wait, lines are dropped and counted
 * until half of that is written; then a line of the log tells how many.
 */
export function createLogBuffer(size: number, createSink: (onFree: () => void) => Sink): LogBuffer {
  const sink = createSink(handOn);
  const chunks: string[] = [];
  let next = '';
  let waiting = 0;
  let lost = 0;
  let told = 0;
  let isFull = false;

  function write(line: string): void {
    isFull ||= waiting + line.length > MOST_WAITING;
    if (isFull) lost++;
    else add(line);
  }

  function add(line: string): void {
    if (next.length + line.length > size) flush();
    next += line;
    waiting += line.length;
  }

  function flush(): void {
    if (next !== '') chunks.push(next);
    next = '';
    handOn();
  }

  function handOn(): void {
    while (sink.isFree()) {
      const chunk = chunks.shift();
      if (chunk === undefined) break;
      waiting -= chunk.length;
      sink.take(chunk);
    }
    if (isFull && waiting <= MOST_WAITING / 2) {
      isFull = false;
      tellLost();
    }
  }

  function tellLost(): void {
    if (lost === told) return;
    const msg = `${lost - told} lines of this log were lost: they came faster than they could be written`;
    told = lost;
    const time = new Date().toISOString();
    add(`${JSON.stringify({ level: 'error', time, pid: process.pid, msg })}\n`);
  }

  function end(): void {
    tellLost();
    flush();
  }

  return { write, lost: () => lost, flush, end };
}
