import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { api as definition } from '../../../src/api/api.ts';
import { createLog } from '../../../src/kit/observe/log.ts';
import { readSettings } from '../../../src/kit/process/settings.ts';
import { serve } from '../../../src/kit/serve.ts';
import { shownAddress } from '../../../src/kit/store/database-address.ts';
import { atOnce } from '../../../tools/support/server-process.ts';
import { useServer } from '../../support/api-server.ts';

const { api, graphql } = useServer();

describe('an attacker', () => {
  const sql = [
    "'); DROP TABLE books; --",
    "' OR '1'='1",
    '$1',
    '?1',
    '"; DELETE FROM books; --',
    "\\'; SELECT 1; --",
  ];

  it.each(sql)('SQL in text is text: %s', async (title) => {
    const created = await api({ method: 'POST', path: '/books', json: { title, pages: 1 } });
    const path = `/books/${created.json.id}`;
    expect((await api({ path })).json.title).toBe(title);
    expect((await api({ path: `/books/${encodeURIComponent(title)}` })).status).toBe(400);
    expect((await api({ path, headers: { 'if-none-match': title } })).status).toBe(400);
    expect((await api({ path: `/books?after=${encodeURIComponent(title)}` })).status).toBe(400);
    const query = 'query ($id: ID!) { book(id: $id) { title } }';
    expect((await graphql(query, { id: title })).json.data).toEqual({ book: null });
  });

  it.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data; boundary=x',
    undefined,
  ])('a form of another page writes nothing: %s', async (type) => {
    const before = (await api({ path: '/tasks' })).text;
    const headers = {
      origin: 'https://evil.example',
      cookie: 'session=1',
      ...(type && { 'content-type': type }),
    };
    const body = '{"title":"x"}';
    expect((await api({ method: 'POST', path: '/tasks', headers, body })).status).toBe(400);
    const mutation = '{"query":"mutation { addTodo(title: \\"x\\") { id } }"}';
    const sent = { method: 'POST', path: '/graphql', headers };
    expect((await api({ ...sent, body: mutation })).status).toBe(400);
    expect((await api({ path: '/tasks' })).text).toBe(before);
    expect((await graphql('{ todos { id } }')).json.data.todos).toEqual([]);
  });
});

