// engines: sqlite
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import {
  type AddressInfo,
  createServer as createNetServer,
  type Server as NetServer,
  Socket,
} from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createBreaches } from '../../../src/kit/cli/proxy/breaches.ts';
import { createChecks } from '../../../src/kit/cli/proxy/checks.ts';
import { startProxy } from '../../../src/kit/cli/proxy/proxy-server.ts';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { sendRaw, statusesIn } from '../../../tools/support/raw-http.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(server: NetServer): Promise<URL> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  // A TCP server that listens has an address of this kind.
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** A proxy before a server, which refuses what breaks a contract where there is one. */
async function proxied(server: NetServer, openapi?: string): Promise<string> {
  const address = await listen(server);
  const checks = await createChecks({
    contract: openapi === undefined ? undefined : await parseContract(openapi),
    ...{ schema: undefined, graphqlPath: '/graphql' },
    ...{ breaches: createBreaches(() => {}), onWarning: () => {} },
  });
  const refuse = openapi !== undefined;
  const proxy = await startProxy({ address, checks, refuse, port: 0, patience: 600_000 });
  closing.push(proxy.stop);
  return proxy.url;
}

async function statusOf(url: string, method: string, body?: string): Promise<number> {
  const headers = body === undefined ? {} : { 'Content-Length': body.length };
  const sent = request(`${url}/a`, { method, headers, agent: false }).end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  await buffer(answer);
  return answer.statusCode ?? 0;
}

describe('a proxy passes headers on up to 64 KiB', () => {
  const large = { maxHeaderSize: 200_000 };
  const asking = (length: number) =>
    `GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Long: ${'a'.repeat(length)}\r\n\r\n`;

  it('of a request: as many bytes as node:http reckons to be 65,536', async () => {
    const lengths: number[] = [];
    const server = createServer(large, ({ headers }, response) => {
      lengths.push(String(headers['x-long']).length);
      response.end();
    });
    const url = await proxied(server);
    // It reckons with parts of each header: where the bound lies is asked of a server that has it.
    const plain = createServer({ maxHeaderSize: 65_536 }, (_, response) => void response.end());
    const address = await listen(plain);
    // One that refuses them closes at once, and its answer may be lost.
    const isTaken = async (to: URL | string, length: number) =>
      statusesIn(await sendRaw(String(to), asking(length)))[0] === 200;
    let [taken, refused] = [60_000, 70_000];
    expect([await isTaken(address, taken), await isTaken(address, refused)]).toEqual([true, false]);
    while (refused - taken > 1) {
      const middle = Math.floor((taken + refused) / 2);
      if (await isTaken(address, middle)) taken = middle;
      else refused = middle;
    }
    expect([await isTaken(url, taken), await isTaken(url, refused)]).toEqual([true, false]);
    expect(lengths).toEqual([taken]);
  });

  it('of an answer', async () => {
    const url = await proxied(
      createServer(({ url: path = '' }, response) => {
        response.setHeader('X-Long', 'a'.repeat(Number(path.slice(1))));
        response.end('{}');
      }),
    );
    const answer = async (length: number) => {
      const sent = request(`${url}/${length}`, { ...large, agent: false }).end();
      const [{ statusCode, headers }] = (await once(sent, 'response')) as [IncomingMessage];
      return [statusCode, headers['x-long']?.length, headers['accord-proxy']];
    };
    expect(await answer(65_000)).toEqual([200, 65_000, undefined]);
    expect(await answer(66_000)).toEqual([502, undefined, 'true']);
  });
});

