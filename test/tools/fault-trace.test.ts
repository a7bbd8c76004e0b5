import { describe, expect, it } from 'vitest';
import { orderIn } from '../../tools/faults/trace.ts';

const written = '7 pwrite64(21</d/a.db-wal>, "x"..., 24, 32) = 24';
const flushed = '7 fdatasync(21</d/a.db-wal>)     = 0';
const answered = '7 write(24<socket:[1]>, "HTTP/1.1 201 Created\\r\\n"..., 300) = 300';

describe('the order in a trace of system calls', () => {
  it('is right where each answer follows the flush of what was written', () => {
    const trace = [written, flushed, answered, answered, written, written, flushed, answered];
    expect(orderIn(trace.join('\n'))).toEqual({ answers: 3, flushes: 2, early: 0 });
  });

  it.each([
    ['that comes before the flush', [written, answered, flushed]],
    ['whose flush failed', [written, flushed.replace('= 0', '= -1 EIO'), answered]],
    ['when another file was flushed', [written, flushed.replace('-wal', ''), answered]],
  ])('is wrong with an answer %s', (_, trace) => {
    expect(orderIn(trace.join('\n')).early).toBe(1);
  });
});
