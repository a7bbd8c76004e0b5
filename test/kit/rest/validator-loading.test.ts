// long: starts processes
import { type EventEmitter, once } from 'node:events';
import { expect, it } from 'vitest';
import { atOnce, spawnServer } from '../../../tools/support/server-process.ts';

// Tells of each import of the package.
const hooks = `
import { registerHooks } from 'node:module';
const resolve = (name, context, next) => {
  if (name === 'express-openapi-validator') console.error('the full path is loaded');
  return next(name, context);
};
registerHooks({ resolve });
`;
const nodeOptions = ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`];
const book = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"title":"Ubik","pages":202}',
};

async function start(FAST_LANE: string) {
  const env = { DATABASE_URL: 'sqlite::memory:', ...atOnce, FAST_LANE };
  const { child, ready, ended, output } = spawnServer(env, nodeOptions);
  const url = await ready();
  // It is piped.
  const stderr: EventEmitter = Object(child.stderr);
  const isLoaded = () => output().includes('the full path is loaded');
  return {
    isLoaded,
    status: async (path: string, init?: RequestInit) => (await fetch(url + path, init)).status,
    async loaded() {
      while (!isLoaded()) await once(stderr, 'data');
    },
    async stop() {
      child.kill();
      await ended();
    },
  };
}

it('the fast lane needs no express-openapi-validator, which is loaded for what it leaves', async () => {
  const { status, isLoaded, loaded, stop } = await start('on');
  expect([await status('/books?limit=1'), await status('/books', book)]).toEqual([200, 201]);
  expect(isLoaded()).toBe(false);
  expect(await status('/books?limit=1001')).toBe(400);
  await loaded();
  await stop();
});

it('without the fast lane it is loaded for the first request', async () => {
  const { status, isLoaded, loaded, stop } = await start('off');
  expect(isLoaded()).toBe(false);
  expect(await status('/books')).toBe(200);
  await loaded();
  await stop();
});
