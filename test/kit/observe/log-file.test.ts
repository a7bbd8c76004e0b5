// engines: sqlite
// slow: starts processes
import { describe, expect, it } from 'vitest';
import { intoFile, lostAtEnd } from '../../support/log-process.ts';

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
      space.push(1, 2, 3, 6);
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

  const full = Array(20).fill("'full'").join();

  it.each([
    [8, 'first\nse', 3],
    [4, 'firs', 4],
  ])(
    'counts at its end the lines that found no space after %i bytes',
    async (bytes, text, count) => {
      const { values, end } = await intoFile(`
      space.push(${bytes}, ${full});
      write('first\\n');
      write('second\\n');
      write('third\\n');
      flush();
      write('fourth\\n');
      tell(written);`);
      expect(values).toEqual([text]);
      expect(end).toBe(lostAtEnd(count));
    },
  );

  it.each(['first', 'a'])(
    'counts at its end a single line that found no space: %s',
    async (line) => {
      const { end } = await intoFile(`space.push(${full}); write('${line}\\n');`);
      expect(end).toBe(lostAtEnd(1));
    },
  );

  it('tells what was lost as soon as there is space again', async () => {
    const { values } = await intoFile(`
      const MiB = 'm'.repeat(1024 * 1024 - 1) + '\\n';
      space.push(...Array(100).fill('full'));
      for (let i = 0; i < 18; i++) write(MiB);
      space.length = 0;
      flush();
      tell(JSON.parse(written.slice(17 * MiB.length)).msg);`);
    expect(values).toEqual([expect.stringMatching(/^1 lines of this log were lost/)]);
  });

  it('does not count the line that tells what was lost', async () => {
    const { values, end } = await intoFile(`
      const MiB = 'm'.repeat(1024 * 1024 - 1) + '\\n';
      space.push(...Array(100).fill('full'));
      // One is being written, 16 wait, and one is too many.
      for (let i = 0; i < 18; i++) write(MiB);
      space.length = 0;
      space.push(...Array(17).fill(Number.POSITIVE_INFINITY), ${full});
      flush();
      tell([lost(), written.length / MiB.length]);`);
    expect(values).toEqual([[1, 17]]);
    expect(end).toBe(lostAtEnd(1));
  });

  it.each([
    ['within a line', 8, 'first\nse\nsecond\nthird\n'],
    ['at the end of a line', 6, 'first\nsecond\nthird\n'],
    ['before the end of a line', 12, 'first\nsecond\nsecond\nthird\n'],
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
