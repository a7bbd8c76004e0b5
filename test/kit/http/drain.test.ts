import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { api } from '../../../src/api/api.ts';
import { createLog } from '../../../src/kit/observe/log.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { serve } from '../../../src/kit/serve.ts';

const get = 'GET /greet/en HTTP/1.1\r\nHost: x\r\n\r\n';
const LONG = '60000';

/** A server that is about to stop, and a connection on which it has answered. */
async function withClient(env: Record<string, string>) {
  const config = readSettings({
    PORT: '0',
    DATABASE_URL: 'sqlite::memory:',
    DRAIN_DELAY: '0',
    DRAIN_LONGEST: LONG,
    ...env,
  });
  const { url, stop } = await serve(api, { settings: config, log: createLog('silent', () => {}) });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const gone = once(socket, 'close');
  const ask = async () => {
    socket.write(get);
    const text = String(await once(socket, 'data'));
    expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    return text.match(/\r\nConnection: (.*)\r\n/)?.[1];
  };
  expect(await ask()).toBe('keep-alive');
  return { socket, gone, stop, ask };
}

describe('a server that stops', () => {
  it('answers on a connection that is open, asks the client to close it, and waits no longer', async () => {
    const { gone, stop, ask } = await withClient({ DRAIN_GRACE: LONG });
    const stopped = stop();
    while ((await ask()) !== 'close');
    await Promise.all([stopped, gone]);
  });

  it('closes a connection that stays idle', async () => {
    const { gone, stop } = await withClient({ DRAIN_GRACE: '200' });
    await Promise.all([stop(), gone]);
  });

  it('cuts off what takes longest', async () => {
    const { socket, gone, stop } = await withClient({ DRAIN_GRACE: '0', DRAIN_LONGEST: '200' });
    socket.write('POST /tasks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
    socket.write('Expect: 100-continue\r\nContent-Length: 13\r\n\r\n');
    const [told] = await once(socket, 'data');
    expect(String(told)).toMatch(/^HTTP\/1.1 100 Continue/);
    const later: string[] = [];
    socket.on('data', (chunk) => later.push(String(chunk)));
    await Promise.all([stop(), gone]);
    expect(later.join()).not.toContain('201');
  });
});
