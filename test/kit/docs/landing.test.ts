// engines: sqlite
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSchema } from 'graphql';
import { afterAll, describe, expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { createDocsEndpoint, type DocsParts } from '../../../src/kit/docs/docs-endpoint.ts';
import { articleIn, elementsIn, seenText } from '../../support/seen-text.ts';

const rest = `
openapi: 3.1.0
info: { title: A & B, version: 1.2.3, summary: In short., description: "# Rules\\n\\nSee \`Thing\` and \`other\`." }
tags: [{ name: Second }, { name: First }]
components: { schemas: { Thing: { type: object } } }
paths:
  /b: { get: { operationId: b, tags: [First], deprecated: true, responses: &r { '200': { description: Seen. } } } }
  /a: { get: { operationId: a, tags: [Second], summary: Sum, responses: *r } }
  /c: { get: { operationId: c, responses: *r } }
  /d: { get: { operationId: d, tags: [First], responses: *r } }
webhooks: { told: { post: { responses: *r }, put: { summary: Told again, responses: *r } } }`;
const none = '{ openapi: 3.1.0, info: { title: None, version: 1.0.0 }, paths: {} }';
const sent = `{ openapi: 3.1.0, info: { title: Sent, version: 1.0.0 }, paths: {}, webhooks: { told: { post: { responses: { '200': { description: Seen. } } } } } }`;

const schema = buildSchema(`
"""The
\`graph\`."""
schema { query: Query mutation: Mutation subscription: Subscription }
type Query { "One, of many." one: Int "Two; and more." two: Int three: Int @deprecated(reason: "") }
type Mutation { "Do it. Now." doIt: Int }
type Subscription { told: Int }`);
const mocked = {
  operations: new Set(['a']),
  fields: new Set(['Query.two']),
  line: '1 of 4 operations and 1 of 5 fields are mocked',
};

const folder = mkdtempSync(join(tmpdir(), 'landing-'));
afterAll(() => rmSync(folder, { recursive: true }));
const project = (name: string) => {
  mkdirSync(join(folder, name), { recursive: true });
  return pathToFileURL(`${join(folder, name)}/`);
};

async function docsOf(text: string, others: Partial<DocsParts> = {}) {
  const contract = await parseContract(text);
  const parts = { contract, schema: undefined, digest: 'f00', project: project('empty') };
  const docs = createDocsEndpoint({ ...parts, ...others });
  return async (path: string) => {
    const reply = await docs({ path, method: 'GET', request: new IncomingMessage(new Socket()) });
    return { ...reply, html: String(reply?.body) };
  };
}
const main = (html: string) => seenText(html.slice(html.indexOf('<main ')));
const nav = (html: string) =>
  elementsIn(html.match(/<nav aria-label="Documentation">.*?<\/nav>/s)?.[0] ?? '', 'a');
const health = '[/healthz](/healthz) and [/readyz](/readyz) how the server is';
const digest = 'The same as in the Contract-Digest header of every answer, and as';
const entry = (id: string, line: string) => `[${line}](/docs/rest/${id})`;
const field = (id: string, line: string) => `[${line}](/docs/schema#${id})`;

describe('the first page', () => {
  it('shows both contracts side by side', async () => {
    writeFileSync(new URL('CHANGELOG.md', project('full')), '# Changes\n');
    const docs = await docsOf(rest, { schema, mocked, project: project('full') });
    expect(main((await docs('/docs')).html)).toEqual([
      ...['Contract version 1.2.3', '# A & B', 'In short.', `${mocked.line}.`],
      '[REST reference](/docs/rest) [Open GraphiQL](/docs/graphql)',
      ...['## REST openapi.yaml', '### Second', `${entry('a', 'GET /a Sum')} mocked`],
      ...['### First', `${entry('b', 'GET /b GET /b')} deprecated`, entry('d', 'GET /d GET /d')],
      ...['### c', entry('c', 'GET /c GET /c'), '### Sent by the API'],
      entry('webhook%20told%20put', 'PUT told Told again'),
      entry('webhook%20told%20post', 'POST told webhook told'),
      '[Reference](/docs/rest) [YAML](/openapi.yaml) [JSON](/openapi.json)',
      ...['## GraphQL schema.graphql', 'The graph.', '### Query', field('Query.one', 'one One')],
      ...[`${field('Query.two', 'two Two')} mocked`, `${field('Query.three', 'three')} deprecated`],
      ...[
        '### Mutation',
        field('Mutation.doIt', 'doIt Do it'),
        '### Subscription',
        field('Subscription.told', 'told'),
      ],
      '[GraphiQL](/docs/graphql) [Schema](/docs/schema) [SDL](/schema.graphql)',
      ...[
        '## What holds everywhere',
        '### Rules',
        'See [Thing](/docs/rest/schemas/Thing) and other.',
      ],
      ...[
        '## For reviewers',
        '[Changes](/docs/changes) what each version of the contracts brought',
      ],
      '[Schema reference](/docs/schema) every GraphQL type, with a picture',
      ...[health, '## The digest of both contracts', 'f00'],
      `${digest} cat openapi.yaml schema.graphql | sha256sum says.`,
    ]);
  });

  it('shows the one contract there is', async () => {
    const { html } = await (await docsOf(none, { schema }))('/docs');
    expect(main(html).slice(0, 4)).toEqual([
      ...[
        'Contract version 1.0.0',
        '# None',
        '[Open GraphiQL](/docs/graphql)',
        '## GraphQL schema.graphql',
      ],
    ]);
    expect(main(html).slice(-4)).toEqual([
      ...[
        health,
        '## The digest of the contract',
        'f00',
        `${digest} cat schema.graphql | sha256sum says.`,
      ],
    ]);
    const other = main((await (await docsOf(rest))('/docs')).html);
    expect(other).toContain('[REST reference](/docs/rest)');
    expect(other.slice(-5)).toEqual([
      ...['## For reviewers', health, '## The digest of the contract', 'f00'],
      `${digest} cat openapi.yaml | sha256sum says.`,
    ]);
  });

  it('leads to a reference also where the API only sends', async () => {
    const docs = await docsOf(sent);
    expect((await docs('/docs')).html).toContain('href="/docs/rest/webhook%20told%20post"');
    expect((await docs('/docs/rest')).status).toBe(200);
    expect(JSON.parse((await docs('/docs/rest.json')).html)).toEqual([
      ['/docs/rest/webhook%20told%20post', 'webhook told', expect.stringMatching(/^POST told /)],
    ]);
  });

  it('leads to the requests of a callback, of which extensions are none', async () => {
    const callbacks = `{ done: { x-note: null, '{$request.query.url}': { post: { summary: It is done, responses: *r } } } }`;
    const docs = await docsOf(
      rest.replace('operationId: c', `operationId: c, callbacks: ${callbacks}`),
    );
    const index: string[][] = JSON.parse((await docs('/docs/rest.json')).html);
    expect(index.filter(([href]) => href?.includes('callback'))).toEqual([
      [
        '/docs/rest/callback%20c%3A%20done%20post',
        'It is done',
        expect.stringMatching(/^POST c: done /),
      ],
    ]);
  });

  it.each([
    ['', []],
    [
      'components: { schemas: { Thing: {} }, securitySchemes: { key: { type: apiKey, in: query, name: k } } }',
      [
        ...['## Security schemes', 'key key in the query parameter k'],
        ...['## Schemas', '[Thing](/docs/rest/schemas/Thing)'],
      ],
    ],
  ])('leads to a reference that lists what there is beside operations: %j', async (more, lines) => {
    const docs = await docsOf(more ? sent.replace('paths:', `${more}, paths:`) : sent);
    const { html } = await docs('/docs/rest');
    expect(seenText(articleIn(html))).toEqual([
      ...['# REST reference', '## Sent by the API'],
      entry('webhook%20told%20post', 'POST told webhook told'),
      ...lines,
    ]);
    expect(html.includes('href="/docs/rest#schemas"')).toBe(more !== '');
  });

  it('leads to no reference where there is none', async () => {
    const unused = 'paths: {}, components: { schemas: { Thing: {} } }';
    const docs = await docsOf(none.replace('paths: {}', unused), { schema });
    const paths = ['/docs/rest', '/docs/rest.json', '/docs/rest/a', '/docs/rest/schemas/Thing'];
    for (const path of paths) {
      await expect(docs(path), path).rejects.toThrow('not-found');
    }
  });
});

describe('the frame of a page', () => {
  it('leads to every other, and marks the one that is open', async () => {
    const docs = await docsOf(rest, { schema, project: project('full') });
    const places = ['/docs', '/docs/rest', '/docs/graphql', '/docs/schema', '/docs/changes'];
    const marked = (open: string, mark = 'page') =>
      places.map((href) => ({ name: 'a', href, ...(href === open && { 'aria-current': mark }) }));
    for (const path of places) expect(nav((await docs(path)).html)).toEqual(marked(path));
    expect(nav((await docs('/docs/rest/schemas/Thing')).html)).toEqual(
      marked('/docs/rest', 'true'),
    );
    const titles = await Promise.all(
      places.map(async (path) => (await docs(path)).html.match(/<title>(.*)<\/title>/)?.[1]),
    );
    expect(titles).toEqual(
      ['Overview', 'REST reference', 'GraphiQL', 'GraphQL schema', 'Changes'].map(
        (title) => `${title} · A &#38; B`,
      ),
    );
  });

  it.each([
    ['/docs', 'column', ['site.css'], ['status.js'], []],
    ['/docs/rest', 'wide', ['site.css', 'reference.css'], ['status.js'], ['reference.js']],
    [
      ...(['/docs/graphql', 'wide', ['site.css', 'graphiql.min.css', 'graphiql.css']] as const),
      [
        'status.js',
        'react.production.min.js',
        'react-dom.production.min.js',
        'graphiql.min.js',
        'graphiql.js',
      ],
      [],
    ],
  ])(
    'of %s is %s and loads what it needs, in order',
    async (path, width, styles, scripts, modules) => {
      const { html, headers } = await (await docsOf(rest, { schema }))(path);
      const at = (name: string) => `/docs/assets/${name}`;
      const sheets = elementsIn(html, 'link').filter(({ rel }) => rel === 'stylesheet');
      expect(sheets.map(({ href }) => href)).toEqual(styles.map(at));
      const [loaded, typed] = [false, true].map((isModule) =>
        elementsIn(html, 'script').filter(({ type }) => (type === 'module') === isModule),
      );
      expect(loaded).toEqual(
        scripts.map((name) => ({ name: 'script', src: at(name), defer: true })),
      );
      expect(typed).toEqual(
        modules.map((name) => ({ name: 'script', src: at(name), type: 'module' })),
      );
      expect(elementsIn(html, 'main')).toEqual([{ name: 'main', id: 'content', class: width }]);
      // Nothing of another host, and nothing within the page.
      expect(headers?.['Content-Security-Policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self' data:; " +
          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
    },
  );

  it('of the coverage report allows the style that it has inline', async () => {
    const at = new URL('artefacts/contract-coverage/', project('covered'));
    mkdirSync(at, { recursive: true });
    writeFileSync(new URL('report.html', at), '<style>p { a: b }</style><p>');
    const docs = await docsOf(rest, { project: project('covered') });
    const hash = createHash('sha256').update('p { a: b }').digest('base64');
    const { html, headers } = await docs('/docs/coverage');
    expect(html).toBe('<style>p { a: b }</style><p>');
    expect(headers?.['Content-Security-Policy']).toContain(`; style-src 'sha256-${hash}'; img-src`);
    expect(main((await docs('/docs')).html)).toContain(
      '[Contract coverage](/docs/coverage) which parts of the contracts the tests have exercised',
    );
  });
});

it.each([
  ['abcd', 0],
  ['abc', 3],
])(
  'beside a page it is marked what is mocked, unless all is that the API answers: %s',
  async (ids, marks) => {
    const operations = new Set(ids);
    const docs = await docsOf(rest, { mocked: { operations, fields: new Set(), line: '' } });
    const { html } = await docs('/docs/rest/a');
    const [, sidebar = ''] = html.split('<nav class="sidebar"');
    const links = sidebar.split('</nav>')[0] ?? '';
    expect(links).toContain('webhook%20told%20post');
    expect(links.split('<span class="mark mocked">').length - 1).toBe(marks);
  },
);
