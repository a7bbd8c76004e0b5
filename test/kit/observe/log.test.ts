// slow: starts processes
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createLog, type LogLevel } from '../../../src/kit/observe/log.ts';
import { readable } from '../../../src/kit/observe/log-form.ts';
import { atOnce, spawnServer } from '../../../tools/support/server-process.ts';
import { useServer } from '../../support/api-server.ts';

const server = useServer();
const { api, graphql } = server;

/** The lines of requests since the log had so many lines. */
const since = (length: number) =>
  server.log
    .slice(length)
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === undefined);

describe('a request', () => {
  it('is one line with its id, operation, status and time, once it is answered', async () => {
    const before = server.log.length;
    const { headers } = await api({ path: '/books/7?x=1', headers: { 'x-request-id': 'a:B-7._' } });
    expect(headers['x-request-id']).toBe('a:B-7._');
    await api({ path: '/books' });
    expect(since(before)).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        pid: process.pid,
        id: 'a:B-7._',
        operation: 'getBook',
        method: 'GET',
        path: '/books/7',
        status: 400,
        ms: expect.any(Number),
      },
      expect.objectContaining({ operation: 'listBooks', path: '/books', status: 200 }),
    ]);
  });

  it.each([
    ['POST', '/books', 'createBook', 400],
    ['HEAD', '/books', 'listBooks', 200],
    ['PATCH', '/books', 'none', 405],
    ['POST', '/metrics', 'none', 405],
    ['GET', '/nothing', 'none', 404],
    ['GET', '/docs', 'docs', 200],
    ['GET', '/docs/nothing', 'docs', 404],
  ])('%s %s is that of %s', async (method, path, operation, status) => {
    const before = server.log.length;
    await (await fetch(server.url + path, { method })).arrayBuffer();
    while (since(before).length === 0) await new Promise(setImmediate);
    expect(since(before)).toEqual([expect.objectContaining({ method, path, operation, status })]);
  });

  it('of GraphQL has the name of its operation', async () => {
    const before = server.log.length;
    await graphql('query Everybody { users { id } }');
    await graphql('{ users { id } }');
    await graphql(`query ${'x'.repeat(300)} { users { id } }`);
    expect(since(before).map(({ operation, graphql }) => [operation, graphql])).toEqual([
      ['executeGraphql', 'Everybody'],
      ['executeGraphql', undefined],
      ['executeGraphql', 'x'.repeat(60)],
    ]);
  });

  it.each(['', ' ', 'a b', 'a"b', 'é', '<x>', 'x'.repeat(129), 'a,b', "'", '\\'])(
    'whose id is not safe (%j) is given another',
    async (id) => {
      const { headers } = await api({ path: '/healthz', headers: { 'x-request-id': id } });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f]{16}-[0-9a-z]+$/);
    },
  );

  it('without an id is given one of its own, on every kind of answer', async () => {
    const asked = ['/books', '/books/x', '/nothing', '/graphql', '/docs', '/docs/assets/site.css'];
    const answers = await Promise.all(asked.map((path) => fetch(server.url + path)));
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(asked.length);
    expect(ids).not.toContain(null);
  });

  it('that is not HTTP has an id and a line, too', async () => {
    const before = server.log.length;
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.end('nonsense\u001b[31m\r\n\r\n');
    const [answer] = await once(socket, 'data');
    const [, id] = String(answer).match(/\r\nX-Request-Id: (\S+)\r\n/) ?? [];
    while (since(before).length === 0) await new Promise(setImmediate);
    expect(since(before)).toEqual([
      expect.objectContaining({ id, operation: 'none', method: '', path: '', status: 400 }),
    ]);
  });

  it('leaves no secret in the log: no query, no header, no body', async () => {
    const before = server.log.length;
    const headers = { authorization: 'Bearer s3cret', cookie: 's3cret', 'x-odd': 's3cret' };
    await api({ path: '/books?token=s3cret', headers });
    await api({ method: 'POST', path: '/books', headers, json: { title: 's3cret', pages: 1 } });
    await graphql('{ book(id: "s3cret") { id } }', {}, headers);
    expect(server.log.slice(before).length).toBe(3);
    expect(server.log.slice(before).join()).not.toContain('s3cret');
  });
});

describe('the log', () => {
  const written = (level: LogLevel, cause: unknown) => {
    const lines: string[] = [];
    const log = createLog(level, (line) => lines.push(line));
    log.info('hello');
    const asked = { id: '1', graphql: undefined, method: 'GET', path: '/x' };
    log.request?.(asked, { operation: 'none', status: 404, ms: 1.234 });
    log.failure('GET /x\nGET /forged \u001b[31m', cause, '1');
    return lines.map((line) => JSON.parse(line));
  };

  it('says as much as it is asked to', () => {
    expect(written('silent', 'why')).toEqual([]);
    expect(written('error', 'why').map(({ level }) => level)).toEqual(['error']);
    expect(written('info', 'why').map(({ level }) => level)).toEqual(['info', 'info', 'error']);
    expect(createLog('error', () => {}).request).toBeUndefined();
  });

  it('tells a failure with its request and its causes, and nothing else that these hold', () => {
    const inner = Object.assign(new Error('inner'), { code: '23505', detail: 'Key (email)=(a@b)' });
    const [line] = written('error', new Error('outer', { cause: inner }));
    expect(line).toMatchObject({
      msg: 'GET /x?GET /forged ?[31m failed',
      request: '1',
      cause: {
        stack: expect.stringContaining('outer'),
        cause: { stack: expect.stringContaining('inner'), code: '23505' },
      },
    });
    expect(JSON.stringify(line)).not.toContain('a@b');
  });

  it('is readable at a terminal, line by line, without what would change the terminal', () => {
    const texts: string[] = [];
    const log = createLog(
      'info',
      readable((text) => texts.push(text)),
    );
    const asked = { id: 'i', graphql: 'Q', method: 'GET', path: '/x\u001b[2J' };
    log.request?.(asked, { operation: 'none', status: 200, ms: 1.5 });
    log.info('Accord is at http://x', { docs: 'http://x/docs' });
    log.failure(
      'GET /x',
      Object.assign(new Error('why'), { stack: 'Error: why\u001b[2J\n  at y' }),
    );
    const at = '\\d\\d:\\d\\d:\\d\\d';
    expect(texts[0]).toMatch(new RegExp(`^${at} GET /x\\?\\[2J 200 1.5 ms {2}none Q i\n$`));
    expect(texts[1]).toMatch(
      new RegExp(`^${at} Accord is at http://x\n  docs      http://x/docs\n$`),
    );
    expect(texts[2]).toMatch(new RegExp(`^${at} GET /x failed\n  Error: why\\?\\[2J\n    at y\n$`));
  });

  it('stops nobody when its reader stops reading', async () => {
    const process = spawnServer({ DATABASE_URL: 'sqlite::memory:', ...atOnce });
    const url = await process.ready();
    process.child.stdout?.pause();
    const before = process.output().length;
    // A pipe takes 64 KiB, and the reader's own buffer a little more.
    const path = `/${'x'.repeat(200)}`;
    for (let i = 0; i < 1500; i++) await (await fetch(url + path)).arrayBuffer();
    process.child.stdout?.resume();
    process.child.kill('SIGTERM');
    await once(process.child, 'close');
    expect(process.child.exitCode).toBe(0);
    // Once somebody reads again, nothing is lost.
    const lines = process
      .output()
      .slice(before)
      .match(/"status":404/g);
    expect(lines?.length).toBe(1500);
  });
});
