import { fstatSync, writeSync } from 'node:fs';
import type { WriteLine } from './log.ts';
import { readable } from './log-form.ts';

const { stdout } = process;

// POSIX writes up to PIPE_BUF bytes to a pipe atomically: lines of several processes do not mix.
const PIPE_BUF = 4096;
const FILE_CHUNK = 16_384;
const FLUSH_EVERY = 100;
const MOST_WAITING = 16 * 1024 * 1024;

type LogOutput = {
  readonly write: WriteLine;
  /** How many lines could not be written. */
  readonly lost: () => number;
};

/**
 * The log of this process: for people at a terminal, as JSON everywhere else. Lines go out in batches, at the
 * latest after 100 ms. A process that ends, also by an exception, first writes what waits.
 */
export function standardOutput(): LogOutput {
  if (stdout.isTTY) return { write: readable((text) => stdout.write(text)), lost: () => 0 };
  const kind = fstatSync(1);
  const isPipe = kind.isFIFO() || kind.isSocket();
  const { write, lost, flush, end } = isPipe
    ? createBuffer(PIPE_BUF, pipeSink)
    : createBuffer(FILE_CHUNK, fileSink);
  setInterval(flush, FLUSH_EVERY).unref();
  // Unlike at 'exit', asynchronous writes still complete here.
  process.on('beforeExit', flush);
  process.on('exit', end);
  return { write, lost };
}

/** Where chunks of lines go. */
type Sink = {
  /** Whether everything that was taken before is written. */
  isFree(): boolean;
  take(chunk: string): void;
};

/**
 * Collects lines into chunks of about `size` characters. When 16 MiB wait, lines are dropped and counted
 * until half of that is written; then a line of the log tells how many.
 */
function createBuffer(size: number, createSink: (onFree: () => void) => Sink) {
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

/** A reader that stops reading holds up the log, but not the process. */
function pipeSink(onFree: () => void): Sink {
  // EPIPE of a reader that is gone; an 'error' without a listener would end the process.
  stdout.on('error', () => {});
  return {
    // One chunk at a time: the stream would join those that it holds back to larger pieces.
    isFree: () => stdout.writable && stdout.writableLength === 0,
    take: (chunk) => void stdout.write(chunk, onFree),
  };
}

/** Written synchronously, so that at most one chunk waits. */
function fileSink(): Sink {
  let rest: Uint8Array = new Uint8Array();
  function isFree(): boolean {
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
      return true;
    } catch {
      // The disk is full, or broken: tried again at the next flush.
      return false;
    }
  }
  return {
    isFree,
    take(chunk) {
      rest = Buffer.from(chunk);
      isFree();
    },
  };
}
