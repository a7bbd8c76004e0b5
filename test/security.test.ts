import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { useServer } from './support/server.ts';

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
    { DATABASE_URL: 'postgre://u:s3cret@h/d' },
  ])('a refused setting does not repeat its secret: %j', (env) => {
    let message = '';
    try {
      readConfig(env);
    } catch (error) {
      message = String(error);
    }
    expect(message).not.toBe('');
    expect(message).not.toContain('s3cret');
  });
});

describe('docs/security.md', () => {
  const text = readFileSync(new URL('../docs/security.md', import.meta.url), 'utf8');
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (threat|---)/.test(line))
    .map((line) => line.slice(2, -2).split(' | '));

  it('has threats', () => {
    expect(rows.length).toBeGreaterThan(30);
  });

  it.each(rows)('%s: %s, which %s shows', (_threat, _answer, shown) => {
    const [, file = '', title = ''] =
      shown?.match(/^`(test\/(?:slow\/)?[a-z-]+\.test\.ts)`: (.+)$/) ?? [];
    const url = new URL(`../${file}`, import.meta.url);
    expect([file, existsSync(url)]).toEqual([file, true]);
    // Among the titles, which are texts; not in a comment.
    const titles = [...readFileSync(url, 'utf8').matchAll(/(['"`])((?:(?!\1)[^\n])*)\1/g)];
    expect(titles.map((match) => match[2]).filter((each) => each?.includes(title))).not.toEqual([]);
  });
});
