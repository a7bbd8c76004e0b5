// engines: sqlite
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createBreaches } from '../../../src/kit/cli/proxy/breaches.ts';
import { createChecks } from '../../../src/kit/cli/proxy/checks.ts';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { sendRaw, statusesIn } from '../../../tools/support/raw-http.ts';
import { ask, closed, createProxied, rawServer } from '../../support/proxied.ts';

const { closing, listen, proxyBefore, close } = createProxied();
afterEach(close);

const contract = await parseContract(`openapi: 3.1.0
info: { title: A, version: 1.0.0 }
paths:
  /a:
    get: { operationId: getA, responses: &any { '200': { description: Any., content: { text/plain: {} } } } }
    put: { operationId: putA, requestBody: { content: { text/plain: {} } }, responses: *any }
`);
const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n';
const get = 'GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const put = 'PUT /a HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n';
const CUT_SHORT = 'has not sent the whole answer';

/** The port of a proxy. */
const portOf = (url: string) => Number(new URL(url).port);

describe.each([[false], [true]])(
  'a proxy counts an answer that is none, refusing: %s',
  (refuse) => {
    const refusing = { contract, refuse };

    async function counted(proxy: Awaited<ReturnType<typeof proxyBefore>>) {
      const lines = await proxy.found();
      return [lines, [...proxy.checks.traffic.answers], proxy.checks.traffic.requests];
    }
    const oneFailure = (message: string) => [
      [`answer of getA: server ${message}`],
      [['getA → no whole answer', 1]],
      1,
    ];

    it.each([
      ['is cut before its length', `${head}Content-Length: 70\r\n\r\n1234567`, CUT_SHORT],
      ['is cut in its chunks', `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n1`, CUT_SHORT],
      [
        'has a broken chunk',
        `${head}Transfer-Encoding: chunked\r\n\r\n1\r\n1\r\nzz\r\n`,
        CUT_SHORT,
      ],
      [
        'is no HTTP',
        'nonsense\r\n\r\n',
        'has answered with what is not HTTP: HPE_INVALID_CONSTANT',
      ],
      ['has no status', 'HTTP/1.1 000 X\r\n\r\n', 'has answered with status 0'],
      [
        'changes the protocol',
        'HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
        'has answered with status 101, which nobody has asked for',
      ],
      ['is empty', '', 'cannot be reached: ECONNRESET'],
    ])('that %s', async (_, answer, message) => {
      const proxy = await proxyBefore(await listen(rawServer((it) => it.end(answer))), refusing);
      await sendRaw(proxy.url, get);
      expect(await counted(proxy)).toEqual(oneFailure(message));
    });

    it.each([
      ['with a length', 'Content-Length: 70\r\n\r\n1234567'],
      ['without a length', '\r\n1234567'],
    ])('that is reset in a body %s', async (_, rest) => {
      let server: Socket | undefined;
      const reset = () => server?.resetAndDestroy();
      // The proxy has the head.
      subscribe('http.client.response.finish', reset);
      closing.push(() => unsubscribe('http.client.response.finish', reset));
      const address = await listen(
        rawServer((socket) => {
          server = socket;
          socket.write(head + rest);
        }),
      );
      const proxy = await proxyBefore(address, refusing);
      const text = await sendRaw(proxy.url, get);
      expect(text).toMatch(refuse ? /^HTTP\/1\.1 502 / : /^HTTP\/1\.1 200 .*1234567(\r\n)?$/s);
      expect(await counted(proxy)).toEqual(oneFailure(CUT_SHORT));
    });

    it.each([
      ['does not begin', ''],
      ['does not go on', `${head}Content-Length: 70\r\n\r\n1234567`],
    ])('that %s', async (_, answer) => {
      const address = await listen(rawServer((socket) => socket.write(answer)));
      const proxy = await proxyBefore(address, { ...refusing, patience: 100 });
      await sendRaw(proxy.url, get);
      expect(await counted(proxy)).toEqual(oneFailure('has not answered within 100 ms'));
    });

    it('of a server that is down', async () => {
      const down = createServer();
      const address = await listen(down);
      down.close();
      const proxy = await proxyBefore(address, refusing);
      expect(statusesIn(await sendRaw(proxy.url, get))).toEqual([502]);
      expect(await counted(proxy)).toEqual(oneFailure('cannot be reached: ECONNREFUSED'));
    });

    it('but none whose client leaves', async () => {
      const asked = Promise.withResolvers<Socket>();
      const address = await listen(rawServer((socket) => asked.resolve(socket)));
      const proxy = await proxyBefore(address, refusing);
      const client = connect(portOf(proxy.url), '127.0.0.1');
      client.write(get);
      const server = await asked.promise;
      client.resetAndDestroy();
      await closed(server);
      expect(await counted(proxy)).toEqual([[], [], 1]);
    });

    it('but none whose client leaves within it', async () => {
      // More than is held back.
      const start = `${head}Content-Length: 300001\r\n\r\n${'1'.repeat(300_000)}`;
      const asked = Promise.withResolvers<Socket>();
      const server = rawServer((socket) => {
        socket.write(start);
        asked.resolve(socket);
      });
      const proxy = await proxyBefore(await listen(server), refusing);
      const client = connect(portOf(proxy.url), '127.0.0.1');
      client.write(get);
      await once(client, 'data');
      client.resetAndDestroy();
      await closed(await asked.promise);
      expect((await proxy.found()).length).toBe(0);
    });
  },
);

