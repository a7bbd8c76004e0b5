// engines: sqlite
import { describe, expect, it } from 'vitest';
import { parameterText as sdkText } from '../../../src/kit/cli/sdk/typescript/runtime/parameter-text.ts';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { parameterText } from '../../../src/kit/docs/assets/parameter-text.js';
import { createOperationSamples } from '../../../src/kit/docs/operation-samples.ts';
import { useServer } from '../../support/api-server.ts';
import { serveContract } from '../../support/contract-server.ts';
import { crawlDocs } from '../../support/docs-crawl.ts';

const server = useServer();
const text = async (path: string) => (await fetch(server.url + path)).text();

describe('the REST reference', () => {
  it('has a page for each operation and schema, with everything that it links to', async () => {
    const { pages, missing } = await crawlDocs(server.url);
    expect(missing).toEqual([]);
    expect(pages.size).toBeGreaterThan(50);
    // "the `Problem` below"
    expect(pages.get('/docs')).toContain(
      '<a href="/docs/rest/schemas/Problem"><code>Problem</code>',
    );
  });

  it('fills in what is required, and nothing else', async () => {
    const html = await text('/docs/rest/replaceBook');
    expect(html).toMatch(/id="try-path-id" value="2"/);
    expect(html).toMatch(/id="try-header-If-Match" value=""/);
    expect(html).toContain('&#34;title&#34;: &#34;Invisible Cities&#34;');
  });

  it('shows parameters with their bounds, bodies, responses and headers', async () => {
    const html = await text('/docs/rest/listBooks');
    expect(html).toContain('id="query.limit"');
    expect(html).toContain('1 to 1,000');
    expect(html).toContain('<a href="/docs/rest/schemas/Book');
    expect(html).toContain('<h3 id="503"');
    expect(html).toContain('Retry-<wbr>After');
  });

  it('has an index for its search', async () => {
    const index = JSON.parse(await text('/docs/rest.json'));
    expect(index).toContainEqual([
      '/docs/rest/createBook',
      'Create a book',
      'POST /books createBook',
    ]);
    expect(index).toContainEqual(['/docs/rest/schemas/Problem', 'Problem', 'schema']);
  });

  it('marks what is mocked, and says since when something is deprecated and what to use instead', async () => {
    const other = await serveContract(
      described(`
        /old: { get: { operationId: old/one, deprecated: true, x-deprecated-at: '2025-02-03', x-sunset: '2027-01-01',
          x-replaced-by: fresh, responses: &r { '200': { description: Seen. } } } }
        /fresh: { get: { operationId: fresh, summary: 'A <b>', responses: *r } }
        /other: { get: { operationId: other, deprecated: true, x-replaced-by: another API, responses: *r } }
        /done: { get: { operationId: done, responses: *r } }`),
      { done: () => ({ status: 200 }) },
      { mocks: true },
    );
    const page = async (path: string) => (await fetch(other.url + path)).text();
    const old = await page('/docs/rest/old%2Fone');
    expect(old).toContain('<strong>Deprecated</strong> since 2025-02-03, gone from 2027-01-01.');
    expect(old).toContain('Use <a href="/docs/rest/fresh">fresh</a> instead.');
    expect(old).toContain('<strong>Mocked.</strong>');
    expect(await page('/docs/rest/other')).toContain('Use another API instead.');
    expect(await page('/docs/rest/done')).not.toContain('<strong>Mocked.</strong>');
    const all = await page('/docs/rest');
    expect(all).toContain('A &#60;b&#62;');
    expect(all.match(/<span class="mark deprecated">/g)).toHaveLength(2);
    await other.stop();
  });

  it('shows what the API sends, without a form', async () => {
    const responses = "{ '200': { description: Seen. } }";
    const other = await serveContract(
      `{ openapi: 3.1.0, info: { title: T, version: 1.0.0 },
        paths: { /x: { get: { operationId: start, responses: ${responses},
          callbacks: { done: { '{$request.query.url}': { post: { summary: It is done, responses: ${responses} } } } } } } },
        webhooks: { arrived: { put: { summary: Something new, requestBody: { content: { application/json: { schema:
          { type: object, properties: { why: { type: string } } } } } }, responses: ${responses} } } } }`,
      { start: () => ({ status: 200 }) },
    );
    const page = async (path: string) => (await fetch(other.url + path)).text();
    const webhook = await page('/docs/rest/webhook%20arrived%20put');
    expect(webhook).toContain('<h1>Something new</h1>');
    expect(webhook).toContain('>why</code>');
    expect(webhook).not.toContain('<form');
    expect(await page('/docs/rest/callback%20start%3A%20done%20post')).toContain('It is done');
    await other.stop();
  });

  it('shows schemas of every form', async () => {
    const other = await serveContract(
      described(
        `/x: { post: { operationId: look, requestBody: { content: {
            application/json: { schema: { $ref: '#/components/schemas/All' } },
            multipart/form-data: { schema: { type: object, required: [a], properties: { a: { type: string },
              f: { type: string, contentMediaType: image/png }, fs: { type: array, items: { type: string, format: binary } } } } } } },
          responses: { '200': { description: Seen. } } } }`,
        `components: { schemas: {
          Level: { type: integer, minimum: 1, maximum: 9, description: How high. },
          Node: { type: object, properties: { next: { $ref: '#/components/schemas/Node' } } },
          All: { allOf: [ { $ref: '#/components/schemas/Node' }, { type: object, required: [level], properties: {
            level: { $ref: '#/components/schemas/Level' },
            secret: { type: string, writeOnly: true }, id: { type: string, readOnly: true },
            any: {}, none: false, map: { type: object, additionalProperties: { type: string } },
            list: { type: array, minItems: 1, uniqueItems: true, items: { type: object, properties: { deep: { const: 3 } } } },
            many: { oneOf: [ { type: string }, { $ref: '#/components/schemas/Node' } ], deprecated: true },
            kind: { enum: [a, 1, null], default: a }, open: { type: number, exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.5 },
            text: { type: [string, 'null'], pattern: '^a', maxLength: 1, examples: [a] } } } ] } } }`,
      ),
      { look: () => ({ status: 200 }) },
    );
    const page = async (path: string) => (await fetch(other.url + path)).text();
    const operation = await page('/docs/rest/look');
    for (const part of [
      '<a href="/docs/rest/schemas/Node">Node</a>',
      'map of string',
      'array of object',
      'at least 1 item; each once',
      '<code>3</code>',
      'string or <a href="/docs/rest/schemas/Node">Node</a>',
      '<span class="mark deprecated">deprecated</span>',
      'one of <code>a</code>, <code>1</code>, <code>null</code>; default <code>a</code>',
      'above 0; below 1; a multiple of 0.5',
      'string or null',
      'at most 1 character; matches <code>^a</code>; for example <code>a</code>',
      '1 to 9',
      'How high.',
      'any value',
      'nothing',
    ]) {
      expect(operation, part).toContain(part);
    }
    // A member that is only in answers is none of a request.
    expect(operation).toContain('>secret</code>');
    expect(operation).not.toContain('>id</code>');
    expect(await page('/docs/rest/schemas/All')).toContain('only in answers');
    await other.stop();
  });

  it('offers inputs for credentials, choices and files', async () => {
    const other = await serveContract(
      described(
        `'/x/{kind}': { put: { operationId: look, security: [ { key: [] }, { user: [], token: [read] } ],
          parameters: [ { name: kind, in: path, required: true, schema: { type: string, enum: [a, b] } },
            { name: on, in: query, schema: { type: boolean } },
            { name: filter, in: query, content: { application/json: { schema: { type: object } } } } ],
          requestBody: { content: { image/png: {} } }, responses: { '200': { description: Seen. } } } }`,
        `components: { securitySchemes: { key: { type: apiKey, in: cookie, name: sid }, user: { type: http, scheme: basic },
          token: { type: oauth2, flows: {} } } }`,
      ),
      { look: () => ({ status: 200 }) },
      { mocks: true },
    );
    const html = await (await fetch(`${other.url}/docs/rest/look`)).text();
    expect(html).toContain('<option value="a" selected>a</option><option value="b">b</option>');
    expect(html).toContain('<option value="" selected></option><option value="true">true</option>');
    expect(html).toMatch(/<input id="try-body" type="file"/);
    expect(html).toContain('key in the cookie sid');
    expect(html).toContain('user and password in the header Authorization, as user:password');
    expect(html).toContain('<a href="/docs/rest#scheme-token">token</a> (read)');
    expect(html).toContain('-b &#39;sid=my-secret&#39;');
    await other.stop();
  });
});

