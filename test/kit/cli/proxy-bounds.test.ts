// engines: sqlite
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
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
