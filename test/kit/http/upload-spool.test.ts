import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSpool, type Spool } from '../../../src/kit/http/upload-spool.ts';

const folder = mkdtempSync(join(tmpdir(), 'spools-'));
beforeEach(() => {
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** An exchange that can be ended. */
function exchange(): { spool: Spool; end: () => void } {
  const response = Object.assign(new EventEmitter(), { closed: false });
  const end = () => {
    response.closed = true;
    response.emit('close');
  };
  // It needs no more of a response.
  const given: ServerResponse = Object(response);
  return { spool: createSpool(given), end };
}
const pieces = (...texts: string[]) => Readable.from(texts.map((text) => Buffer.from(text)));

/** Files of the folder that this process holds open; they have no name any more. */
const openFiles = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      return false;
    }
  }).length;

describe('the files of a request', () => {
  it('are read as they came, each by itself, as often as is asked', async () => {
    const { spool, end } = exchange();
    const empty = await spool(pieces());
    expect(openFiles()).toBe(0);
    const first = await spool(pieces('one', ', ', 'two'));
    const second = await spool(pieces('three'));
    const last = await spool(pieces());
    const all = [empty, first, second, last];
    const texts = ['', 'one, two', 'three', ''];
    expect(all.map(({ size }) => size)).toEqual(texts.map((text) => text.length));
    for (let i = 0; i < 2; i++) {
      expect(await Promise.all(all.map(async (each) => String(await each.bytes())))).toEqual(texts);
      const streamed = all.map(async (each) => String(await buffer(each.stream())));
      expect(await Promise.all(streamed)).toEqual(texts);
    }
    expect([readdirSync(folder), openFiles()]).toEqual([[], 1]);
    end();
    while (openFiles() > 0) await sleep(5);
  });

  it('are gone when it is over, for those who read them then, too', async () => {
    const { spool, end } = exchange();
    const file = await spool(pieces('x'.repeat(500_000)));
    const over = {
      code: 'invalid-request',
      detail: 'The exchange is over, and its files are gone.',
    };
    const faults: unknown[] = [];
    const done = file.stream().on('error', (error) => faults.push(error));
    await buffer(done);
    const unread = file.stream();
    const failed = once(unread, 'error');
    end();
    expect(unread.destroyed).toBe(true);
    expect(await failed).toMatchObject([over]);
    expect(() => file.stream()).toThrow(expect.objectContaining(over));
    await expect(file.bytes()).rejects.toMatchObject(over);
    // One that was read to its end has not failed.
    expect(faults).toEqual([]);
    while (openFiles() > 0) await sleep(5);
  });

  it('are stored whole, however little the disk takes at a time, in a file without a name', async () => {
    const { spool, end } = exchange();
    const file = await spool(pieces('x'));
    expect(readdirSync(folder)).toEqual([]);
    const handle = await open(join(folder, 'any'), 'w');
    await handle.close();
    rmSync(join(folder, 'any'));
    const prototype = Object.getPrototypeOf(handle);
    const { write } = prototype;
    const writing = vi.spyOn(prototype, 'write').mockImplementation(function (
      this: unknown,
      ...given: unknown[]
    ) {
      const [piece, from, size, to] = given;
      return write.call(this, piece, from, Math.min(Number(size), 2), to);
    });
    const other = await spool(pieces('one', ', two'));
    writing.mockRestore();
    expect([String(await file.bytes()), String(await other.bytes())]).toEqual(['x', 'one, two']);
    end();
    while (openFiles() > 0) await sleep(5);
  });

  it('are closed when what is being written is written', async () => {
    const { spool, end } = exchange();
    await spool(pieces('x'));
    const handle = await open(join(folder, 'any'), 'w');
    await handle.close();
    rmSync(join(folder, 'any'));
    const done = Promise.withResolvers<void>();
    const writing = vi
      .spyOn(Object.getPrototypeOf(handle), 'write')
      .mockImplementation(async () => {
        await done.promise;
        return { bytesWritten: 1 };
      });
    const stored = spool(pieces('y')).catch((error) => error);
    await vi.waitFor(() => expect(writing).toHaveBeenCalled());
    end();
    await sleep(20);
    expect(openFiles()).toBe(1);
    done.resolve();
    await stored;
    await vi.waitFor(() => expect(openFiles()).toBe(0));
    writing.mockRestore();
  });

  it('that come when it is over are not stored', async () => {
    const { spool, end } = exchange();
    end();
    await expect(spool(pieces('x'))).rejects.toMatchObject({
      errors: [{ path: '/body', message: 'was cut short' }],
    });
    expect([readdirSync(folder), openFiles()]).toEqual([[], 0]);
  });

  it('that cannot be stored are a failure of the server, and leave nothing', async () => {
    const { spool, end } = exchange();
    vi.stubEnv('TMPDIR', join(folder, 'absent'));
    await expect(spool(pieces('x'))).rejects.toMatchObject({
      code: 'unavailable',
      cause: { code: 'ENOENT' },
    });
    end();
    await sleep(0);
    expect(openFiles()).toBe(0);
  });
});
