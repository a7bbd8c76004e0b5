import { once } from 'node:events';
import { type Agent, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createBreaches, kindLine } from '../../src/kit/cli/proxy/breaches.ts';
import { createChecks } from '../../src/kit/cli/proxy/checks.ts';
import { startProxy } from '../../src/kit/cli/proxy/proxy-server.ts';
import type { Contract } from '../../src/kit/contract/contract.ts';

/** Proxies before servers, and what ends them. */
export function createProxied() {
  const closing: (() => unknown)[] = [];

  async function listen(server: Server): Promise<URL> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => server.close());
    // A TCP server that listens has an address of this kind.
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  type Options = {
    readonly contract?: Contract;
    readonly patience?: number;
    readonly refuse?: boolean;
    readonly port?: number;
  };

  async function proxyBefore(
    address: URL,
    { contract, patience = 600_000, refuse = false, port = 0 }: Options = {},
  ) {
    const warnings: string[] = [];
    const breaches = createBreaches(() => {});
    const checks = await createChecks({
      ...{ contract, schema: undefined, graphqlPath: '/graphql', breaches },
      onWarning: (line) => warnings.push(line),
    });
    const proxy = await startProxy({ address, checks, refuse, port, patience });
    closing.push(proxy.stop);
    /** What broke the contract, in either order. */
    const found = async () => {
      await checks.settled();
      return breaches.kinds().map(kindLine).toSorted();
    };
    return { ...proxy, checks, warnings, found };
  }

  return {
    closing,
    listen,
    proxyBefore,
    async close(): Promise<void> {
      for (const each of closing.splice(0).reverse()) await each();
    },
  };
}

/** A server that is given each connection, and what comes on it. */
export function rawServer(onData: (socket: Socket, chunk: Buffer) => void): Server {
  return createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => onData(socket, chunk));
  });
}

type Asked = {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly agent?: Agent | false;
};

/** The answer to a request, on a connection of its own where no agent is given. */
export async function ask(url: string, asked: Asked = {}) {
  const { method = 'GET', path = '/a', headers = {}, body, agent = false } = asked;
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const sent = request(url + path, { method, headers: { ...headers, ...length }, agent }).end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const text = (await buffer(answer)).toString();
  return { status: answer.statusCode, text, isReused: sent.reusedSocket };
}

/** Waits until a connection is closed, also by a fault. */
export async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}
