import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';

const output = new URL('../../src/kit/observe/log-output.ts', import.meta.url).href;

/** A standard output that takes one text at a time, until `release` says that it is written. */
export const pipe = `
  const taken = [];
  const stdout = { isTTY: false, writable: true, writableLength: 0, on() {}, write(text, done) {
    taken.push(text);
    this.writableLength = text.length;
    this.done = done;
  } };
  const release = (error) => {
    stdout.writableLength = 0;
    stdout.done?.(error);
  };
  const releaseAll = () => { while (stdout.writableLength > 0) release(); };
  Object.defineProperty(process, 'stdout', { value: stdout });`;

/** A file of which each write takes as many bytes as `space` says next, or fails; without that all of them. */
const file = `
  const { default: fs } = await import('node:fs');
  const { syncBuiltinESMExports } = await import('node:module');
  const space = [];
  let written = '';
  const { writeSync } = fs;
  fs.writeSync = (fd, bytes) => {
    if (fd !== 1) return writeSync(fd, bytes);
    const count = space.length > 0 ? space.shift() : bytes.length;
    if (count === 'full') throw new Error('ENOSPC');
    written += bytes.subarray(0, count);
    return Math.min(count, bytes.length);
  };
  syncBuiltinESMExports();`;

export const start = `
  const { standardOutput } = await import(${JSON.stringify(output)});
  const { write, lost } = standardOutput();
  const flush = () => process.emit('beforeExit', 0);
  const tell = (value) => console.error(JSON.stringify(value));`;

/** What a process told, and what it said at its end. */
export async function told(parts: readonly string[], isPipe: boolean) {
  const script = `${parts.join('\n')}\nprocess.exit(0);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', isPipe ? 'pipe' : 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr?.on('data', (chunk) => {
    text += chunk;
  });
  const [code] = await once(child, 'close');
  expect([code, text]).toEqual([0, text]);
  const lines = text
    .split('\n')
    .filter((line) => line !== '' && !/Warning|--trace-warnings/.test(line));
  const end = lines.find((line) => line.startsWith('accord: '));
  return {
    values: lines.filter((line) => line !== end).map((line) => JSON.parse(line)),
    end: end?.replace(`process ${child.pid}`, 'process P'),
  };
}
/** What a process told whose standard output is the pipe above. */
export const intoPipe = (script: string) => told([pipe, start, script], true);
/** What a process told whose standard output is the file above. */
export const intoFile = (script: string, before = '') => told([file, before, start, script], false);
export const lostAtEnd = (count: number) =>
  `accord: ${count} lines of the log of process P were lost`;
