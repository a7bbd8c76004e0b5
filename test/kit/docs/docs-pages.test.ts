import { mkdtempSync, rmSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { afterAll, describe, expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { createDocsEndpoint } from '../../../src/kit/docs/docs-endpoint.ts';
import { framed } from '../../../src/kit/docs/docs-page.ts';
import { examplesIn } from '../../../src/kit/docs/examples.ts';
import { landingPage } from '../../../src/kit/docs/landing.ts';
import { markdown } from '../../../src/kit/docs/markdown.ts';
import { schemaPage } from '../../../src/kit/docs/schema-page.ts';
import { serveGraphql } from '../../support/graphql-server.ts';

const bare = buildSchema(`
  scalar Date
  input Range { from: Date }
  interface Node { id: ID! }
  type Query { shelf(range: Range): Shelf, old: Int @deprecated(reason: "Ask for <new>.") }
  type Shelf implements Node { id: ID!, above: Shelf, made: Date }
`);

describe('pages of contracts that say little', () => {
  it('show a schema without words, with a circle in it and without mutations', () => {
    const { html } = schemaPage(bare).body;
    expect(html).toContain('Deprecated: Ask for &#60;new&#62;.');
    expect(html).toContain('The types: Query leads to Shelf; Shelf leads to Shelf.');
    expect(html.match(/<rect /g)).toHaveLength(2);
    for (const kind of ['scalar', 'input', 'interface', 'type'])
      expect(html).toContain(`>${kind}<`);
  });

  it('show Query first, then types by kind, with where each is used', () => {
    const sdl = `
      union Found = Shelf | Book
      input Range { from: Int = 1 }
      type Book implements Node { id: ID! }
      type Shelf implements Node { id: ID! }
      interface Node { id: ID! }
      type Subscription { added: Found }
      type Query { find(range: Range): [Found!] }`;
    const { html } = schemaPage(buildSchema(sdl)).body;
    const order = Array.from(html.matchAll(/<h2 id="(\w+)"/g), ([, name]) => name);
    expect(order).toEqual('Query Subscription Book Shelf Node Found Range'.split(' '));
    expect(html).toContain('from: Int = 1');
    expect(html).toContain('Implements <a href="#Node">Node</a>');
    expect(html).toContain('Is one of <a href="#Shelf">Shelf</a> <a href="#Book">Book</a>');
    expect(html).toContain(
      'Used by <a href="#Subscription.added">Subscription.<wbr>added</a> <a href="#Query.find">Query.<wbr>find</a>',
    );
  });

  it('show an API without summaries and tags', async () => {
    const operation = "{ operationId: look, responses: { '200': { description: Seen. } } }";
    const text = `{ openapi: 3.1.0, info: { title: A & B, version: 1.0.0 }, paths: { /x: { get: ${operation} } } }`;
    const contract = await parseContract(text);
    const page = landingPage({
      contract,
      schema: bare,
      digest: 'd',
      hasRest: true,
      hasCoverage: false,
      hasChanges: true,
    });
    const html = framed({ brand: 'B', places: [] }, '/docs', page);
    expect(html).toContain('<h1>A &#38; B</h1>');
    expect(html).toContain('href="/docs/rest/look"');
    expect(html).not.toContain('/docs/coverage');
  });

  it('show the webhooks and callbacks that the API sends', async () => {
    const responses = "{ '200': { description: Seen. } }";
    const callbacks = `{ callbacks: { done: { '{$request.query.url}': { post: { summary: It is done, responses: ${responses} } } } }, responses: ${responses}, operationId: start }`;
    const contract = await parseContract(`{ openapi: 3.1.0, info: { title: T, version: 1.0.0 },
      paths: { /x: { get: ${callbacks} } },
      webhooks: { arrived: { $ref: '#/components/pathItems/Arrived' } },
      components: { pathItems: { Arrived: { put: { summary: Something <new>, responses: ${responses} } } } } }`);
    const parts = { schema: undefined, digest: 'd', hasRest: true };
    const { html } = landingPage({
      contract,
      ...parts,
      hasCoverage: false,
      hasChanges: false,
    }).body;
    expect(html).toContain('>arrived</code> <span class="does">Something &#60;new&#62;</span>');
    expect(html).toContain('>start: done</code> <span class="does">It is done</span>');
  });

  it('show headings, lists, code and emphasis, and nothing that was not escaped', () => {
    const { html } = markdown('# A\n\n## B\n- one\n  line\n- `x<y`\n\n### C\n**d** & e');
    expect(html.replaceAll('\n', '')).toBe(
      '<h1>A</h1><h2>B</h2><ul><li>one line</li><li><code>x&#60;y</code></li></ul>' +
        '<h3>C</h3><p><strong>d</strong> &#38; e</p>',
    );
  });

  it('show links, tables, numbers, code and pictures of Markdown, and no link that runs a script', () => {
    const { html } = markdown(
      'See [the docs](https://x.example/a), https://y.example/b. [no](javascript:alert)\n![a picture](https://z.example/p.png)\n\n' +
        '1. one\n2. **two `x`**\n\n| a | b |\n|---|---|\n| 1 | `c` |\n\n```sh\na <b\n```\n> quoted\ntext\n* item\n  more',
      3,
    );
    expect(html.replaceAll('\n', '')).toBe(
      '<p>See <a href="https://x.example/a">the docs</a>, <a href="https://y.example/b">https://y.example/b</a>. no a picture</p>' +
        '<ol><li>one</li><li><strong>two <code>x</code></strong></li></ol>' +
        '<div class="scroll" tabindex="0"><table><thead><tr><th>a</th><th>b</th></tr></thead>' +
        '<tbody><tr><td>1</td><td><code>c</code></td></tr></tbody></table></div>' +
        '<pre class="code" tabindex="0"><code>a &#60;b</code></pre><p>quoted text</p><ul><li>item more</li></ul>',
    );
  });

  it('take examples with and without names and words', () => {
    expect(examplesIn('{ a }\n\nfragment F on T { b }')).toEqual([
      { name: '', about: '', query: '{ a }\n', variables: '' },
    ]);
  });
});

describe('the pages of a server', () => {
  const empty = pathToFileURL(`${mkdtempSync(join(tmpdir(), 'docs-'))}/`);
  afterAll(() => rmSync(empty, { recursive: true }));

  it('without GraphQL do not speak of it', async () => {
    const docs = await docsOf(undefined, empty);
    const { status, html } = await docs('/docs');
    expect(status).toBe(200);
    expect(html).not.toMatch(/graph/i);
    expect(html).toContain('<title>Overview · Shelves</title>');
    expect(html).toContain('The digest of the contract');
    for (const path of ['/docs/graphql', '/docs/schema', '/docs/examples.json']) {
      await expect(docs(path), path).rejects.toThrow('not-found');
    }
  });

  it('leave out what the folder of the project does not have', async () => {
    const docs = await docsOf(bare, empty);
    expect((await docs('/docs')).html).not.toContain('/docs/changes');
    await expect(docs('/docs/changes')).rejects.toThrow('not-found');
    expect((await docs('/docs/examples.json')).html).toBe('[]');
  });

  it('are nowhere but under /docs', async () => {
    expect((await (await docsOf(bare, empty))('/docsx')).status).toBeUndefined();
  });
});

describe('the picture of a schema whose types all lead to each other', () => {
  it('is drawn at once for 10 types, each of them once', async () => {
    const html = await served(interlinked(10));
    expect(html.match(/<rect /g)).toHaveLength(11);
    expect(html).toContain('T0 leads to T0, T1, T2, T3, T4, T5, T6, T7, T8, T9;');
  });

  it('is left out for 2,000 types, with a sentence, and every type is described', async () => {
    const html = await served(interlinked(2000));
    expect(html).not.toContain('<svg');
    expect(html).toContain('too large for a picture');
    expect(html.match(/<section class="type"/g)).toHaveLength(2001);
  });

  it('is left out for few types with very many fields', () => {
    const fields = Array.from({ length: 1000 }, (_, i) => `f${i}: Int`);
    const { html } = schemaPage(buildSchema(`type Query { ${fields.join(' ')} }`)).body;
    expect(html).not.toContain('<svg');
  });

  it('has each type to the right of those that lead to it, but for the edge that closes a cycle', () => {
    const sdl = 'type Query { a: A, c: C } type A { b: B } type B { c: C } type C { a: A, c: C }';
    const { html } = schemaPage(buildSchema(sdl)).body;
    const columns = html.matchAll(/<a href="#(\w+)"><rect x="(\d+)"/g);
    expect(
      Object.fromEntries(Array.from(columns, ([, name, x]) => [name, Number(x) / 320])),
    ).toEqual({ Query: 0, A: 1, B: 2, C: 3 });
  });
});

/** Types that lead to themselves, to their neighbours and to ten others. */
function interlinked(count: number): string {
  const types = Array.from({ length: count }, (_, i) => {
    const others = [0, 1, count - 1, ...Array.from({ length: 10 }, (_, k) => (k + 1) * (i + 1))];
    const names = new Set(others.map((step) => (i + step) % count));
    if (count <= 10) for (let k = 0; k < count; k++) names.add(k);
    return `type T${i} { ${[...names].sort((a, b) => a - b).map((k) => `t${k}: T${k}`)} }`;
  });
  return `type Query { t0: T0 } ${types.join(' ')}`;
}

/** The schema's page over HTTP. */
async function served(sdl: string): Promise<string> {
  const server = await serveGraphql(sdl, { Query: { t0: () => null } });
  try {
    return await (await fetch(`${server.url}/docs/schema`)).text();
  } finally {
    await server.stop();
  }
}

/** The pages of a contract without paths, asked for by path. */
async function docsOf(schema: GraphQLSchema | undefined, project: URL) {
  const contract = await parseContract(
    '{ openapi: 3.1.0, info: { title: Shelves, version: 1.0.0 }, paths: {} }',
  );
  const docs = createDocsEndpoint({ contract, schema, digest: 'd', project });
  return async (path: string, method = 'GET') => {
    const reply = await docs({ path, method, request: new IncomingMessage(new Socket()) });
    return { status: reply?.status, html: String(reply?.body) };
  };
}
