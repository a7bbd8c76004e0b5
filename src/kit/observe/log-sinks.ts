import cluster from 'node:cluster';
import { writeSync } from 'node:fs';

const { stdout } = process;
const LINE_END = 10;

/** Text of some lines of the log. */
export type Chunk = { readonly text: string; readonly lines: number };

/** Where chunks of lines go. */
export type Sink = {
  /** Whether everything that was taken before is written. */
  isFree(): boolean;
  /** Whether nothing can be written any more. */
  isGone(): boolean;
  take(chunk: Chunk): void;
  /** How many lines were taken and are not written. */
  unwritten(): number;
};

export type SinkEvents = {
  readonly onFree: () => void;
  readonly onLost: (lines: number) => void;
};

/** A reader that stops reading holds up the log, but not the process. */
export function pipeSink({ onFree, onLost }: SinkEvents): Sink {
  let taken = 0;
  // EPIPE of a reader that is gone; an 'error' without a listener would end the process.
  stdout.on('error', () => {});
  return {
    // One chunk at a time: the stream would join those that it holds back to larger pieces.
    isFree: () => stdout.writable && stdout.writableLength === 0,
    isGone: () => !stdout.writable,
    take({ text, lines }) {
      taken = lines;
      stdout.write(text, (error) => {
        if (error) onLost(lines);
        onFree();
      });
    },
    unwritten: () => (stdout.writableLength > 0 ? taken : 0),
  };
}

/** Written synchronously, so that at most one chunk waits. */
export function fileSink(): Sink {
  let rest: Buffer = Buffer.alloc(0);
  let isCounted = false;

  function writeRest(): void {
    const written = writeSync(1, rest);
    const isCut = written < rest.length && rest[written - 1] !== LINE_END;
    if (!isCut || !cluster.isWorker) {
      rest = rest.subarray(written);
      return;
    }
    // Other processes may write to the file before the rest of the line: it is written again, as a line of its own.
    const start = rest.lastIndexOf(LINE_END, written - 1) + 1;
    rest = Buffer.concat([Buffer.of(LINE_END), rest.subarray(start)]);
  }

  function isFree(): boolean {
    try {
      while (rest.length > 0) writeRest();
      return true;
    } catch {
      // The disk is full, or broken: tried again at the next flush.
      return false;
    }
  }

  return {
    isFree,
    isGone: () => false,
    take({ text, lines }) {
      rest = Buffer.from(text);
      isCounted = lines > 0;
      isFree();
    },
    unwritten: () => (isCounted ? rest.filter(isLineEnd).length : 0),
  };
}

/** The end of a line; at the start it only ends what was cut. */
function isLineEnd(byte: number, index: number): boolean {
  return byte === LINE_END && index > 0;
}
