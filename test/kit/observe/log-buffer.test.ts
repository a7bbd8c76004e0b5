// engines: sqlite
// slow: starts processes
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';

const output = new URL('../../../src/kit/observe/log-output.ts', import.meta.url).href;

/** A standard output that takes one text at a time, until `release` says that it is written. */
const pipe = `
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

const start = `
  const { standardOutput } = await import(${JSON.stringify(output)});
  const { write, lost } = standardOutput();
  const flush = () => process.emit('beforeExit', 0);
  const tell = (value) => console.error(JSON.stringify(value));`;

/** What a process told, and what it said at its end. */
async function told(parts: readonly string[], isPipe: boolean) {
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
const intoPipe = (script: string) => told([pipe, start, script], true);
const intoFile = (script: string, before = '') => told([file, before, start, script], false);
const lostAtEnd = (count: number) => `accord: ${count} lines of the log of process P were lost`;

describe('the log of a process whose output is a pipe', () => {
  it('goes out in pieces that a pipe takes whole, one at a time', async () => {
    const { values, end } = await intoPipe(`
      write('a'.repeat(4096));
      write('b');
      tell(taken.map((each) => each.length));
      for (let i = 0; i < 5; i++) write('c'.repeat(1024));
      tell(taken.length);
      release();
      tell(taken.map((each) => each.length));
      release();
      flush();
      flush();
      releaseAll();
      tell(taken.map((each) => each.length));
      tell(taken.join('') === 'a'.repeat(4096) + 'b' + 'c'.repeat(5120));
      tell(lost());`);
    expect(values).toEqual([[4096], 1, [4096, 3073], [4096, 3073, 2048], true, 0]);
    expect(end).toBeUndefined();
  });

  it('goes out by itself every 100 ms', async () => {
    const noted = `
      const { setInterval: own } = globalThis;
      const times = [];
      globalThis.setInterval = (act, ms) => {
        times.push(ms);
        return own(act, ms);
      };`;
    const script = `
      write('a');
      while (taken.length === 0) await new Promise((done) => setTimeout(done, 5));
      tell([taken, times]);
      releaseAll();`;
    expect((await told([pipe, noted, start, script], true)).values).toEqual([[['a'], [100]]]);
  });

  it('drops lines when 16 MiB wait, until half of that is written, and then tells how many', async () => {
    const { values, end } = await intoPipe(`
      const MiB = 'm'.repeat(1024 * 1024);
      write('first');
      for (let i = 0; i < 16; i++) write(MiB);
      tell(lost());
      write('x');
      tell(lost());
      for (let i = 0; i < 7; i++) release();
      write('y');
      tell(lost());
      release();
      write('z');
      tell(lost());
      flush();
      releaseAll();
      const [line, last] = taken.slice(-2);
      const { level, msg, pid, time } = JSON.parse(line);
      tell([taken.length, level, msg, pid === process.pid, Date.now() - Date.parse(time) < 60_000, last]);`);
    const msg = '2 lines of this log were lost: they came faster than they could be written';
    expect(values).toEqual([0, 1, 2, 2, [19, 'error', msg, true, true, 'z']]);
    expect(end).toBeUndefined();
  });

  it('tells what was lost once, and what is lost later again', async () => {
    const { values } = await intoPipe(`
      const MiB = 'm'.repeat(1024 * 1024);
      const fill = () => { for (let i = 0; i < 18; i++) write(MiB); };
      write('first');
      fill();
      flush();
      releaseAll();
      write('first');
      fill();
      flush();
      releaseAll();
      tell(taken.filter((each) => each.startsWith('{')).map((each) => JSON.parse(each).msg.split(' ')[0]));
      tell(lost());`);
    const [each, all] = values;
    expect(each).toHaveLength(2);
    expect(each.map(Number).reduce((sum: number, count: number) => sum + count, 0)).toBe(all);
  });

  it('counts lines whose reader is gone, those that waited and those that come', async () => {
    const { values, end } = await intoPipe(`
      write('a');
      flush();
      write('b');
      write('c');
      stdout.writable = false;
      release(new Error('EPIPE'));
      tell(lost());
      flush();
      tell(lost());
      write('d');
      tell(lost());
      tell(taken);`);
    expect(values).toEqual([1, 3, 4, ['a']]);
    expect(end).toBe(lostAtEnd(4));
  });

  it('counts at its end what is not written: what was taken, what waits, and what was dropped', async () => {
    const { end } = await intoPipe(`
      write('a');
      write('b');
      flush();
      write('c'.repeat(4000));
      write('d'.repeat(4000));
      write('e'.repeat(17 * 1024 * 1024));
      tell([taken.length, lost()]);`);
    expect(end).toBe(lostAtEnd(5));
  });

  it('says nothing at its end where all is written', async () => {
    const { values, end } = await intoPipe(`
      process.on('exit', () => tell(taken));
      write('a');
      flush();
      release();`);
    expect(values).toEqual([['a']]);
    expect(end).toBeUndefined();
  });
});

it('the log at a terminal is for people, at once', async () => {
  const terminal = `${pipe}\nstdout.isTTY = true;`;
  const shown = await told(
    [
      terminal,
      start,
      `write('{"time":"2026-01-01T00:00:00Z","msg":"Hello"}'); tell([taken, lost()]);`,
    ],
    true,
  );
  expect(shown.values).toEqual([[[expect.stringMatching(/^\d\d:\d\d:\d\d Hello\n$/)], 0]]);
});

describe('the log of a process whose output is a file', () => {
  it('is written in larger pieces', async () => {
    const { values } = await intoFile(`
      write('a'.repeat(16384));
      tell(written.length);
      write('b');
      tell(written.length);
      flush();
      tell(written.length);`);
    expect(values).toEqual([0, 16_384, 16_385]);
  });

  it('is written whole, however little a write takes', async () => {
    const { values, end } = await intoFile(`
      space.push(1, 2, 3);
      write('first\\n');
      write('second\\n');
      flush();
      tell(written);`);
    expect(values).toEqual(['first\nsecond\n']);
    expect(end).toBeUndefined();
  });

  it('goes on where it was when there is space again', async () => {
    const { values, end } = await intoFile(`
      space.push(3, 'full', 'full', 'full');
      write('first\\n');
      flush();
      write('second\\n');
      flush();
      tell(written);
      flush();
      tell(written);`);
    expect(values).toEqual(['fir', 'first\nsecond\n']);
    expect(end).toBeUndefined();
  });

  it('counts at its end the lines that found no space', async () => {
    const full = Array(20).fill("'full'").join();
    const { values, end } = await intoFile(`
      space.push(8, ${full});
      write('first\\n');
      write('second\\n');
      write('third\\n');
      flush();
      write('fourth\\n');
      tell(written);`);
    expect(values).toEqual(['first\nse']);
    expect(end).toBe(lostAtEnd(3));
  });

  it.each([
    ['within a line', 8, 'first\nse\nsecond\nthird\n'],
    ['at the end of a line', 6, 'first\nsecond\nthird\n'],
    ['within the first line', 2, 'fi\nfirst\nsecond\nthird\n'],
  ])('of several processes writes a line again that was cut %s', async (_, count, text) => {
    const worker = `(await import('node:cluster')).default.isWorker = true;`;
    const { values, end } = await intoFile(
      `space.push(${count}, 'full');
      write('first\\n');
      write('second\\n');
      write('third\\n');
      flush();
      flush();
      tell(written);`,
      worker,
    );
    expect(values).toEqual([text]);
    expect(end).toBeUndefined();
  });

  it('of several processes does not count a line twice that was cut', async () => {
    const worker = `(await import('node:cluster')).default.isWorker = true;`;
    const full = Array(20).fill("'full'").join();
    const { end } = await intoFile(
      `space.push(8, ${full});
      write('first\\n');
      write('second\\n');
      write('third\\n');
      flush();`,
      worker,
    );
    expect(end).toBe(lostAtEnd(2));
  });
});
