import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { api } from '../../../src/api/api.ts';
import type { Store } from '../../../src/api/tables.ts';
import { createLog } from '../../../src/kit/observe/log.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { serve } from '../../../src/kit/serve.ts';

const get = 'GET /greet/en HTTP/1.1\r\nHost: x\r\n\r\n';
const LONG = '60000';

/** This API on a database of its own. */
function start(env: Record<string, string>, parts: object = {}) {
  const settings = readSettings({
    PORT: '0',
    DATABASE_URL: 'sqlite::memory:',
    DRAIN_DELAY: '0',
    DRAIN_LONGEST: LONG,
    ...env,
  });
  return serve({ ...api, ...parts }, { settings, log: createLog('silent', () => {}) });
}

/** Asks whether it is ready until nobody is there any more; the statuses. */
async function untilGone(url: string): Promise<number[]> {
  const statuses: number[] = [];
  const headers = { connection: 'close' };
  for (;;) {
    const answer = await fetch(`${url}/readyz`, { headers }).catch(() => undefined);
    if (!answer) return statuses;
    await answer.arrayBuffer().catch(() => {});
    statuses.push(answer.status);
  }
}

/** A server that is about to stop, and a connection on which it has answered. */
async function withClient(env: Record<string, string>) {
  const { url, stop } = await start(env);
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

  it('is there for as long as DRAIN_DELAY says, and not ready', async () => {
    const { url, stop } = await start({ DRAIN_DELAY: '300', DRAIN_GRACE: '0' });
    const begun = performance.now();
    const stopped = stop();
    const statuses = await untilGone(url);
    // A timer may be a millisecond early.
    expect(performance.now() - begun).toBeGreaterThan(298);
    expect(statuses.filter((status) => status !== 503)).toEqual([]);
    await stopped;
  });

  it('sends a list to its end, though its client has paused', async () => {
    const note = { title: 'x', body: 'x'.repeat(5000) };
    // More than the buffers of a connection hold.
    const count = 6000;
    const demo = async (store: Store) => {
      await Promise.all(Array.from({ length: count }, () => store.notes.create(note)));
    };
    const { url, stop } = await start({ DRAIN_GRACE: '0', SEED_DEMO: 'true' }, { demo });
    const list = await fetch(`${url}/notes`);
    const stopped = stop();
    await untilGone(url);
    expect(await list.json()).toHaveLength(count);
    await stopped;
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