it('a proxy that refuses tells the first 20 breaches', async () => {
  const url = await proxied(
    createServer((_, response) => void response.writeHead(204).end()),
    `openapi: 3.1.0
info: { title: A, version: 1.0.0 }
paths:
  /a:
    post:
      operationId: postA
      requestBody: { required: true, content: { application/json: { schema: { type: array, items: { type: integer } } } } }
      responses: { '204': { description: None. } }
`,
  );
  const told = async (count: number) => {
    const body = JSON.stringify(Array.from({ length: count }, () => 'a'));
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/a`, { method: 'POST', headers, body });
    if (answer.status === 204) return [];
    const { errors } = Object(await answer.json());
    return errors.map(({ path }: { path: string }) => path);
  };
  const paths = (count: number) => Array.from({ length: count }, (_, i) => `/body/${i}`);
  expect(await told(0)).toEqual([]);
  for (const [count, first] of [
    [1, 1],
    [19, 19],
    [20, 20],
    [21, 20],
    [25, 20],
  ] as const) {
    expect(await told(count)).toEqual(paths(first));
  }
});

describe('where the server has closed a kept connection, a proxy sends', () => {
  /** A server that answers what comes first on a connection, and cuts it when more comes: what it was sent. */
  async function cutting({ always = false } = {}) {
    const seen: string[] = [];
    let cuts = 0;
    const server = createNetServer((socket) => {
      let count = 0;
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        const [, method] = /^([A-Z]+) \/a HTTP/.exec(String(chunk)) ?? [];
        // The body may come by itself.
        if (method === undefined) return;
        seen.push(method);
        count++;
        const isCut = count > 1 || (always && cuts > 0);
        if (count > 1) cuts++;
        if (isCut) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      });
    });
    const url = await proxied(server);
    return { url, seen, cuts: () => cuts };
  }

  it.each([
    ['GET', undefined, true],
    ['HEAD', undefined, true],
    ['OPTIONS', undefined, true],
    ['PUT', undefined, true],
    ['DELETE', undefined, true],
    ['POST', undefined, false],
    ['PATCH', undefined, false],
    ['PUT', 'a', false],
    ['DELETE', 'a', false],
  ])('%s with body %s again: %s', async (method, body, isSentAgain) => {
    const { url, seen, cuts } = await cutting();
    const statuses: number[] = [];
    // Where the connection was given up meanwhile, as it is after a while, a new one is answered.
    while (cuts() === 0) statuses.push(await statusOf(url, method, body));
    expect(statuses.at(-1)).toBe(isSentAgain ? 200 : 502);
    expect(seen).toHaveLength(statuses.length + (isSentAgain ? 1 : 0));
    expect(new Set(seen)).toEqual(new Set([method]));
  });

  it('nothing a third time', async () => {
    const { url, seen, cuts } = await cutting({ always: true });
    const statuses: number[] = [];
    while (cuts() === 0) statuses.push(await statusOf(url, 'GET'));
    expect(statuses.at(-1)).toBe(502);
    expect(seen).toHaveLength(statuses.length + 1);
  });

  it('nothing where it is another fault', async () => {
    // What is no answer at all, on a connection that was kept.
    let isWrong = false;
    const seen: string[] = [];
    const server = createNetServer((socket) => {
      let count = 0;
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        seen.push(String(chunk));
        isWrong = ++count > 1;
        socket.write(isWrong ? 'nonsense\r\n\r\n' : 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      });
    });
    const url = await proxied(server);
    const statuses: number[] = [];
    while (!isWrong) statuses.push(await statusOf(url, 'GET'));
    expect(statuses.at(-1)).toBe(502);
    expect(seen).toHaveLength(statuses.length);
  });
});

it('a proxy keeps connections for less than the 5 seconds of servers, and for a second where it may not repeat', async () => {
  const url = await proxied(createServer((_, response) => void response.end()));
  const idle = vi.spyOn(Socket.prototype, 'setTimeout');
  const timesOf = async (method: string) => {
    idle.mockClear();
    await statusOf(url, method);
    return idle.mock.calls.map(([ms]) => ms);
  };
  try {
    expect(await timesOf('GET')).toContain(4000);
    expect(await timesOf('POST')).toContain(1000);
  } finally {
    idle.mockRestore();
  }
});
