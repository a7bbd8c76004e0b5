import { fstatSync, writeSync } from 'node:fs';
import { createLogBuffer, type LogOutput, type Sink } from './log-buffer.ts';
import { readable } from './log-form.ts';

const { stdout } = process;

// POSIX writes this much to a pipe in one piece: lines of several processes do not run into each other.
const PIPE_BUF = 4096;
const FILE_CHUNK = 16_384;
const FLUSH_EVERY = 100;

/**
 * The log of this process: for people at a terminal, as JSON everywhere else.
 *
 * Lines go out in batches, at the latest after 100 ms. A process that ends, also by an exception, first
 * writes what waits; one that is killed loses the lines of its last tenth of a second.
 */
export function standardOutput(): LogOutput {
  if (stdout.isTTY) return { write: readable((text) => stdout.write(text)), lost: () => 0 };
  const kind = fstatSync(1);
  const isPipe = kind.isFIFO() || kind.isSocket();
  const { write, lost, flush, end } = isPipe
    ? createLogBuffer(PIPE_BUF, pipeSink)
    : createLogBuffer(FILE_CHUNK, fileSink);
  setInterval(flush, FLUSH_EVERY).unref();
  // What is written here still finds the event loop, unlike what is written at 'exit'.
  process.on('beforeExit', flush);
  process.on('exit', end);
  return { write, lost };
}

/** A reader that stops reading holds up the log, but not the process. */
function pipeSink(onFree: () => void): Sink {
  // A reader that is gone never takes anything again; unheard, this event would end the process.
  stdout.on('error', () => {});
  return {
    // What is written at once is whole; what the stream holds back it would later join to larger pieces.
    isFree: () => stdout.writable && stdout.writableLength === 0,
    take: (chunk) => void stdout.write(chunk, onFree),
  };
}

/** Written synchronously: no more lines can wait than one chunk, however fast they come. */
function fileSink(): Sink {
  let rest: Uint8Array = new Uint8Array();
  function isFree(): boolean {
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
      return true;
    } catch {
      // The disk is full, or broken. The rest is tried again at the next flush.
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
