// engines: sqlite
// slow: waits for time-outs
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createBreaches } from '../../../src/kit/cli/proxy/breaches.ts';
import { createChecks } from '../../../src/kit/cli/proxy/checks.ts';
import { startProxy } from '../../../src/kit/cli/proxy/proxy-server.ts';
import { sendRaw, statusesIn } from '../../../tools/support/raw-http.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(server: Server): Promise<URL> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  // A TCP server that listens has an address of this kind.
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

type Seen = {
  readonly method: string;
  readonly url: string;
  readonly headers: string[];
  readonly body: string;
};

/** A proxy without contracts before a server that keeps what it was sent. */
async function setUp(path = '', answered: string[] = []) {
  const seen: Seen[] = [];
  const server = createServer({ maxHeaderSize: 65_536 }, async (asked, response) => {
    const { method = '', url = '', rawHeaders: headers } = asked;
    seen.push({ method, url, headers, body: (await buffer(asked)).toString() });
    response.sendDate = false;
    response.writeHead(200, answered);
    response.end('{}');
  });
  server.maxHeadersCount = 0;
  const address = new URL(path, await listen(server));
  const breaches = createBreaches(() => {});
  const checks = await createChecks({
    contract: undefined,
    schema: undefined,
    graphqlPath: '/graphql',
    breaches,
    onWarning: () => {},
  });
  const proxy = await startProxy({ address, checks, refuse: false, port: 0, patience: 60_000 });
  closing.push(proxy.stop);
  return { url: proxy.url, address, seen, breaches, checks };
}

const raw = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;

describe('a proxy passes a request on', () => {
  it('without what is said of the connection, to the host of the address', async () => {
    const { url, seen, address } = await setUp();
    const hops = [
      ...['Connection: close, X-Drop', 'X-Drop: 1', 'Keep-Alive: timeout=5', 'Proxy-Connection: a'],
      ...[
        'TE: trailers',
        'Upgrade-Insecure: kept',
        'Trailer: X',
        'Proxy-Authorization: b',
        'Proxy-Authenticate: c',
      ],
    ];
    await sendRaw(
      url,
      raw('GET /a?b=1 HTTP/1.1', 'Host: sky.test', 'X-Keep: 1', ...hops, 'x-keep: 2'),
    );
    expect(seen[0]).toEqual({
      ...{ method: 'GET', url: '/a?b=1', body: '' },
      headers: [
        'Host',
        address.host,
        'X-Keep',
        '1',
        'Upgrade-Insecure',
        'kept',
        'x-keep',
        '2',
        'Connection',
        'close',
      ],
    });
  });

  it.each([
    ['GET', []],
    ['HEAD', []],
    ['DELETE', []],
    ['OPTIONS', []],
    ['TRACE', []],
    ['POST', ['Content-Length', '0']],
    ['PUT', ['Content-Length', '0']],
    ['PATCH', ['Content-Length', '0']],
  ])('%s without a body', async (method, headers) => {
    const { url, seen } = await setUp();
    await sendRaw(url, raw(`${method} /a HTTP/1.1`, 'Host: x', 'Connection: close'));
    const sent = seen[0]?.headers.slice(2, -2);
    expect(sent).toEqual(headers);
    expect(seen[0]?.headers).not.toContain('Transfer-Encoding');
  });

  it('with its body, in chunks or with a length', async () => {
    const { url, seen } = await setUp();
    await sendRaw(
      url,
      `${raw('POST /a HTTP/1.1', 'Host: x', 'Connection: close', 'Transfer-Encoding: chunked')}3\r\nabc\r\n0\r\n\r\n`,
    );
    await sendRaw(
      url,
      `${raw('POST /a HTTP/1.1', 'Host: x', 'Connection: close', 'Content-Length: 3')}abc`,
    );
    expect(seen.map(({ body }) => body)).toEqual(['abc', 'abc']);
    expect(seen[0]?.headers.slice(2, 4)).toEqual(['Transfer-Encoding', 'chunked']);
    expect(seen[1]?.headers.slice(2, 4)).toEqual(['Content-Length', '3']);
  });

  it('with all of its headers, and its answer with all of those, however many they are', async () => {
    const many = Array.from({ length: 2000 }, (_, i) => [`x${i}`, '1']).flat();
    const { url, seen } = await setUp('', many);
    const lines = many.flatMap((name, i) => (i % 2 === 0 ? `${name}: ${many[i + 1]}` : []));
    const answer = await sendRaw(
      url,
      raw('GET /a HTTP/1.1', 'Host: x', ...lines, 'Connection: close'),
    );
    expect(seen[0]?.headers.slice(2, -2)).toEqual(many);
    for (const line of lines) expect(answer).toContain(`\r\n${line}\r\n`);
  });

  it('below the path of the address, whatever form its own has', async () => {
    const { url, seen } = await setUp('/v1/');
    for (const target of ['/a', 'http://other.test/b?c']) {
      await sendRaw(url, raw(`GET ${target} HTTP/1.1`, 'Host: other.test', 'Connection: close'));
    }
    expect(seen.map((each) => each.url)).toEqual(['/v1/a', '/v1/b?c']);
  });

  it.each([
    ['OPTIONS', '*', '*'],
    ['OPTIONS', 'http://other.test', '*'],
    ['OPTIONS', 'http://other.test/', '/v1/'],
    ['OPTIONS', 'http://other.test?*', '/v1/?*'],
    ['OPTIONS', '/*', '/v1/*'],
    ['GET', 'http://other.test', '/v1/'],
  ])('%s %s as %s', async (method, target, sent) => {
    const { url, seen } = await setUp('/v1/');
    await sendRaw(
      url,
      raw(`${method} ${target} HTTP/1.1`, 'Host: other.test', 'Connection: close'),
    );
    expect(seen).toMatchObject([{ method, url: sent }]);
  });

  it('and its answer without what is said of the connection', async () => {
    const answered = [
      'Connection',
      'X-Drop',
      'X-Drop',
      '1',
      'Keep-Alive',
      'timeout=9',
      'X-Keep',
      '1',
      'Upgrade',
      'h2c',
    ];
    const { url } = await setUp('', [...answered, 'Content-Length', '2']);
    const text = await sendRaw(url, raw('GET /a HTTP/1.1', 'Host: x', 'Connection: close'));
    expect(text).toBe(
      'HTTP/1.1 200 OK\r\nX-Keep: 1\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
    );
  });
});

