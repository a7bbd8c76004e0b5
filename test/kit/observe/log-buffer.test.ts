// engines: sqlite
// slow: starts processes
import { describe, expect, it } from 'vitest';
import { intoPipe, lostAtEnd, pipe, start, told } from '../../support/log-process.ts';

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
      write('d'.repeat(2048));
      write('d'.repeat(2048));
      write('e');
      tell(taken.at(-1).length);
      flush();
      releaseAll();
      tell(lost());`);
    expect(values).toEqual([[4096], 1, [4096, 3073], [4096, 3073, 2048], true, 4096, 0]);
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

  it('counts at its end the one line that was taken and is not written', async () => {
    const { end } = await intoPipe(`
      write('a');
      flush();`);
    expect(end).toBe(lostAtEnd(1));
  });

  it('outlives a reader that has gone, of which the pipe tells by an error', async () => {
    const emitter = `
      const { EventEmitter } = await import('node:events');
      const events = new EventEmitter();
      stdout.on = (...given) => events.on(...given);`;
    const script = `
      events.emit('error', new Error('EPIPE'));
      tell('alive');`;
    expect((await told([pipe, emitter, start, script], true)).values).toEqual(['alive']);
  });

  it('counts nothing at its end that others have written', async () => {
    expect((await intoPipe('stdout.writableLength = 1;')).end).toBeUndefined();
  });

  it('tells at its end what failed to be written, where more can be written', async () => {
    const { values, end } = await intoPipe(`
      write('a');
      flush();
      release(new Error('EIO'));
      stdout.write = (text, done) => {
        taken.push(text);
        done();
      };
      process.on('exit', () => tell(JSON.parse(taken.at(-1)).msg));`);
    expect(values).toEqual([expect.stringMatching(/^1 lines of this log were lost/)]);
    expect(end).toBeUndefined();
  });

  it('says nothing at its end where its reader is gone and nothing was lost', async () => {
    expect((await intoPipe('stdout.writable = false;')).end).toBeUndefined();
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