it('bytes behind a whole answer are no fault of it', async () => {
  const answer = `${head}Content-Length: 1\r\n\r\n1NONSENSE\r\n\r\n`;
  const proxy = await proxyBefore(await listen(rawServer((it) => it.write(answer))), { contract });
  expect(await sendRaw(proxy.url, get)).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n1$/s);
  expect(await proxy.found()).toEqual([]);
});

describe('a proxy whose server fails while a request arrives', () => {
  async function failing() {
    const address = await listen(rawServer((socket) => socket.resetAndDestroy()));
    const proxy = await proxyBefore(address, { contract });
    const client = connect(portOf(proxy.url), '127.0.0.1');
    client.on('error', () => {}).write(`${put}1`);
    expect(String((await once(client, 'data'))[0])).toMatch(/^HTTP\/1\.1 502 /);
    return { proxy, client };
  }

  it('counts that once the request has arrived', async () => {
    const { proxy, client } = await failing();
    client.write('2');
    expect(await proxy.found()).toEqual([
      expect.stringMatching(/^answer of putA: server cannot be/),
    ]);
    client.destroy();
  });

  it('counts nothing where the client leaves', async () => {
    const { proxy, client } = await failing();
    client.resetAndDestroy();
    expect(await proxy.found()).toEqual([]);
    expect([...proxy.checks.traffic.answers]).toEqual([]);
  });
});

it('a failure is told of what no contract describes', async () => {
  const proxy = await proxyBefore(await listen(rawServer((it) => it.end())), { contract });
  const headers = { 'Access-Control-Request-Method': 'GET' };
  expect(await ask(proxy.url, { method: 'OPTIONS', headers })).toMatchObject({ status: 502 });
  expect(await proxy.found()).toEqual([
    'answer of OPTIONS /a: server cannot be reached: ECONNRESET',
  ]);
  expect([...proxy.checks.traffic.answers]).toEqual([['other → no whole answer', 1]]);
});

it('a request that has arrived and that nobody has read is not waited for', async () => {
  const breaches = createBreaches(() => {});
  const parts = { schema: undefined, graphqlPath: '/graphql', onWarning: () => {} };
  const checks = await createChecks({ ...parts, contract, breaches });
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'PUT', url: '/a' });
  const watched = checks.watch(request);
  request.complete = true;
  request.destroy();
  expect(await watched.failure('is gone')).toEqual([]);
  await checks.settled();
});
