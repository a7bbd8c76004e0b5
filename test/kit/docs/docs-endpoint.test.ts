import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContract } from '../../../src/kit/contract/contract.ts';
import { useServer } from '../../support/api-server.ts';
import { serveContract } from '../../support/contract-server.ts';

const server = useServer();
const get = (path: string, method = 'GET', headers = {}) =>
  fetch(`${server.url}${path}`, { method, headers, redirect: 'manual' });

const pages = [
  ...['/docs', '/docs/rest', '/docs/rest/createBook', '/docs/rest/schemas/Problem'],
  ...['/docs/graphql', '/docs/schema', '/docs/changes'],
];
const report = 'artefacts/contract-coverage/report.html';
const { document } = await readContract(new URL('../../../openapi.yaml', import.meta.url));
const paths = Object.keys(document.paths);

describe('the pages under /docs', () => {
  it.each(pages)('%s has a strict policy, and everything it loads is there', async (path) => {
    const page = await get(path);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = String(page.headers.get('content-security-policy'));
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).not.toContain('unsafe');
    const html = await page.text();
    expect(html).not.toMatch(/<style|<script>| style=| on[a-z]+=/);
    const loaded = [...html.matchAll(/<(?:link|script|img)[^>]* (?:href|src)="([^"]*)"/g)];
    expect(loaded.length).toBeGreaterThan(3);
    for (const [, address = ''] of loaded) expect((await get(address)).status, address).toBe(200);
  });

  it('lists every operation of both contracts', async () => {
    const html = await (await get('/docs')).text();
    for (const part of [
      'listBooks',
      'deleteItem',
      'getGreeting',
      'Query.user',
      'Mutation.addTodo',
    ]) {
      expect(html, part).toContain(part);
    }
  });

  it('describes the types with the bounds of their arguments, and draws them', async () => {
    const html = await (await get('/docs/schema')).text();
    expect(html).toContain('name: String! @bounds(minLength: 1, maxLength: 200)');
    expect(html.match(/<rect /g)?.length).toBeGreaterThan(6);
  });

  it('gives GraphiQL the example operations', async () => {
    const examples = JSON.parse(await (await get('/docs/examples.json')).text());
    expect(examples.length).toBeGreaterThan(9);
    expect(examples).toContainEqual({
      name: 'User',
      about: 'One user, and what they have written.',
      query: expect.stringMatching(/^# One user.*\nquery User\(\$id: ID!\) \{/),
      variables: '{\n  "id": "1"\n}',
    });
  });

  it('shows the contract coverage when there is a report', async () => {
    rmSync(report, { force: true });
    expect((await get('/docs/coverage')).status).toBe(404);
    mkdirSync('artefacts/contract-coverage', { recursive: true });
    writeFileSync(report, '<!doctype html><title>x</title><style>p { margin: 0 }</style>');
    const page = await get('/docs/coverage');
    expect(page.headers.get('content-security-policy')).toMatch(/style-src 'sha256-[^']+';/);
    expect(await (await get('/docs')).text()).toContain('/docs/coverage');
    rmSync(report);
  });
});

describe('what is asked for under /docs', () => {
  it.each([
    '/docs/',
    '/docs/nothing',
    '/docs/rest/',
    '/docs/rest/nothing',
    '/docs/rest/schemas/nothing',
    '/docs/assets/parameter-text.d.ts',
    '/docs/assets/',
    '/docs/assets/nothing.css',
    '/docs/assets/../endpoint.ts',
    '/docs/assets/%2e%2e/endpoint.ts',
    '/docs/assets/..%2fendpoint.ts',
    '/docs/site.css',
    '/docs/constructor',
    '/docs/__proto__',
    '/docsx',
  ])('%s is 404, as any other path', async (path) => {
    const { status, headers, text } = await server.api({ path });
    expect([status, headers['content-type']]).toEqual([404, 'application/json']);
    expect(JSON.parse(text).type).toBe('urn:accord:problem:not-found');
  });

  it.each([
    '/docs',
    '/docs/rest',
    '/docs/rest/listBooks',
    '/docs/rest.json',
    '/docs/assets/site.css',
    '/docs/examples.json',
  ])('%s answers GET and HEAD and nothing else', async (path) => {
    const head = await get(path, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const refused = await get(path, method);
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      expect(await refused.json()).toMatchObject({
        type: 'urn:accord:problem:method-not-allowed',
      });
    }
  });
});

