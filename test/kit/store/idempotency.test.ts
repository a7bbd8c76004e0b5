// engines: sqlite, postgres
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { api as definition } from '../../../src/api/api.ts';
import { createLog } from '../../../src/kit/observe/log.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { serve } from '../../../src/kit/serve.ts';
import { atOnce } from '../../../tools/support/server-process.ts';
import { useServer } from '../../support/api-server.ts';
import { type Client, createClient } from '../../support/client.ts';
import { collections, samples } from '../../support/collections.ts';
import { ENOUGH_CONNECTIONS, needPostgres, newDatabase } from '../../support/engine.ts';

const pool = { DATABASE_POOL: `${ENOUGH_CONNECTIONS}` };
const { api } = useServer(pool, collections);
const secret = 'a secret that is long enough for HS256';
const guarded = useServer({ AUTH_SECRET: secret });
const forgetful = useServer({ IDEMPOTENCY_EXPIRY: '60' });
needPostgres();
afterEach(() => {
  vi.useRealTimers();
});

const book = samples.books.input;

function post(on: Client, key: string, json: unknown = book, more: Record<string, string> = {}) {
  const headers = { 'idempotency-key': key, ...more };
  return on({ method: 'POST', path: '/books', json, headers });
}

describe.each(collections)('POST /%s with an Idempotency-Key', (name) => {
  const path = `/${name}`;
  const { input, other } = samples[name];
  const create = (key: string, json: unknown) =>
    api({ method: 'POST', path, json, headers: { 'idempotency-key': key } });

  it('is answered as the first time, and stores one record', async () => {
    const key = randomUUID();
    const before = (await api({ path })).json.length;
    const first = await create(key, input);
    const again = await create(key, input);
    expect(first.status).toBe(201);
    expect(again.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect(again.headers.location).toBe(first.headers.location);
    expect(again.headers.etag).toBe(first.headers.etag);
    expect((await api({ path })).json).toHaveLength(before + 1);
  });

  it('is refused with another body, and stores nothing', async () => {
    const key = randomUUID();
    await create(key, input);
    const before = (await api({ path })).text;
    const refused = await create(key, other);
    expect(refused.status).toBe(422);
    expect(refused.json.type).toBe('urn:accord:problem:key-reused');
    expect((await api({ path })).text).toBe(before);
  });
});

describe('an Idempotency-Key', () => {
  it('gives the first answer also after the record was changed and deleted', async () => {
    const key = randomUUID();
    const first = await post(api, key);
    const path = String(first.headers.location);
    await api({ method: 'PUT', path, json: samples.books.other });
    expect((await post(api, key)).text).toBe(first.text);
    await api({ method: 'DELETE', path });
    expect((await post(api, key)).text).toBe(first.text);
    expect((await api({ path })).status).toBe(404);
  });

  it('makes one record of requests that come at the same time', async () => {
    const key = randomUUID();
    const before = (await api({ path: '/books' })).json.length;
    const answers = await Promise.all(Array.from({ length: 32 }, () => post(api, key)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await api({ path: '/books' })).json).toHaveLength(before + 1);
  });

  it('is another one in another collection', async () => {
    const key = randomUUID();
    await post(api, key);
    const headers = { 'idempotency-key': key };
    const { input } = samples.notes;
    const note = await api({ method: 'POST', path: '/notes', json: input, headers });
    expect(note.json).toMatchObject(input);
  });

  it('does not tell bodies apart that mean the same', async () => {
    const key = randomUUID();
    const headers = { 'idempotency-key': key, 'content-type': 'application/json' };
    const send = (body: string) => api({ method: 'POST', path: '/tasks', body, headers });
    const first = await send('{"title":"Sweep","done":false}');
    expect((await send('{ "title": "Sweep" }')).text).toBe(first.text);
  });

  it('is free again when the first request was refused', async () => {
    const key = randomUUID();
    expect((await post(api, key, { title: '' })).status).toBe(400);
    expect((await post(api, key)).status).toBe(201);
  });

  it.each([
    ['empty', ''],
    ['too long', 'k'.repeat(256)],
    ['of other characters', 'a key'],
  ])('that is %s is 400', async (_, key) => {
    const refused = await post(api, key);
    expect(refused.status).toBe(400);
    expect(refused.json.errors[0].path).toBe('/headers/idempotency-key');
  });

  it('takes 255 characters', async () => {
    expect((await post(api, '~'.repeat(255))).status).toBe(201);
  });

  it('is the caller’s own', async () => {
    const key = randomUUID();
    const as = async (sub: string) => {
      const token = await new SignJWT({ sub })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime('1h')
        .sign(new TextEncoder().encode(secret));
      return post(guarded.api, key, book, { authorization: `Bearer ${token}` });
    };
    const [ada, alan, again] = [await as('ada'), await as('alan'), await as('ada')];
    expect(alan.headers.location).not.toBe(ada.headers.location);
    expect(again.text).toBe(ada.text);
    expect((await post(guarded.api, key)).status).toBe(401);
  });

  it('is kept for as many seconds as are set, and then takes another body', async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const key = randomUUID();
    const first = await post(forgetful.api, key);
    vi.setSystemTime(start + 59_999);
    expect((await post(forgetful.api, key)).text).toBe(first.text);
    expect((await post(forgetful.api, key, samples.books.other)).status).toBe(422);
    vi.setSystemTime(start + 60_000);
    const later = await post(forgetful.api, key, samples.books.other);
    expect(later.status).toBe(201);
    expect(later.headers.location).not.toBe(first.headers.location);
  });

  it('holds across instances and restarts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'accord-'));
    const DATABASE_URL = inject('postgres')
      ? await newDatabase()
      : `sqlite:${join(folder, 'a.db')}`;
    const config = readSettings({ PORT: '0', ...atOnce, ...pool, DATABASE_URL });
    const run = () => serve(definition, { settings: config, log: createLog('silent', () => {}) });
    const servers = [await run(), await run()];
    const clients = await Promise.all(servers.map(({ url }) => createClient(url)));
    const key = randomUUID();
    const send = (each: Client[]) => Promise.all(each.map((client) => post(client, key)));
    const answers = await send(Array.from({ length: 16 }, () => clients).flat());
    for (const server of servers) await server.stop();
    const third = await run();
    answers.push(...(await send([await createClient(third.url)])));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    await third.stop();
    rmSync(folder, { recursive: true });
  });
});
