import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useServer } from './support/server.ts';

const server = useServer();
const get = (path: string, method = 'GET') => fetch(`${server.url}${path}`, { method });

const pages = ['/docs', '/docs/rest', '/docs/graphql', '/docs/schema', '/docs/changes'];
const report = 'artefacts/contract-coverage/report.html';

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
    expect(html.match(/<rect /g)).toHaveLength(7);
  });

  it('gives GraphiQL the example operations', async () => {
    const examples = JSON.parse(await (await get('/docs/examples.json')).text());
    expect(examples).toHaveLength(10);
    expect(examples[1]).toEqual({
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

  it.each(['/docs', '/docs/rest', '/docs/assets/site.css', '/docs/examples.json'])(
    '%s answers GET and HEAD and nothing else',
    async (path) => {
      const head = await get(path, 'HEAD');
      expect([head.status, await head.text()]).toEqual([200, '']);
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const refused = await get(path, method);
        expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
        expect(await refused.json()).toMatchObject({
          type: 'urn:accord:problem:method-not-allowed',
        });
      }
    },
  );
});