describe('a file that a page loads', () => {
  const css = '/docs/assets/site.css';
  const past = 'Mon, 01 Jan 2001 00:00:00 GMT';
  const future = 'Mon, 01 Jan 2035 00:00:00 GMT';
  const size = async () => (await (await get(css)).arrayBuffer()).byteLength;

  it.each([
    ['Range', 'bytes=9999999-', 416, 'invalid-request'],
    ['If-Match', '"another"', 412, 'precondition-failed'],
    ['If-Unmodified-Since', past, 412, 'precondition-failed'],
  ] as const)('%s: %s is a %i in the one shape, not a 500', async (name, value, status, code) => {
    for (const method of ['GET', 'HEAD']) {
      if (method === 'HEAD' && status === 416) continue;
      const answer = await get(css, method, { [name]: value });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(answer.headers.get('content-range')).toBe(
        status === 416 ? `bytes */${await size()}` : null,
      );
      for (const header of ['x-request-id', 'contract-digest', 'x-content-type-options']) {
        expect(answer.headers.get(header), header).not.toBeNull();
      }
      for (const header of ['etag', 'last-modified', 'accept-ranges', 'cache-control']) {
        expect(answer.headers.get(header), header).toBeNull();
      }
      const text = await answer.text();
      if (method === 'HEAD') expect(text).toBe('');
      else expect(JSON.parse(text)).toMatchObject({ status, type: `urn:accord:problem:${code}` });
    }
    expect(server.log.join('')).not.toContain('"level":"error"');
  });

  it.each([
    ['GET', 'Range', 'bytes=0-9', 206],
    ['GET', 'Range', 'bytes=-5', 206],
    ['HEAD', 'Range', 'bytes=0-9', 200],
    ['HEAD', 'Range', 'bytes=9999999-', 200],
    ['GET', 'Range', 'bytes=0-1,5-9', 200],
    ['GET', 'Range', 'bytes=5-9,0-4', 206],
    ['GET', 'Range', 'nonsense', 200],
    ['GET', 'If-Match', '*', 200],
    ['GET', 'If-Unmodified-Since', future, 200],
    ['GET', 'If-Modified-Since', past, 200],
    ['GET', 'If-Modified-Since', future, 304],
    ['GET', 'If-None-Match', '"another"', 200],
    ['GET', 'If-None-Match', '*', 304],
  ] as const)('%s with %s: %s is %i', async (method, name, value, status) => {
    const answer = await bare(css, { [name]: value }, method);
    expect(answer.status).toBe(status);
    const whole = method === 'GET' && status === 200 ? await size() : 0;
    const part = value === 'bytes=-5' ? 5 : 10;
    expect(answer.text).toHaveLength(status === 206 ? part : whole);
  });

  it.each([css, ...pages, '/docs/examples.json'])('%s has an ETag that holds', async (path) => {
    const tag = String((await get(path)).headers.get('etag'));
    expect(tag).toMatch(/^(W\/)?".+"$/);
    expect((await bare(path, { 'if-none-match': tag })).status).toBe(304);
    expect((await bare(path, { 'if-match': tag })).status).toBe(200);
    expect((await bare(path, { 'if-match': '"another"' })).status).toBe(412);
  });

  it('may be left by its client half way, and nothing fails', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    // More than the buffers between both sides hold.
    const request = 'GET /docs/assets/graphiql.min.js HTTP/1.1\r\nHost: x\r\n\r\n';
    socket.write(request.repeat(10));
    await once(socket, 'readable');
    socket.resetAndDestroy();
    while (!server.log.some((line) => line.includes('graphiql.min.js') && isAborted(line))) {
      await get('/healthz');
    }
    expect(server.log.join('')).not.toContain('"level":"error"');
  });

  it('is found where the checkout lies below a folder whose name begins with a dot', async () => {
    const folder = mkdtempSync(join(tmpdir(), '.accord-'));
    for (const name of ['src', 'openapi.yaml', 'schema.graphql', 'package.json']) {
      cpSync(name, join(folder, name), { recursive: true });
    }
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const env = { PATH: process.env.PATH, PORT: '0', DATABASE_URL: 'sqlite::memory:' };
    const child = spawn(process.execPath, [join(folder, 'src/main.ts')], { env });
    try {
      let output = '';
      while (!output.includes('Accord is at ')) output += String(await once(child.stdout, 'data'));
      const [, url = ''] = output.match(/Accord is at ([^\s"]+)/) ?? [];
      const { status, headers } = await fetch(`${url}${css}`);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    } finally {
      child.kill();
      rmSync(folder, { recursive: true });
    }
  });
});

describe.each(['on', 'off'])('the contracts where INTROSPECTION is off, fast lane %s', (lane) => {
  const closed = useServer({ INTROSPECTION: 'off', FAST_LANE: lane });
  const ask = (path: string, headers = {}) =>
    fetch(`${closed.url}${path}`, { headers, redirect: 'manual' });

  it.each([
    '/openapi.yaml',
    '/openapi.json',
    '/schema.graphql',
    ...pages,
    '/docs/examples.json',
    '/docs/coverage',
    '/docs/assets/site.css',
    '/docs/assets/graphiql.min.js',
  ])('are private as a whole: %s is 404', async (path) => {
    const answer = await ask(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json']);
    expect(await answer.json()).toEqual({
      type: 'urn:accord:problem:not-found',
      title: 'Not found',
      status: 404,
      detail: 'There is nothing at this path.',
    });
    const { status } = await fetch(`${closed.url}${path}`, { method: 'HEAD' });
    expect(status).toBe(404);
  });

  it('are not linked to from /, which then has no pages to send a browser to', async () => {
    const answer = await ask('/', { accept: 'text/html' });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ graphql: '/graphql', health: ['/healthz', '/readyz'] });
  });

  it('are not told by GraphQL: no introspection, no name suggested', async () => {
    const { json } = await closed.graphql('{ __schema { types { name } } book(id: 1) { titel } }');
    expect(json.data).toBeUndefined();
    expect(JSON.stringify(json)).not.toMatch(/title|Mutation/);
  });
});

describe('/', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';

  it('sends a browser to the pages, instead of a 404', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await get('/', method, { accept: browser });
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
      expect(answer.headers.get('vary')).toBe('Accept');
      expect(answer.headers.get('x-request-id')).not.toBeNull();
    }
  });

  it.each([undefined, '*/*', 'application/json', 'application/json, text/html', 'image/png'])(
    'gives a program that accepts %s links to what is served',
    async (accept) => {
      const { status, headers, text } = await bare('/', accept ? { accept } : {});
      expect([status, headers['content-type'], headers.vary]).toEqual([
        200,
        'application/json',
        'Accept',
      ]);
      expect(JSON.parse(text)).toEqual({
        docs: '/docs',
        contracts: ['/openapi.yaml', '/openapi.json', '/schema.graphql'],
        graphql: '/graphql',
        collections: paths.filter((path) => paths.includes(`${path}/{id}`)),
        health: ['/healthz', '/readyz'],
        metrics: '/metrics',
      });
      for (const path of Object.values<string | string[]>(JSON.parse(text)).flat()) {
        expect((await get(path)).status, path).toBe(path === '/graphql' ? 405 : 200);
      }
    },
  );

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('answers %s with 405', async (method) => {
    const answer = await get('/', method);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await answer.json()).toMatchObject({ type: 'urn:accord:problem:method-not-allowed' });
  });

  it('is no breach of the contract to whoever samples answers', async () => {
    const sampled = await serveContract(contractOf('/x'), { look }, { share: 1 });
    await (await fetch(`${sampled.url}/`)).text();
    await (await fetch(`${sampled.url}/x`)).text();
    expect(sampled.log.join('')).toContain('"operation":"docs"');
    expect(sampled.log.join('')).not.toContain('"level":"error"');
    await sampled.stop();
  });

  it('is the contract’s own where it has that path', async () => {
    const own = await serveContract(contractOf('/'), { look });
    expect(await (await fetch(`${own.url}/`, { headers: { accept: browser } })).json()).toBe(
      'seen',
    );
    await own.stop();
  });
});

const look = () => ({ status: 200, headers: {}, body: '"seen"' });

function contractOf(path: string): string {
  const responses = "{ '200': { description: Seen., content: { application/json: {} } } }";
  const item = `{ get: { operationId: look, responses: ${responses} } }`;
  return `{ openapi: 3.1.0, info: { title: T, version: 1.0.0 }, paths: { ${path}: ${item} } }`;
}

/** Without the headers that fetch adds, such as `Cache-Control: no-cache` to a condition. */
async function bare(path: string, headers: Record<string, string>, method = 'GET') {
  const outgoing = httpRequest(`${server.url}${path}`, { method, headers }).end();
  const [incoming] = await once(outgoing, 'response');
  let text = '';
  for await (const chunk of incoming) text += chunk;
  return { status: incoming.statusCode, headers: incoming.headers, text };
}

function isAborted(line: string): boolean {
  return JSON.parse(line).status === 'aborted';
}
