// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';
import { articleIn, elementsIn, seenText } from '../../support/seen-text.ts';

const contract = `
openapi: 3.1.0
info: { title: Things, version: '1' }
tags: [{ name: Things, description: What there is. }, { name: Last }]
components:
  securitySchemes:
    key: { type: apiKey, in: query, name: k, description: Ask \`putThing\`. }
    sid: { type: apiKey, in: cookie, name: sid }
    head: { type: apiKey, in: header, name: X-Key }
    user: { type: http, scheme: Basic }
    jwt: { type: http, scheme: bearer }
    digest: { type: http, scheme: digest }
    token: { type: oauth2, flows: {} }
    open: { type: openIdConnect, openIdConnectUrl: 'https://x.example' }
    tls: { type: mutualTLS }
    referred: { $ref: '#/components/securitySchemes/key' }
  parameters:
    page: { name: page, in: query, description: Which *page*., schema: { type: integer, minimum: 1 } }
  schemas:
    Thing:
      type: object
      required: [name]
      properties:
        id: { type: string, readOnly: true }
        name: { type: string }
        secret: { type: string, writeOnly: true }
    Level: { type: integer, maximum: 9 }
    Problem: { type: object, properties: { why: { type: string } } }
paths:
  /other: { get: { operationId: other, responses: { '204': { description: Nothing. } } } }
  /things/{id}:
    put:
      operationId: putThing
      tags: [Things]
      summary: Replace <it>
      description: "Writes a \`Thing\`.\\n\\n# After\\n\\nSee \`other\`."
      deprecated: true
      x-deprecation-date: 2025-02-03
      x-sunset: '2027-01-01'
      x-replaced-by: other
      security: [{}, { key: [] }, { user: [], token: [read, write] }]
      parameters:
        - { name: id, in: path, required: true, description: The id., example: a7, schema: { type: string, maxLength: 5 } }
        - $ref: '#/components/parameters/page'
        - { name: level, in: query, required: true, schema: { $ref: '#/components/schemas/Level', minimum: 2 } }
        - { name: filter, in: query, content: { application/json: { schema: { type: object } } } }
        - { name: X-Note, in: header, deprecated: true, schema: { type: string }, examples: { a: { value: first }, b: { value: second } } }
        - { name: sid, in: cookie, schema: { type: string } }
      requestBody:
        description: The whole.
        required: true
        content:
          application/json: { schema: { $ref: '#/components/schemas/Thing' } }
          text/plain: {}
      responses:
        '200':
          description: As it is *now*.
          headers:
            ETag: { required: true, description: Its version., schema: { type: string, minLength: 3 } }
            X-Left: { schema: { type: integer } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } }
        2XX: { description: Else., headers: { X-Only: { schema: { type: integer } } }, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
        '404': { description: None., content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problem' } } } }
        default: { description: Whatever. }
    delete:
      operationId: dropThing
      tags: [Things]
      deprecated: true
      x-deprecated-at: '2024-05-06'
      x-replaced-by: Thing
      security: [{ jwt: [] }]
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '204': { description: Gone. } }
  /last: { get: { operationId: last, tags: [Last], deprecated: true, requestBody: { content: { 'image/*': {} } }, responses: { '200': { description: Seen. } } } }
  /v1/{all}: { get: { operationId: all, security: [{}], parameters: [{ name: all, in: path, required: true, schema: {} }], responses: { '200': { description: Seen. } } } }
`;

let server: Awaited<ReturnType<typeof serveContract>>;
beforeAll(async () => {
  server = await serveContract(contract, { last: () => ({ status: 200 }) }, { mocks: true });
});
afterAll(() => server.stop());

const page = async (path: string) => (await fetch(server.url + path)).text();
/** What the contract says of an operation, without the programs and the form. */
const said = async (id: string) => {
  const html = articleIn(await page(`/docs/rest/${id}`));
  return seenText(html.replace(/<div class="aside">.*?<\/div>\n(?=<div class="said">)/s, ''));
};
const schema = (name: string) => `[${name}](/docs/rest/schemas/${name})`;
const scheme = (name: string) => `[${name}](/docs/rest#scheme-${name})`;
const mocked = 'Mocked. Nobody has written this operation yet: it is answered from the contract.';