it('a proxy counts what it passes on, also where there is no contract for it', async () => {
  const { url, checks, breaches } = await setUp();
  for (const path of ['/a/1', '/a/2']) await (await fetch(url + path)).text();
  await checks.settled();
  expect(checks.traffic.requests).toBe(2);
  expect([...checks.traffic.answers]).toEqual([['other → 200', 2]]);
  expect(
    breaches.kinds().map(({ operation, count, example }) => [operation, count, example]),
  ).toEqual([['GET /a/*', 2, 'GET /a/*']]);
});

it('a proxy that stops ends the connections that are left after a second', async () => {
  const silent = createServer(() => {});
  const address = await listen(silent);
  const breaches = createBreaches(() => {});
  const checks = await createChecks({
    contract: undefined,
    schema: undefined,
    graphqlPath: '/',
    breaches,
    onWarning: () => {},
  });
  const proxy = await startProxy({ address, checks, refuse: false, port: 0, patience: 600_000 });
  const sent = request(`${proxy.url}/a`).end();
  const failed = once(sent, 'error');
  await once(silent, 'request');
  await proxy.stop();
  const [error] = await failed;
  expect(error.code).toBe('ECONNRESET');
  await expect(fetch(proxy.url)).rejects.toThrow();
});

it('a client that goes away takes its request with it', async () => {
  const server = createServer(() => {});
  const address = await listen(server);
  const breaches = createBreaches(() => {});
  const checks = await createChecks({
    contract: undefined,
    schema: undefined,
    graphqlPath: '/',
    breaches,
    onWarning: () => {},
  });
  const proxy = await startProxy({ address, checks, refuse: false, port: 0, patience: 600_000 });
  closing.push(proxy.stop);
  const arrived = once(server, 'request');
  const sent = request(`${proxy.url}/a`).end();
  sent.on('error', () => {});
  const [asked] = (await arrived) as [IncomingMessage];
  // An end without a reset may be that of its sending side alone.
  sent.socket?.resetAndDestroy();
  await once(asked.socket, 'close');
});

