// engines: sqlite
import consumers from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { bodyStream, readBytes } from '../../../src/kit/http/body.ts';
import type { Exchange } from '../../../src/kit/http/exchange.ts';
import { answersIn, sendRaw } from '../../../tools/support/raw-http.ts';
import { useHttpServer } from '../../support/http-server.ts';

describe('a client whose body stops half way', () => {
  const faults: unknown[] = [];
  const readers: Record<string, (exchange: Exchange) => Promise<unknown>> = {
    '/whole': readBytes,
    '/streamed': (exchange) => consumers.text(bodyStream(exchange)),
  };
  const reading = useHttpServer(
    async (exchange) => {
      await readers[exchange.path]?.(exchange).catch((error) => {
        faults.push(error.errors);
        throw error;
      });
      return { status: 204, headers: {}, body: undefined };
    },
    { timeouts: { headers: 300, request: 300, idle: 60_000 } },
  );

  it.each(Object.keys(readers))('is answered 408 once and let go: %s', async (path) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n`;
    const text = await sendRaw(reading.url, `${head}{"title":`);
    expect(text).toMatch(/\r\nConnection: close\r\n/);
    expect(answersIn(text)).toEqual([
      { status: 408, problem: expect.objectContaining({ status: 408 }) },
    ]);
    expect(reading.failures).toEqual([]);
  });

  it('is told to the one who reads the body as it arrives', async () => {
    while (faults.length === 0) await setImmediate();
    expect(faults).toEqual([[{ path: '/body', message: 'was cut short' }]]);
  });
});
