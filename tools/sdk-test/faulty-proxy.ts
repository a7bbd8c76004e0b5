import { createServer, type IncomingHttpHeaders, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to a request on its way; each request takes the next of the list, then all pass. */
export type Fault =
  | 'pass'
  /** The connection breaks before the server hears of it. */
  | 'drop'
  /** The server carries it out, and the connection breaks before it can say so. */
  | 'drop the answer'
  /** The connection breaks within the answer. */
  | 'cut the answer'
  /** Nobody ever answers. */
  | 'hang'
  /** The server carries it out, and nobody ever says so. */
  | 'hold the answer'
  /** It arrives twice at once; the client gets the answer that comes last. */
  | 'duplicate'
  /** Somebody else writes to the same record just before it. */
  | { readonly overtakenBy: object }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The server claims to enforce other contracts. */
  | { readonly digest: string };

export type Seen = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly at: number;
};

type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

/** A proxy before a real server that does to requests what networks do. */
export async function startFaultyProxy(target: string, faults: readonly Fault[]) {
  const seen: Seen[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    const fault = faults[seen.length] ?? 'pass';
    seen.push({ method, url, headers, at: performance.now() });
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    await answer(fault, () => forward(target, method, url, headers, body), outgoing, target + url);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen: seen as readonly Seen[],
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(
  fault: Fault,
  pass: () => Promise<Answer>,
  outgoing: ServerResponse,
  url: string,
): Promise<void> {
  if (fault === 'hang') return;
  if (fault === 'drop') {
    outgoing.destroy();
    return;
  }
  if (typeof fault === 'object' && 'status' in fault) {
    outgoing.writeHead(fault.status, { 'content-type': 'text/html', ...fault.headers });
    outgoing.end('<h1>Not now</h1>');
    return;
  }
  if (typeof fault === 'object' && 'overtakenBy' in fault) {
    const body = JSON.stringify(fault.overtakenBy);
    await fetch(url, { method: 'PUT', body, headers: { 'content-type': 'application/json' } });
  }
  const [twin, real] = await Promise.all([fault === 'duplicate' ? pass() : undefined, pass()]);
  const { status, headers, body } = twin ?? real;
  if (fault === 'hold the answer') return;
  if (fault === 'drop the answer') {
    outgoing.destroy();
    return;
  }
  const digest =
    typeof fault === 'object' && 'digest' in fault ? { 'contract-digest': fault.digest } : {};
  outgoing.writeHead(status, { ...headers, ...digest });
  if (fault === 'cut the answer') {
    outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
    return;
  }
  outgoing.end(body);
}

function forward(
  target: string,
  method: string,
  path: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { host: _, connection: __, ...kept } = headers;
    const sent = request(target + path, { method, headers: kept, agent: false }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      const { connection: ___, ...rest } = answer.headers;
      resolve({ status: answer.statusCode ?? 0, headers: rest, body: Buffer.concat(chunks) });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