describe('a secret', () => {
  it.each([
    { AUTH_SECRET: 's3cret' },
    { AUTH_SECRET: 's3cret'.repeat(9), AUTH_JWKS_URL: 'https://x/' },
    { AUTH_SECERT: 's3cret' },
    ...[
      'postgre://u:s3cret@h/d',
      'postgres:/u:s3cret@h/d',
      'postgres:u:s3cret@h/d',
      'postgresql//u:s3cret@h/d',
      'mysql://u:s3cret@h/d',
      ' postgres://u:s3cret@h/d',
      '"postgres://u:s3cret@h/d"',
      'postgres://u:s3cret@h:port/d',
      'postgres://u:s3cret@h h/d',
      'postgres://u:p@s3cret@h:x/d',
      'postgres://u:1/s3cret@h/d',
      'postgres://u:1?s3cret@h/d',
      'postgres://u:1#s3cret@h/d',
      'jdbc:postgresql://h/d?user=u&password=s3cret',
      'host=h user=u password=s3cret',
      's3cret',
      'sqlite:postgres://u:s3cret@h/d',
    ].map((DATABASE_URL) => ({ DATABASE_URL })),
    ...[
      'ftp://u:s3cret@x',
      'http//x?token=s3cret',
      'https://u:s3cret@x/keys',
      'https://s3cret@x/keys',
      'https://u:s3cret@x:y/keys',
      'x?token=s3cret',
    ].map((AUTH_JWKS_URL) => ({ AUTH_JWKS_URL, AUTH_ISSUER: 'i', AUTH_AUDIENCE: 'a' })),
    { AUTH_JWKS_URL: 'https://x/keys?token=s3cret' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'u:s3cret@x:4318' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://u:s3cret@x:y' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://x?token=s3cret' },
    { CORS_ORIGINS: 'https://u:s3cret@x' },
  ])('a refused setting does not repeat its secret: %j', (env) => {
    let message = '';
    try {
      readSettings(env);
    } catch (error) {
      message = inspect(error);
    }
    expect(message).toMatch(/(takes|exclude|needs|did you mean|has a port)/);
    expect(message).not.toContain('s3cret');
  });

  it.each([
    ['sqlite:data/accord.db', 'sqlite:data/accord.db'],
    ['postgres://u:s3cret@h/d', 'postgres://h/d'],
    ['postgresql://u:s3cret@[::1]:5433/d', 'postgresql://[::1]:5433/d'],
    ['postgres://u:p@s3cret@h:5432/d', 'postgres://h:5432/d'],
    ['postgres://h/d?user=u&password=s3cret', 'postgres://h/d'],
    ['postgres:///d?host=/run&password=s3cret', 'postgres:///d'],
  ])('an address is shown without its secrets: %s', (address, shown) => {
    expect(readSettings({ DATABASE_URL: address }).databaseUrl).toBe(address);
    expect(shownAddress(address)).toBe(shown);
  });

  it.each([
    ['is not there', undefined],
    ['answers 500', () => ({ status: 500, body: '' })],
    ['answers no JSON', () => ({ status: 200, body: 'x' })],
    ['answers JSON that holds no keys', () => ({ status: 200, body: '{}' })],
    ['leads elsewhere', (url: string) => ({ status: 302, body: '', location: url })],
  ])('of addresses stays out of the log when the other side %s', async (_, answer) => {
    const other = createServer(async (request, response) => {
      await Array.fromAsync(request);
      const { status, body, ...headers } = answer?.(`http://x${request.url}`) ?? { status: 200 };
      response.writeHead(status, headers).end(body);
    });
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    if (!answer) other.close();
    const log: string[] = [];
    const env = {
      PORT: '0',
      ...atOnce,
      DATABASE_URL: 'sqlite::memory:',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://u:s3cret@127.0.0.1:${port}/?token=s3cret`,
      AUTH_JWKS_URL: `http://127.0.0.1:${port}/keys?token=s3cret`,
      AUTH_ISSUER: 'i',
      AUTH_AUDIENCE: 'a',
    };
    const server = await serve(definition, {
      settings: readSettings(env),
      log: createLog('info', (line) => log.push(line)),
    });
    const headers = { authorization: 'Bearer eyJhbGciOiJSUzI1NiJ9.e30.AA' };
    const { status } = await fetch(`${server.url}/books/1`, { method: 'DELETE', headers });
    expect(status).toBe(503);
    await server.stop();
    other.close();
    expect(log.join()).toContain('DELETE /books/1 failed');
    expect(log.join()).not.toContain('s3cret');
  });
});

describe('docs/security.md', () => {
  const text = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (threat|kept|---)/.test(line))
    .map((line) => line.slice(2, -2).split(' | '));

  it('has threats', () => {
    expect(rows.length).toBeGreaterThan(30);
  });

  it.each(rows)('%s: %s, which %s shows', (_threat, _answer, shown) => {
    const [, file = '', title = ''] =
      shown?.match(/^`(test\/(?:[a-z]+\/)*[a-z-]+\.test\.ts)`: (.+)$/) ?? [];
    const url = new URL(`../../../${file}`, import.meta.url);
    expect([file, existsSync(url)]).toEqual([file, true]);
    // Among the titles, which are texts; not in a comment.
    const titles = [...readFileSync(url, 'utf8').matchAll(/(['"`])((?:(?!\1)[^\n])*)\1/g)];
    expect(titles.map((match) => match[2]).filter((each) => each?.includes(title))).not.toEqual([]);
  });
});