describe('the page of an operation', () => {
  it('says all that the contract says, in its order', async () => {
    expect(await said('putThing')).toEqual([
      ...['Things', '# Replace <it>', 'PUT /things/{id}', mocked],
      'Deprecated since 2025-02-03, gone from 2027-01-01. Use [other](/docs/rest/other) instead.',
      ...[`Writes a ${schema('Thing')}.`, '## After', 'See [other](/docs/rest/other).'],
      `Credentials (optional): ${scheme('key')} or ${scheme('user')} and ${scheme('token')} (read, write)`,
      ...['## Path', 'id string required', 'The id.', 'at most 5 characters; for example a7'],
      ...['## Query', 'page integer', 'Which *page*.', 'at least 1'],
      ...[`level ${schema('Level')} required`, '2 to 9', 'filter object'],
      ...[
        '## Headers',
        'X-Note string deprecated',
        'for example first',
        '## Cookies',
        'sid string',
      ],
      ...['## Body required', 'The whole.', `application/json ${schema('Thing')}`],
      ...['name string required', 'secret string', 'only in requests', 'text/plain any value'],
      ...['## Responses', '### 200 OK', 'As it is *now*.', `application/json ${schema('Thing')}`],
      ...['id string', 'only in answers', 'name string required'],
      ...[
        'Headers',
        'ETag string required',
        'Its version.',
        'at least 3 characters',
        'X-Left integer',
      ],
      ...['### 404 Not Found', 'None.', `application/problem+json ${schema('Problem')}`],
      ...['### 2XX', 'Else.', `application/json ${schema('Thing')}`],
      ...['id string', 'only in answers', 'name string required', 'Headers', 'X-Only integer'],
      ...['### default', 'Whatever.'],
    ]);
  });

  it.each([
    ['dropThing', `Deprecated since 2024-05-06. Use ${schema('Thing')} instead.`],
    ['last', 'Deprecated.'],
  ])('of a deprecated %s says so', async (id, line) => {
    expect(await said(id)).toContain(line);
  });

  it('says little of what the contract says little of', async () => {
    expect(await said('other')).toEqual([
      ...[
        'other',
        '# GET /other',
        'GET /other',
        mocked,
        '## Responses',
        '### 204 No Content',
        'Nothing.',
      ],
    ]);
    expect(await said('last')).toEqual([
      ...['Last', '# GET /last', 'GET /last', 'Deprecated.', '## Body', 'image/* any value'],
      ...['## Responses', '### 200 OK', 'Seen.'],
    ]);
  });

  it.each([
    ['dropThing', `Credentials: ${scheme('jwt')}`],
    ['all', undefined],
    ['other', undefined],
  ])('of %s names its credentials: %s', async (id, line) => {
    expect((await said(id)).find((each) => each.startsWith('Credentials'))).toBe(line);
  });

  it('has addresses for its parameters and responses', async () => {
    const html = await page('/docs/rest/putThing');
    const ids = Array.from(html.matchAll(/<(?:dt|h[1-6]) id="([^"]*)"/g), ([, id]) => id);
    expect(ids).toEqual([
      ...['path', 'path.id', 'query', 'query.page', 'query.level', 'query.filter'],
      ...['header', 'header.X-Note', 'cookie', 'cookie.sid', 'body', 'call', 'answer', 'try'],
      ...['responses', '200', '404', '2XX', 'default'],
    ]);
    expect(html).toContain('<span class="method put">PUT</span>');
    expect(html).toContain('<div class="operation split">');
    expect(html).toContain('X-<wbr>Note');
    // The script writes the page's own server where the contract's stands.
    expect(html.match(/<span class="address">http:\/\/127\.0\.0\.1:3000<\/span>/g)).toHaveLength(3);
    expect(html).not.toContain('<code><span class="address">');
    const languages = elementsIn(html, 'section').flatMap((each) => each['data-language'] ?? []);
    expect(languages).toEqual(['curl', 'TypeScript', 'Python']);
  });
});

describe('the first page of the reference', () => {
  it('lists operations by tag, in the order of the tags, then schemes and schemas', async () => {
    const html = await page('/docs/rest');
    const entry = (id: string, line: string) => `[${line}](/docs/rest/${id})`;
    expect(seenText(articleIn(html))).toEqual([
      ...['# REST reference', '## Things', 'What there is.'],
      `${entry('putThing', 'PUT /things/{id} Replace <it>')} mocked deprecated`,
      `${entry('dropThing', 'DELETE /things/{id} DELETE /things/{id}')} mocked deprecated`,
      ...['## Last', `${entry('last', 'GET /last GET /last')} deprecated`],
      ...['## other', `${entry('other', 'GET /other GET /other')} mocked`],
      ...['## root', `${entry('all', 'GET /v1/{all} GET /v1/{all}')} mocked`],
      ...[
        '## Security schemes',
        'key key in the query parameter k',
        'Ask [putThing](/docs/rest/putThing).',
      ],
      ...['sid key in the cookie sid', 'head key in the header X-Key'],
      'user user and password in the header Authorization',
      ...[
        'jwt bearer token in the header Authorization',
        'digest digest token in the header Authorization',
      ],
      ...[
        'token bearer token in the header Authorization',
        'open bearer token in the header Authorization',
      ],
      ...[
        'tls client certificate',
        'referred key in the query parameter k',
        'Ask [putThing](/docs/rest/putThing).',
      ],
      ...['## Schemas', schema('Thing'), schema('Level'), schema('Problem')],
    ]);
    const ids = Array.from(html.matchAll(/<(?:dt|h2) id="([^"]*)"/g), ([, id]) => id);
    expect(ids.slice(0, 6)).toEqual([
      ...[
        'group-Things',
        'group-Last',
        'group-other',
        'group-root',
        'security-schemes',
        'scheme-key',
      ],
    ]);
  });

  it('has a sidebar that marks the page that is open and what is mocked', async () => {
    const [, sidebar = ''] = (await page('/docs/rest/last')).split('<nav class="sidebar"');
    const [links = ''] = sidebar.split('</nav>');
    expect(links.match(/ aria-current="page"/g)).toHaveLength(1);
    expect(links).toContain('<a href="/docs/rest/last" aria-current="page">');
    expect(links.match(/<span class="mark mocked">/g)).toHaveLength(4);
    expect(seenText(links).filter((line) => line.startsWith('['))).toContain(
      '[Things](/docs/rest#group-Things)',
    );
    expect(links).toContain('<a href="/docs/rest#schemas">Schemas</a>');
  });
});