describe('accord proxy', () => {
  const accord = new URL('../../../src/kit/cli/accord.ts', import.meta.url).pathname;
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'schema.graphql'), 'type Query { a: Int }\n');
  const options = { cwd: folder, encoding: 'utf8' } as const;

  it('reports on SIGUSR2 and at its end, and is well where nothing broke the contracts', async () => {
    const server = createServer((_, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end('{"data":{"a":1}}');
    });
    const address = await listen(server);
    const args = [
      'proxy',
      address.href,
      '--port',
      '0',
      '--graphql-path',
      '/api',
      '--report',
      'out/drift.html',
      '--timeout',
      '86400',
    ];
    const child = spawn(process.execPath, [accord, ...args], { cwd: folder });
    const lines: string[] = [];
    const output = createInterface(child.stdout).on('line', (line) => lines.push(line));
    const [first = ''] = await once(output, 'line');
    expect(first).toMatch(/^http:\/\/127\.0\.0\.1:\d+ passes on to http:\/\/127\.0\.0\.1:\d+\/$/);
    const [url] = first.split(' ');
    const headers = { 'content-type': 'application/json' };
    const ask = async (query: string) =>
      (
        await fetch(`${url}/api`, { method: 'POST', headers, body: JSON.stringify({ query }) })
      ).text();
    await ask('{ a }');
    child.kill('SIGUSR2');
    while (!lines.includes('out/drift.html')) await once(output, 'line');
    expect(lines.slice(1)).toEqual(['1 requests: none broke the contracts', 'out/drift.html']);
    expect(JSON.parse(readFileSync(join(folder, 'out/drift.json'), 'utf8')).isKept).toBe(true);
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    expect(lines.slice(3)).toEqual(['1 requests: none broke the contracts', 'out/drift.html']);
  });

  it.each([
    [['http://a.test?b=1'], 'takes an address without a query'],
    [['http://a.test#b'], 'takes an address without a query'],
    [['ftp://a.test'], 'takes an address such as http://localhost:3000, not ftp://a.test'],
    [['http://a.test', '--port', '65536'], '--port takes a number from 0 to 65535, not 65536'],
    [
      ['http://a.test', '--timeout', '86401'],
      '--timeout takes a number from 1 to 86400, not 86401',
    ],
    [['http://a.test', '--timeout', '1.5'], '--timeout takes a number from 1 to 86400, not 1.5'],
    [['http://a.test', 'more'], "does not take 'more'"],
  ])('refuses %j', (args, message) => {
    const { status, stderr } = spawnSync(process.execPath, [accord, 'proxy', ...args], options);
    expect([status, stderr]).toEqual([2, `accord proxy: ${message}\nSee: accord proxy --help\n`]);
  });

  it('refuses in place of the server, and waits for it as long as it is told', async () => {
    const server = createServer(() => {});
    const address = await listen(server);
    const args = [
      'proxy',
      address.href,
      '--port',
      '0',
      '--graphql-path',
      '/',
      '--refuse',
      '--timeout',
      '1',
    ];
    const child = spawn(process.execPath, [accord, ...args], { cwd: folder });
    let said = '';
    child.stderr.on('data', (text) => (said += text));
    const [first = ''] = await once(createInterface(child.stdout), 'line');
    const [url = ''] = String(first).split(' ');
    const headers = { 'content-type': 'application/json' };
    const ask = async (query: string) =>
      (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) })).status;
    expect(await ask('{ b }')).toBe(400);
    const start = performance.now();
    expect(await ask('{ a }')).toBe(504);
    // A timer may be a little early by this clock.
    expect(performance.now() - start).toBeGreaterThan(900);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(1);
    expect(said).toBe(
      'request of query: document Cannot query field "b" on type "Query". Did you mean "a"? (POST /)\n' +
        'answer of query: server has not answered within 1000 ms (POST /)\n',
    );
  });
});

it('a server that answers without reading the body does not block the connection of its client', async () => {
  const address = await listen(
    createServer((_, response) => {
      response.shouldKeepAlive = false;
      response.writeHead(404, { 'Content-Length': 0 }).end();
    }),
  );
  const checks = await createChecks({
    ...{ contract: undefined, schema: undefined, graphqlPath: '/graphql' },
    breaches: createBreaches(() => {}),
    onWarning: () => {},
  });
  const proxy = await startProxy({ address, checks, refuse: false, port: 0, patience: 60_000 });
  closing.push(() => proxy.stop());
  const { hostname, port } = new URL(proxy.url);
  const socket = connect({ host: hostname, port: Number(port) }).setEncoding('utf8');
  closing.push(() => socket.destroy());
  let text = '';
  const told = async (count: number) => {
    while (statusesIn(text).length < count) text += (await once(socket, 'data'))[0];
  };
  socket.write(
    'POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1000000\r\n\r\n',
  );
  await told(2);
  socket.write(' '.repeat(1_000_000));
  socket.write('GET /b HTTP/1.1\r\nHost: x\r\n\r\n');
  await told(3);
  expect(statusesIn(text)).toEqual([100, 404, 404]);
});
