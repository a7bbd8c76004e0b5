import { fstatSync } from 'node:fs';
import type { WriteLine } from './log.ts';
import { readable } from './log-form.ts';
import { type Chunk, fileSink, pipeSink, type Sink, type SinkEvents } from './log-sinks.ts';

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
 * latest after 100 ms. A process that ends, also by an exception, first writes what waits; what it cannot write,
 * and what it could not tell in the log, it counts on standard error.
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

/**
 * Collects lines into chunks of about `size` characters. When 16 MiB wait, lines are dropped and counted
 * until half of that is written; then a line of the log tells how many.
 */
function createBuffer(size: number, createSink: (events: SinkEvents) => Sink) {
  const sink = createSink({ onFree: handOn, onLost: lose });
  let chunks: Chunk[] = [];
  let text = '';
  let lines = 0;
  let waiting = 0;
  let lost = 0;
  let told = 0;
  let isFull = false;

  function lose(count: number): void {
    lost += count;
  }

  function write(line: string): void {
    isFull ||= waiting + line.length > MOST_WAITING;
    if (isFull || sink.isGone()) lose(1);
    else add(line);
  }

  function add(line: string): void {
    if (text.length + line.length > size) flush();
    text += line;
    lines++;
    waiting += line.length;
  }

  function flush(): void {
    if (text !== '') chunks.push({ text, lines });
    text = '';
    lines = 0;
    handOn();
  }

  function handOn(): void {
    if (sink.isGone()) {
      lose(linesOf(chunks));
      chunks = [];
      waiting = text.length;
    }
    while (sink.isFree()) {
      const chunk = chunks.shift();
      if (chunk === undefined) break;
      waiting -= chunk.text.length;
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
    const line = `${JSON.stringify({ level: 'error', time, pid: process.pid, msg })}\n`;
    flush();
    // Not one of the lines that are counted.
    chunks.push({ text: line, lines: 0 });
    waiting += line.length;
    handOn();
  }

  function end(): void {
    tellLost();
    flush();
    const isWritten = chunks.length === 0 && sink.isFree();
    const all = lost + linesOf(chunks) + sink.unwritten();
    if (isWritten || all === 0) return;
    process.stderr.write(`accord: ${all} lines of the log of process ${process.pid} were lost\n`);
  }

  return { write, lost: () => lost, flush, end };
}

function linesOf(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, { lines }) => sum + lines, 0);
}