describe('the programs of the reference', () => {
  it('are made with what the contract demands', async () => {
    const contract = await parseContract(
      described(
        `'/a/{id}': { post: { operationId: make, security: [ { token: [] } ], parameters: [
            { name: id, in: path, required: true, schema: { type: integer, example: 7 } },
            { name: tag, in: query, required: true, schema: { type: array, items: { type: string }, example: [x, 'y z'] } },
            { name: X-Note, in: header, required: true, schema: { type: string, example: "it's" } },
            { name: later, in: query, schema: { type: string, example: no } } ],
          requestBody: { content: { application/x-www-form-urlencoded: { schema: { type: object, properties: {
            name: { type: string, example: a&b }, list: { type: array, items: { type: integer }, example: [1, 2] } } } } } },
          responses: { '204': { description: Made. } } } }
        /t: { trace: { operationId: follow, responses: { '200': { description: Seen. } } },
          head: { operationId: peek, responses: { '200': { description: Seen. } } } }`,
        'components: { securitySchemes: { token: { type: http, scheme: bearer } } }',
      ),
    );
    const samplesOf = createOperationSamples({
      document: contract.document,
      digest: '',
      schema: undefined,
    });
    const { programs, values } = { ...samplesOf('make') };
    expect(programs?.curl).toBe(`curl 'http://127.0.0.1:3000/a/7?tag=x&tag=y%20z' \\
  -H 'X-Note: it'\\''s' \\
  -H 'Authorization: Bearer my-token' \\
  -d 'name=a%26b&list=1&list=2'`);
    expect(programs?.TypeScript).toContain("token: async () => 'my-token'");
    expect(programs?.TypeScript).toContain(
      "await t.a.make(7, { name: 'a&b', list: [1, 2] }, { tag: ['x', 'y z'], xNote: \"it's\" });",
    );
    expect(programs?.Python).toContain('token=lambda: "my-token"');
    expect(values).toEqual({ 'path id': '7', 'query tag': '["x","y z"]', 'header X-Note': "it's" });
    // The SDKs do not send TRACE.
    expect(samplesOf('follow')?.programs).toEqual({
      curl: "curl -X TRACE 'http://127.0.0.1:3000/t'",
    });
    expect(samplesOf('peek')?.programs.curl).toBe("curl -I 'http://127.0.0.1:3000/t'");
    expect(samplesOf('nothing')).toBeUndefined();
  });

  it('write parameters as the SDK does', () => {
    const forms = (['path', 'query', 'header', 'cookie'] as const).flatMap((place) =>
      [
        'simple',
        'label',
        'matrix',
        'form',
        'spaceDelimited',
        'pipeDelimited',
        'deepObject',
      ].flatMap((style) =>
        [true, false].flatMap((explode) =>
          [{}, { json: true }, { reserved: true }].map((more) => ({
            ...{ name: 'a b', in: place, style, explode, ...more },
          })),
        ),
      ),
    );
    const values = [
      'x/y z',
      '',
      1,
      true,
      null,
      [],
      [1, 'b,c'],
      {},
      { k: 'v&w', l: [1, 2], m: { n: 1 } },
    ];
    for (const form of forms) {
      for (const value of values) expect(parameterText(form, value)).toBe(sdkText(form, value));
    }
  });
});

function described(paths: string, rest = ''): string {
  return `openapi: 3.1.0\ninfo: { title: T, version: 1.0.0 }\npaths: {${commas(paths)} }\n${rest}\n`;
}

/** Paths stand in lines of their own. */
function commas(paths: string): string {
  return paths.trim().replaceAll(/\n {8}\//g, ',\n        /');
}
