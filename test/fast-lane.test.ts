import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readContract } from '../src/contract/contract.ts';
import { createAdmit } from '../src/rest/admission.ts';
import { onWire, type WireRequest, wireRequests } from './support/lane-requests.ts';
import { useServer } from './support/server.ts';

// Where nobody listens in on the answers, they are written another way: that is compared too.
const lane = useServer({ CONTRACT_COVERAGE: '', RESPONSE_SAMPLE: '0' });
const full = useServer({ FAST_LANE: 'off', RESPONSE_SAMPLE: '1' });
const another = useServer({ FAST_LANE: 'off', SEED_DEMO: 'true' });

// As many as are asked for; a long run has more.
const COUNT = Number(process.env.LANE_REQUESTS ?? 3000);
const PIPELINED = 4;

const contract = await readContract(new URL('../openapi.yaml', import.meta.url));
const admit = createAdmit(contract);

describe('the fast lane', () => {
  it.each([
    ['GET', '/books', {}],
    ['GET', '/books?limit=2&after=1', {}],
    ['GET', '/books/1', { 'if-none-match': '"1"', 'content-type': 'x' }],
    ['PUT', '/books/1', { 'if-match': '*' }],
    ['DELETE', '/books/9007199254740991', {}],
    ['POST', '/tasks', {}],
    ['GET', '/greet/pt-BR', {}],
    ['GET', '/healthz', {}],
  ])('takes %s %s', (method, target, headers) => {
    expect(admit(method, target, headers)?.operation.method).toBe(method);
  });

  it.each([
    ['HEAD', '/books', {}],
    ['PATCH', '/books', {}],
    ['GET', '/books/01', {}],
    ['GET', '/books/0', {}],
    ['GET', '/books/%31', {}],
    ['GET', '/books?limit=1001', {}],
    ['GET', '/books?limit=1&limit=1', {}],
    ['GET', '/books?x=1', {}],
    ['GET', '/books?', {}],
    ['GET', '/books/1', { 'if-none-match': 'x' }],
    ['GET', '/greet/x', {}],
    ['GET', '/nothing', {}],
    ['GET', 'http://example.com/books', {}],
  ])('leaves %s %s to the full path', (method, target, headers) => {
    expect(admit(method, target, headers)).toBeUndefined();
  });

  it('answers every request as the full path does, to the byte', async () => {
    const sent = { requests: 0 };
    await compare(lane.url, full.url, COUNT, sent);
    expect(sent.requests).toBeGreaterThanOrEqual(COUNT);
    expect(full.log.filter((line) => line.includes('failed'))).toEqual([]);
  });

  it('is compared so closely that other data are noticed', async () => {
    await expect(compare(lane.url, another.url, 400, { requests: 0 })).rejects.toThrow();
  });
});

/** Sends the same requests, several at once on one connection, to two servers with the same past. */
async function compare(one: string, other: string, count: number, sent: { requests: number }) {
  await fc.assert(
    fc.asyncProperty(
      fc.array(wireRequests, { minLength: 1, maxLength: PIPELINED }),
      async (requests) => {
        sent.requests += requests.length;
        const [first, second] = await Promise.all([
          exchange(one, requests),
          exchange(other, requests),
        ]);
        expect(first).toBe(second);
      },
    ),
    // A shrunken run would meet data that the runs before have changed.
    { numRuns: Math.ceil(count / 2), endOnFailure: true },
  );
}

/** All that comes back on a connection, but for the time of day and the request's id. */
function exchange(url: string, requests: readonly WireRequest[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      for (const [i, request] of requests.entries())
        socket.write(onWire(request, i === requests.length - 1));
    });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('error', reject);
    socket.once('close', () =>
      resolve(
        Buffer.concat(chunks)
          .toString('latin1')
          .replaceAll(/^(Date|X-Request-Id): .*$/gm, '$1'),
      ),
    );
  });
}
