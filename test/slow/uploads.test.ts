import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { UploadedFile } from '../../src/kit/http/upload-spool.ts';
import { bodyContract } from '../support/body-contract.ts';
import { serveContract } from '../support/contract-server.ts';

const MEGABYTE = 1_000_000;
const file = { type: 'string', contentMediaType: 'image/png' };
const contract = bodyContract({
  required: true,
  content: {
    'multipart/form-data': { schema: { type: 'object', properties: { file } } },
    'application/octet-stream': {},
  },
});
const handlers = {
  take: async ({ body }: { body: { file: UploadedFile } | AsyncIterable<Buffer> }) => {
    let length = 0;
    const pieces: AsyncIterable<Buffer> = 'file' in body ? body.file.stream() : body;
    for await (const piece of pieces) length += piece.length;
    return { status: 200, headers: {}, body: String(length) };
  },
};

let stop = async () => {};
afterEach(() => stop());

async function serveUploads() {
  const server = await serveContract(contract, handlers, { env: { UPLOAD_LIMIT: '800000000' } });
  stop = server.stop;
  return server.url;
}

function head(type: string, length: number): string {
  return `POST /body HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
}
const start = '--b\r\nContent-Disposition: form-data; name=file; filename=x\r\n\r\n';
const end = '\r\n--b--\r\n';

/** Memory beyond that at the start, at most. */
async function peakOf(work: () => Promise<void>): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss - before);
  }, 20);
  await work();
  clearInterval(timer);
  return peak / MEGABYTE;
}

describe('a body of 500 MB', () => {
  it.each([
    ['multipart/form-data; boundary=b', start, end],
    ['application/octet-stream', '', ''],
  ])('(%s) is never held in memory', async (type, before, after) => {
    const url = await serveUploads();
    const { hostname, port } = new URL(url);
    const piece = Buffer.alloc(MEGABYTE, 'x');
    const send = async (count: number) => {
      const socket = connect(Number(port), hostname);
      socket.write(head(type, before.length + count * piece.length + after.length));
      socket.write(before);
      for (let i = 0; i < count; i++) if (!socket.write(piece)) await once(socket, 'drain');
      socket.end(after);
      const answer = String(await buffer(socket));
      expect(answer).toMatch(/^HTTP\/1.1 200 /);
      expect(answer).toContain(`\r\n\r\n${count * MEGABYTE}`);
    };
    await send(10);
    const peak = await peakOf(() => send(500));
    // Buffers that are read stay until V8 collects them.
    expect(peak).toBeLessThan(200);
  });
});

describe('1,000 uploads at a time', () => {
  it('whose clients stall take little memory, and none when they are gone', async () => {
    const url = await serveUploads();
    const { hostname, port } = new URL(url);
    const sockets: Socket[] = [];
    const peak = await peakOf(async () => {
      for (let i = 0; i < 1000; i++) {
        const socket = connect(Number(port), hostname).on('error', () => {});
        await once(socket, 'connect');
        socket.write(head('multipart/form-data; boundary=b', MEGABYTE));
        socket.write(start + 'x'.repeat(200_000));
        sockets.push(socket);
      }
      await sleep(2000);
    });
    // Sockets of both sides, their buffers and the open files, about 100 KB for each.
    expect(peak).toBeLessThan(200);
    for (const socket of sockets) socket.resetAndDestroy();
    const answer = await fetch(`${url}/body`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: 'x',
    });
    expect(await answer.text()).toBe('1');
  });
});
