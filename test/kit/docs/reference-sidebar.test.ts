// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';

/** Operations of two tags, one of which has four. */
function contractOf(count: number): string {
  const paths = Array.from({ length: count }, (_, i) => {
    const tags = [i < 4 ? 'First & only' : 'Second'];
    const responses = { 200: { description: 'Seen.' } };
    return [`/x${i}`, { get: { operationId: `op${i}`, summary: `Sum ${i}`, tags, responses } }];
  });
  return JSON.stringify({
    ...{ openapi: '3.1.0', info: { title: 'Many', version: '1' } },
    paths: Object.fromEntries(paths),
  });
}

describe.each([
  [200, 200, 200, 0],
  [201, 0, 4, 1],
])('the sidebar of a reference with %i operations', (count, onFirst, onPage, others) => {
  let server: Awaited<ReturnType<typeof serveContract>>;
  beforeAll(async () => {
    server = await serveContract(contractOf(count), {}, { mocks: true });
  });
  afterAll(() => server.stop());

  const sidebar = async (path: string) => {
    const [, after = ''] = (await (await fetch(server.url + path)).text()).split(
      '<nav class="sidebar"',
    );
    return after.split('</nav>')[0] ?? '';
  };
  const linked = (html: string) => html.match(/href="\/docs\/rest\/op\d+"/g)?.length ?? 0;

  it(`links to ${onFirst} of them on the first page`, async () => {
    const html = await sidebar('/docs/rest');
    expect(linked(html)).toBe(onFirst);
    const counts = Array.from(html.matchAll(/<span class="count">(\d+)</g), ([, each]) =>
      Number(each),
    );
    expect(counts).toEqual(onFirst === 0 ? [4, count - 4] : []);
    expect(html).toContain('<a href="/docs/rest#group-First-only">First &#38; only</a>');
    expect(html).not.toContain('aria-current');
    // A mark on everything would tell nothing apart.
    expect(html).not.toContain('mocked');
    expect(html).not.toContain('#schemas');
  });

  it(`links to ${onPage} of them beside an operation`, async () => {
    const html = await sidebar('/docs/rest/op2');
    expect(linked(html)).toBe(onPage);
    expect(html.match(/<span class="count">/g)?.length ?? 0).toBe(others);
    expect(html).toContain('<a href="/docs/rest/op2" aria-current="page">');
  });
});
