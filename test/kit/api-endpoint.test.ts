// slow: waits for a timeout
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiEndpoint } from '../../src/kit/api-endpoint.ts';
import { emptyContract } from '../../src/kit/contract/contract.ts';
import { createAccess } from '../../src/kit/http/authentication.ts';
import { createLog } from '../../src/kit/observe/log.ts';
import { createObservation } from '../../src/kit/observe/observation.ts';
import { readSettings } from '../../src/kit/process/settings.ts';
import { sendRaw } from '../../tools/support/raw-http.ts';
import { everyFeature, featureResolvers, scalars } from '../support/every-feature.ts';
import { serveGraphql } from '../support/graphql-server.ts';
import { useHttpServer } from '../support/http-server.ts';

type Server = Awaited<ReturnType<typeof serveGraphql>>;

function useGraphql(env: Readonly<Record<string, string>>) {
  let server: Server;
  beforeAll(async () => {
    server = await serveGraphql(everyFeature, featureResolvers(), { scalars, env });
  });
  afterAll(() => server.stop());
  return () => server;
}

describe('subscriptions', () => {
  const server = useGraphql({ MAX_IN_FLIGHT: '5' });

  it('are at most half of the requests in flight, and others are answered', async () => {
    const gone = new AbortController();
    const subscribe = () =>
      fetch(`${server().url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query: 'subscription { silent }' }),
        signal: gone.signal,
      });
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) statuses.push((await subscribe()).status);
    expect(statuses).toEqual([200, 200, 503]);
    expect((await server().graphql('{ plain }')).status).toBe(200);
    gone.abort();
  });
});

describe('POST /graphql that is refused before it is read', () => {
  const limited = useGraphql({ RATE_LIMIT: '1/3600' });
  const impatient = useHttpServer(() => new Promise(() => {}), {
    timeouts: { headers: 300, request: 300, idle: 60_000 },
  });
  const head = 'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  const half = `${head}Content-Length: 100\r\n\r\n{"query":`;

  // HTTP refuses these, not GraphQL: the contract of this API declares a problem for 429.
  it.each([
    [
      429,
      'too-many-requests',
      async () => {
        const body = '{"query":"{ plain }"}';
        const whole = `${head}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
        expect(await sendRaw(limited().url, whole)).toContain('{"data":{"plain":"TWO"}}');
        return sendRaw(limited().url, whole);
      },
    ],
    [
      431,
      'headers-too-large',
      () => sendRaw(limited().url, `${head}X: ${'x'.repeat(20_000)}\r\n\r\n`),
    ],
    [408, 'request-timeout', () => sendRaw(impatient.url, half)],
  ])('is told %i as a problem', async (status, kind, ask) => {
    const [top = '', body = ''] = (await ask()).split('\r\n\r\n');
    expect(top).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(top).toMatch(/\r\nContent-Type: application\/problem\+json(\r\n|$)/);
    expect(JSON.parse(body)).toMatchObject({ type: `urn:accord:problem:${kind}`, status });
  });
});

describe('a request that does not name its host', () => {
  const server = useGraphql({});
  const told = async (target: string) => {
    const answer = await sendRaw(
      server().url,
      `${target} HTTP/1.1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
    const [top = '', body = ''] = answer.split('\r\n\r\n');
    expect(top).toMatch(/^HTTP\/1\.1 400 /);
    return JSON.parse(body);
  };
  const detail = 'A request names its host, once.';

  it('is told so by GraphQL', async () => {
    expect(await told('POST /graphql')).toEqual({
      errors: [{ message: detail, extensions: { code: 'BAD_REQUEST' } }],
    });
  });

  it.each(['POST /other', 'POST /graphql/', 'GET /graphql', 'PUT /graphql'])(
    'is told so as a problem: %s',
    async (target) => {
      expect(await told(target)).toMatchObject({
        type: 'urn:accord:problem:invalid-request',
        detail,
      });
    },
  );
});

describe('replicas', async () => {
  let reads = 0;
  const settings = readSettings({});
  const log = createLog('silent', () => {});
  const contract = await emptyContract();
  const endpoint = createApiEndpoint({
    ...{ contract, settings, schema: undefined, digest: '', sdl: '', handlers: {}, security: {} },
    ...{ mocks: undefined, mocked: undefined, failure: () => {}, metrics: async () => '' },
    store: { ping: async () => {}, close: async () => {} },
    isDraining: () => false,
    access: createAccess(undefined, (_, authenticate) => authenticate()),
    mayLag: () => {
      reads += 1;
    },
    observation: await createObservation({ contract, digest: '', log, settings }),
    draining: new AbortController().signal,
    project: new URL('.', import.meta.url),
  });
  const server = useHttpServer(endpoint);

  it.each([
    ['GET', 1],
    ['HEAD', 1],
    ['POST', 0],
    ['PUT', 0],
    ['PATCH', 0],
    ['DELETE', 0],
  ])('may answer what %s asks for: %i', async (method, count) => {
    const before = reads;
    await fetch(`${server.url}/x`, { method });
    expect(reads - before).toBe(count);
  });
});
