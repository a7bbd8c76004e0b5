import type { Api } from '../../src/kit/api-declaration.ts';
import type { AnyReply } from '../../src/kit/rest/handler.ts';

/** A request and what it is answered. */
export type Ask = {
  readonly method?: string;
  readonly prefix?: string;
  /** Behind the feature's own path. */
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, unless it is text. */
  readonly body?: unknown;
  readonly status?: number;
  /** A part of the answer: of JSON, or the text. */
  readonly answer?: unknown;
  readonly answerHeaders?: Readonly<Record<string, string>>;
};

/** A feature of OpenAPI or JSON Schema, and how the kit treats it. */
export type Feature = {
  readonly name: string;
  readonly note?: string;
  readonly version?: '3.0.3' | '3.1.0' | '3.2.0';
  /** What stands at the feature's path, and behind it. */
  readonly item?: object;
  readonly suffix?: string;
  /** Further members of the document; such a feature has a server of its own. */
  readonly document?: object;
  readonly reply?: AnyReply | (() => AnyReply);
  readonly api?: Pick<Api, 'security' | 'formats'>;
} & (
  | { readonly how: 'lane' | 'full path'; readonly asks: readonly Ask[] }
  | { readonly how: 'refused'; readonly line: RegExp }
  | { readonly how: 'lane' | 'full path'; readonly test: Named }
);

/** A test by its file and a part of its text. */
export type Named = readonly [file: string, text: string];

export const ok = {
  responses: { 200: { description: 'ok', content: { 'application/json': {} } } },
};
const get = (more: object = {}) => ({ get: { ...ok, ...more } });
const post = (content: object, more: object = {}) => ({
  post: { requestBody: { required: true, content, ...more }, ...ok },
});
const json = (schema: unknown) => post({ 'application/json': { schema } });
const replying = (response: object, status: string | number = 200) => ({
  get: { responses: { [status]: { description: 'ok', ...response } } },
});

/** Components that features of every group refer to. */
export const components = {
  schemas: {
    Text: { type: 'string', minLength: 2 },
    Never: false,
    Tree: {
      type: 'object',
      additionalProperties: false,
      properties: { of: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
    },
    Cat: {
      type: 'object',
      required: ['kind', 'lives'],
      properties: { lives: { type: 'integer' } },
    },
    Dog: { type: 'object', required: ['good'], properties: { good: { type: 'boolean' } } },
    Holder: { $defs: { inner: { type: 'integer' } } },
  },
  responses: { Seen: ok.responses[200] },
  parameters: { Page: { name: 'page', in: 'query', schema: { type: 'integer' } } },
  examples: { One: { value: 'one' } },
  requestBodies: {
    Word: { required: true, content: { 'application/json': { schema: { type: 'string' } } } },
  },
  headers: { Count: { schema: { type: 'integer' } } },
  links: { Next: { operationId: 'next' } },
  callbacks: { Done: { '{$request.body#/url}': { post: ok } } },
};

/** A keyword of a JSON body: what it admits and what it does not. */
function keyword(
  name: string,
  schema: unknown,
  valid: readonly unknown[],
  invalid: readonly unknown[],
  more: Partial<Feature> = {},
): Feature {
  const asks = [
    ...valid.map((body) => ({ body })),
    ...invalid.map((body) => ({ body, status: 400 })),
  ];
  // The optional members are those of one of the kinds of feature.
  return { name, how: 'lane', item: json(schema), asks, ...more } as Feature;
}

function query(name: string, parameter: object, asks: readonly Ask[], more: object = {}): Feature {
  return {
    name,
    how: 'lane',
    item: get({ parameters: [{ name: 'q', in: 'query', ...parameter }] }),
    asks,
    ...more,
  };
}

function refused(name: string, part: object, line: RegExp, more: Partial<Feature> = {}): Feature {
  return { name, how: 'refused', line, ...part, ...more } as Feature;
}

const given = (q: unknown) => ({ query: { q } });
const list = (items: unknown = { type: 'integer' }) => ({ schema: { type: 'array', items } });
const pair = { schema: { type: 'object', properties: { a: { type: 'integer' }, b: {} } } };
const inPath = (more: object) => ({
  suffix: '/{q}',
  item: get({ parameters: [{ name: 'q', in: 'path', required: true, ...more }] }),
});
const header = (more: object) => ({
  item: get({ parameters: [{ name: 'X-Q', in: 'header', ...more }] }),
});
const cookie = (more: object) => ({
  item: get({ parameters: [{ name: 'q', in: 'cookie', ...more }] }),
});
const form = 'application/x-www-form-urlencoded';
const formOf = (properties: object, encoding: object = {}) =>
  post({ [form]: { schema: { type: 'object', properties }, encoding } });
const multipart = (type: string, schema: object, more: object = {}) =>
  post({ [type]: { schema, ...more } });
const part = (name: string, more: string, text: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;
const typed = (type: string, body: string, answer?: unknown): Ask => ({
  headers: { 'content-type': type },
  body,
  ...(answer !== undefined && { answer: { body: answer } }),
});
const scheme = (value: object, requirement: object = { s: [] }) => ({
  item: get({ security: [requirement] }),
  document: { components: { ...components, securitySchemes: { s: value } } },
});
const asks401 = (ask: Ask) => [{ status: 401 }, ask];
const who = { s: () => 'me' };
const flows = {
  deviceAuthorization: { deviceAuthorizationUrl: 'https://a', tokenUrl: 'https://b', scopes: {} },
};

/** Every feature of OpenAPI and JSON Schema, object by object and keyword by keyword. */
export const features: Readonly<Record<string, readonly Feature[]>> = {
  'The document': [
    { name: '`openapi` 3.0', version: '3.0.3', how: 'lane', item: get(), asks: [{}] },
    { name: '`openapi` 3.1', version: '3.1.0', how: 'lane', item: get(), asks: [{}] },
    { name: '`openapi` 3.2', version: '3.2.0', how: 'lane', item: get(), asks: [{}] },
    refused(
      'another `openapi`',
      { document: { openapi: '4.0.0' } },
      /found "4.0.0", expected a version/,
    ),
    refused('Swagger 2.0', { document: { swagger: '2.0' } }, /found Swagger 2.0.*swagger2openapi/, {
      note: 'the line names a converter',
    }),
    {
      name: '`info`, `tags`, `externalDocs`',
      note: 'shown in the docs',
      how: 'lane',
      item: get({ tags: ['a'], externalDocs: { url: 'https://a' } }),
      document: {
        info: {
          title: 'T',
          version: '1',
          summary: 's',
          description: 'd',
          termsOfService: 'https://a',
          contact: { name: 'a' },
          license: { name: 'MIT', identifier: 'MIT' },
        },
        tags: [{ name: 'a', externalDocs: { url: 'https://a' } }],
        externalDocs: { url: 'https://a' },
      },
      asks: [{}],
    },
    {
      name: '`summary`, `parent`, `kind` of a tag (3.2)',
      version: '3.2.0',
      how: 'lane',
      item: get({ tags: ['a'] }),
      document: { tags: [{ name: 'a', summary: 'A', parent: 'b', kind: 'nav' }, { name: 'b' }] },
      asks: [{}],
    },
    {
      name: '`servers`',
      note: 'the path of the address is a prefix, which may be left out',
      how: 'lane',
      item: get(),
      document: { servers: [{ url: 'https://example.com/v1' }] },
      asks: [{ prefix: '/v1' }, {}, { prefix: '/v2', status: 404 }],
    },
    {
      name: '`servers` with `variables`, of a path or an operation, with a `name` (3.2)',
      version: '3.2.0',
      how: 'lane',
      item: get({
        servers: [
          { url: '/{v}', name: 'x', variables: { v: { default: 'v1', enum: ['v1', 'v2'] } } },
        ],
      }),
      asks: [{ prefix: '/v1' }, { prefix: '/v2' }, {}],
    },
    {
      name: '`$self` (3.2)',
      version: '3.2.0',
      how: 'lane',
      item: get(),
      document: { $self: 'https://example.com/api' },
      asks: [{}],
    },
    refused(
      '`$self` as the base of references (3.2)',
      {
        document: { $self: 'https://example.com/api' },
        item: json({ $ref: 'https://example.com/api#/components/schemas/Text' }),
      },
      /"\$self" of a description with references to others is not supported/,
      { version: '3.2.0' },
    ),
    {
      name: '`jsonSchemaDialect`',
      note: 'drafts 4 to 7, 2019-09, 2020-12 and those of OpenAPI',
      how: 'lane',
      item: json({
        type: 'array',
        items: [{ type: 'string' }],
        additionalItems: false,
        minItems: 1,
      }),
      document: { jsonSchemaDialect: 'http://json-schema.org/draft-07/schema#' },
      asks: [{ body: ['a'] }, { body: [1], status: 400 }],
    },
    refused(
      'another `jsonSchemaDialect`',
      { document: { jsonSchemaDialect: 'https://example.com/d' } },
      /found the dialect "https:\/\/example.com\/d"/,
    ),
    {
      name: '`$ref` to any part of the document',
      how: 'lane',
      item: json({ $ref: '#/components/requestBodies/Word/content/application~1json/schema' }),
      asks: [{ body: 'a' }, { body: 1, status: 400 }],
    },
    {
      name: '`$ref` to other files',
      how: 'lane',
      test: ['test/kit/contract/contract-reader.test.ts', 'are one contract'],
    },
    refused(
      '`$ref` to an address (`https://…`)',
      {
        item: json({ $ref: 'https://example.com/text.yaml' }),
        note: 'nothing is fetched: copy the file beside the contract',
      },
      /found "https:\/\/example\.com\/text\.yaml", expected a/,
    ),
    refused(
      '`$ref` to what is not there',
      { item: json({ $ref: '#/components/schemas/Txt' }) },
      /which is not there; did you mean "Text"/,
    ),
    {
      name: '`webhooks`',
      note: 'typed, and shown in the docs',
      how: 'lane',
      item: get(),
      document: {
        webhooks: {
          done: {
            post: {
              requestBody: {
                content: { 'application/json': { schema: { $ref: '#/components/schemas/Text' } } },
              },
              ...ok,
            },
          },
        },
      },
      asks: [{}],
    },
    {
      name: '`components`: `schemas`, `responses`, `parameters`, `examples`, `requestBodies`, `headers`, `links`, `callbacks`',
      how: 'lane',
      item: {
        post: {
          parameters: [{ $ref: '#/components/parameters/Page' }],
          requestBody: { $ref: '#/components/requestBodies/Word' },
          responses: { 200: { $ref: '#/components/responses/Seen' } },
          callbacks: { done: { $ref: '#/components/callbacks/Done' } },
        },
      },
      asks: [{ target: '?page=2', body: 'a', answer: { query: { page: 2 } } }],
    },
    {
      name: '`components.pathItems`',
      how: 'lane',
      item: { $ref: '#/components/pathItems/P' },
      document: { components: { ...components, pathItems: { P: get() } } },
      asks: [{}],
    },
    {
      name: '`components.mediaTypes` (3.2)',
      version: '3.2.0',
      how: 'lane',
      item: post({ 'application/json': { $ref: '#/components/mediaTypes/M' } }),
      document: {
        components: { ...components, mediaTypes: { M: { schema: { type: 'string' } } } },
      },
      asks: [{ body: 'a' }, { body: 1, status: 400 }],
    },
    {
      name: '`x-` extensions',
      how: 'lane',
      item: { 'x-a': 1, ...get({ 'x-b': { c: 1 } }) },
      asks: [{}],
    },
    refused(
      'unknown members',
      { item: get({ paramters: [] }) },
      /unknown property "paramters" in an operation; did you mean "parameters"/,
    ),
  ],
  'Paths and operations': [
    ...['get', 'put', 'post', 'delete', 'patch', 'options'].map(
      (method): Feature => ({
        name: `\`${method}\``,
        how: 'lane',
        item: { [method]: ok },
        asks: [
          { method: method.toUpperCase() },
          { method: method === 'get' ? 'POST' : 'GET', status: 405 },
        ],
      }),
    ),
    {
      name: '`head`, `trace`',
      how: 'lane',
      item: { head: ok, trace: ok },
      asks: [{ method: 'HEAD' }, { method: 'TRACE' }],
    },
    { name: 'HEAD where there is `get`', how: 'lane', item: get(), asks: [{ method: 'HEAD' }] },
    refused('`query` (3.2)', { item: { query: ok } }, /the method QUERY is not supported/, {
      version: '3.2.0',
    }),
    refused(
      '`additionalOperations` (3.2)',
      { item: { additionalOperations: { COPY: ok } } },
      /"additionalOperations" is not supported/,
      { version: '3.2.0' },
    ),
    {
      name: 'templates: `/{a}..{b}.json`',
      suffix: '/{a}..{b}.json',
      how: 'lane',
      item: get({
        parameters: ['a', 'b'].map((name) => ({ name, in: 'path', required: true, schema: {} })),
      }),
      asks: [
        { target: '/x..y.json', answer: { path: { a: 'x', b: 'y' } } },
        { target: '/x.json', status: 404 },
      ],
    },
    {
      name: 'paths such as `/@me` and `/x:cancel`',
      suffix: '/@me/x:cancel',
      how: 'lane',
      item: get(),
      asks: [{ target: '/@me/x:cancel' }, { target: '/%40me/x:cancel' }],
    },
    refused(
      'two parameters with nothing between them',
      {
        suffix: '/{a}{b}',
        item: get({
          parameters: ['a', 'b'].map((name) => ({ name, in: 'path', required: true, schema: {} })),
        }),
      },
      /has two parameters with nothing between them/,
    ),
    refused('a query in a path', { suffix: '/x?y=1', item: get() }, /has a query in its path/),
    refused(
      'a path twice, with other names of its parameters',
      {
        document: {
          paths: {
            '/{a}': get({ parameters: [{ name: 'a', in: 'path', required: true, schema: {} }] }),
            '/{b}': get({ parameters: [{ name: 'b', in: 'path', required: true, schema: {} }] }),
          },
        },
      },
      /are the same path/,
    ),
    refused(
      'path parameters that are not declared',
      { suffix: '/{a}', item: get() },
      /names other path parameters than it declares/,
    ),
    {
      name: '`summary`, `description`, `tags`, `externalDocs`',
      note: 'shown in the docs',
      how: 'lane',
      item: {
        summary: 's',
        description: 'd',
        ...get({ summary: 's', description: 'd', tags: ['t'], externalDocs: { url: 'https://a' } }),
      },
      asks: [{}],
    },
    {
      name: '`operationId`',
      note: 'where it is missing it is made of method and path',
      how: 'lane',
      test: ['test/kit/contract/contract-reader.test.ts', 'is called by its method and path'],
    },
    refused(
      'an `operationId` twice',
      {
        document: {
          paths: { '/a': get({ operationId: 'one' }), '/b': get({ operationId: 'one' }) },
        },
      },
      /found the operationId "one" of GET \/a/,
    ),
    {
      name: '`parameters` of a path, overridden by those of an operation',
      how: 'lane',
      item: {
        parameters: [{ name: 'q', in: 'query', required: true, schema: {} }],
        ...get({ parameters: [{ name: 'q', in: 'query', schema: { type: 'integer' } }] }),
      },
      asks: [{}, { target: '?q=1', answer: given(1) }, { target: '?q=a', status: 400 }],
    },
    {
      name: '`deprecated`, `x-deprecated-at`, `x-sunset`',
      note: 'the answer says so, and use is counted',
      how: 'lane',
      item: get({ deprecated: true, 'x-deprecated-at': '2026-01-01', 'x-sunset': '2027-01-01' }),
      asks: [
        { answerHeaders: { deprecation: '@1767225600', sunset: 'Fri, 01 Jan 2027 00:00:00 GMT' } },
      ],
    },
    {
      name: '`callbacks`, runtime expressions',
      note: 'typed, and shown in the docs; sending them is the API’s',
      how: 'lane',
      item: get({ callbacks: { done: { '{$request.query.url}': { post: ok } } } }),
      asks: [{}],
    },
  ],
  Parameters: [
    {
      name: '`in: path`',
      how: 'lane',
      ...inPath({ schema: { type: 'integer' } }),
      asks: [
        { target: '/7', answer: { path: { q: 7 } } },
        { target: '/x', status: 400 },
      ],
    },
    query('`in: query`', { schema: { type: 'integer' } }, [
      { target: '?q=7', answer: given(7) },
      { target: '?q=x', status: 400 },
      { target: '?r=1', status: 400 },
    ]),
    {
      name: '`in: header`',
      how: 'lane',
      ...header({ schema: { type: 'integer' } }),
      asks: [
        { headers: { 'x-q': '7' }, answer: { headers: { 'x-q': 7 } } },
        { headers: { 'x-q': 'x' }, status: 400 },
      ],
    },
    {
      name: '`in: cookie`',
      how: 'lane',
      ...cookie({ schema: { type: 'integer' } }),
      asks: [
        { headers: { cookie: 'a=b; q=7' }, answer: { cookies: { q: 7 } } },
        { headers: { cookie: 'q=x' }, status: 400 },
      ],
    },
    refused(
      '`in: querystring` (3.2)',
      {
        item: get({
          parameters: [{ name: 'q', in: 'querystring', content: { 'application/json': {} } }],
        }),
      },
      /"in: querystring" of a parameter is not supported/,
      { version: '3.2.0' },
    ),
    {
      name: 'headers `Accept`, `Content-Type`, `Authorization`',
      note: 'ignored, as the standard says',
      how: 'lane',
      item: get({
        parameters: ['Accept', 'Content-Type', 'Authorization'].map((name) => ({
          name,
          in: 'header',
          required: true,
          schema: { type: 'integer' },
        })),
      }),
      asks: [{}],
    },
    query('`required`', { required: true, schema: {} }, [{ target: '?q=a' }, { status: 400 }]),
    query(
      '`deprecated`, `description`, `example`, `examples`',
      {
        deprecated: true,
        description: 'd',
        examples: { a: { value: 'a' } },
        schema: { type: 'string' },
      },
      [{ target: '?q=a' }],
      { note: 'shown in the docs' },
    ),
    query('`allowEmptyValue`', { allowEmptyValue: true, schema: { type: 'string' } }, [
      { target: '?q=', answer: given('') },
    ]),
    query('`allowReserved`', { allowReserved: true, schema: { type: 'string' } }, [
      { target: '?q=a/b:c', answer: given('a/b:c') },
    ]),
    query('`style: form`, `explode`', list(), [{ target: '?q=1&q=2', answer: given([1, 2]) }]),
    query('`style: form`, `explode: false`', { ...list(), explode: false }, [
      { target: '?q=1,2', answer: given([1, 2]) },
    ]),
    query('objects of `style: form`', pair, [
      { target: '?a=1&b=x', answer: given({ a: 1, b: 'x' }) },
    ]),
    query('`style: spaceDelimited`', { ...list(), style: 'spaceDelimited', explode: false }, [
      { target: '?q=1%202', answer: given([1, 2]) },
    ]),
    query('`style: pipeDelimited`', { ...list(), style: 'pipeDelimited', explode: false }, [
      { target: '?q=1|2', answer: given([1, 2]) },
    ]),
    query('`style: deepObject`', { ...pair, style: 'deepObject', explode: true }, [
      { target: '?q[a]=1&q[b]=x', answer: given({ a: 1, b: 'x' }) },
      { target: '?q[a]=x', status: 400 },
    ]),
    {
      name: '`style: simple`',
      how: 'lane',
      ...inPath(list()),
      asks: [{ target: '/1,2', answer: { path: { q: [1, 2] } } }],
    },
    {
      name: '`style: label`',
      how: 'lane',
      ...inPath({ ...list(), style: 'label', explode: true }),
      asks: [{ target: '/.1.2', answer: { path: { q: [1, 2] } } }],
    },
    {
      name: '`style: matrix`',
      how: 'lane',
      ...inPath({ ...list(), style: 'matrix', explode: true }),
      asks: [{ target: '/;q=1;q=2', answer: { path: { q: [1, 2] } } }],
    },
    {
      name: '`style: cookie` (3.2)',
      version: '3.2.0',
      how: 'lane',
      ...cookie({ ...list({ type: 'string' }), style: 'cookie' }),
      asks: [
        { headers: { cookie: 'q=a%20b; q=c&d' }, answer: { cookies: { q: ['a%20b', 'c&d'] } } },
      ],
    },
    refused(
      'a `style` that has no meaning in its place',
      header({ style: 'form', schema: {} }),
      /found "form", expected "simple"/,
    ),
    query('`content` of JSON', { content: { 'application/json': { schema: pair.schema } } }, [
      { target: '?q={"a":1}', answer: given({ a: 1 }) },
      { target: '?q={"a":"x"}', status: 400 },
    ]),
    query(
      '`content` of another type that is text',
      { content: { 'text/plain': { schema: { type: 'string' } } } },
      [{ target: '?q=a', answer: given('a') }],
    ),
    refused(
      '`content` of another type that is no text',
      {
        item: get({
          parameters: [
            {
              name: 'q',
              in: 'query',
              content: { 'application/xml': { schema: { type: 'object' } } },
            },
          ],
        }),
      },
      /a parameter of application\/xml that is no text is not supported/,
    ),
    query('`default`', { schema: { type: 'integer', default: 5 } }, [{ answer: given(5) }]),
    {
      name: 'names such as `page[size]`',
      how: 'lane',
      item: get({ parameters: [{ name: 'page[size]', in: 'query', schema: { type: 'integer' } }] }),
      asks: [{ target: '?page[size]=2', answer: { query: { 'page[size]': 2 } } }],
    },
    query(
      'integers beyond 2^53',
      { schema: { type: 'integer' } },
      [
        { target: '?q=9007199254740993', status: 400 },
        { target: '?q=9007199254740991', answer: given(9007199254740991) },
      ],
      { note: 'refused, never rounded' },
    ),
  ],
  'Request bodies': [
    {
      name: '`application/json`',
      how: 'lane',
      item: json({ type: 'string' }),
      asks: [
        { body: 'a', answer: { body: 'a' } },
        { body: 1, status: 400 },
        { method: 'POST', status: 400 },
      ],
    },
    {
      name: '`required: false`',
      how: 'lane',
      item: post({ 'application/json': { schema: { type: 'string' } } }, { required: false }),
      asks: [{ method: 'POST' }, { body: 'a' }],
    },
    {
      name: '`+json`',
      how: 'full path',
      item: post({ 'application/merge-patch+json': { schema: { type: 'object' } } }),
      asks: [typed('application/merge-patch+json', '{"a":1}', { a: 1 })],
    },
    {
      name: 'several media types',
      note: '`input.mediaType` says which',
      how: 'full path',
      item: post({ 'application/json': {}, 'text/plain': {} }),
      asks: [
        typed('text/plain', 'a', 'a'),
        { body: { a: 1 }, answer: { body: { a: 1 } } },
        { ...typed('image/png', 'a'), status: 400 },
      ],
    },
    {
      name: 'ranges: `text/*`, `*/*`',
      how: 'full path',
      item: post({ 'text/*': {} }),
      asks: [typed('text/csv', 'a,b', 'a,b')],
    },
    {
      name: '`text/…`',
      how: 'full path',
      item: post({ 'text/plain': { schema: { type: 'string', maxLength: 2 } } }),
      asks: [typed('text/plain', 'ab', 'ab'), { ...typed('text/plain', 'abc'), status: 400 }],
    },
    {
      name: '`application/xml`, `+xml`',
      note: 'as text: its schema, and `xml` in it, are of the data in the text',
      how: 'full path',
      item: post({ 'application/xml': { schema: { type: 'object', xml: { name: 'a' } } } }),
      asks: [typed('application/xml', '<a/>', '<a/>')],
    },
    {
      name: '`application/octet-stream` and every other type',
      note: 'as a stream',
      how: 'full path',
      item: post({ 'application/octet-stream': {} }),
      asks: [typed('application/octet-stream', 'bytes', 'bytes')],
    },
    {
      name: `\`${form}\``,
      how: 'full path',
      item: formOf({ a: { type: 'integer' }, b: { type: 'array', items: { type: 'string' } } }),
      asks: [
        typed(form, 'a=1&b=x&b=y', { a: 1, b: ['x', 'y'] }),
        { ...typed(form, 'a=x'), status: 400 },
      ],
    },
    {
      name: '`multipart/form-data`',
      how: 'full path',
      item: multipart('multipart/form-data', {
        type: 'object',
        properties: { a: { type: 'integer' } },
      }),
      asks: [typed('multipart/form-data; boundary=b', `${part('a', '', '1')}--b--\r\n`, { a: 1 })],
    },
    {
      name: 'files: `format: binary`, `contentMediaType`',
      note: 'held on disk, bounded by `UPLOAD_LIMIT`',
      how: 'full path',
      item: multipart('multipart/form-data', {
        type: 'object',
        properties: { f: { type: 'string', format: 'binary' } },
      }),
      asks: [
        typed(
          'multipart/form-data; boundary=b',
          `${part('f', '; filename="x.txt"', 'text')}--b--\r\n`,
          { f: { name: 'x.txt', size: 4 } },
        ),
      ],
    },
    {
      name: '`multipart/mixed` and the like, of an object',
      note: 'parts have names',
      how: 'full path',
      item: multipart('multipart/mixed', { type: 'object', properties: { a: { type: 'string' } } }),
      asks: [typed('multipart/mixed; boundary=b', `${part('a', '', 'x')}--b--\r\n`, { a: 'x' })],
    },
    refused(
      '`multipart/mixed` and the like, of a list',
      { item: multipart('multipart/mixed', { type: 'array' }) },
      /multipart\/mixed that is no object is not supported/,
    ),
    {
      name: '`encoding`: `contentType`',
      how: 'full path',
      item: formOf({ a: { type: 'object' } }, { a: { contentType: 'application/json' } }),
      asks: [typed(form, 'a=%7B%22b%22:1%7D', { a: { b: 1 } })],
    },
    {
      name: '`encoding`: `style`, `explode`, `allowReserved`',
      how: 'full path',
      item: formOf(
        { a: { type: 'array', items: { type: 'integer' } }, c: { type: 'string' } },
        { a: { style: 'pipeDelimited', explode: false }, c: { allowReserved: true } },
      ),
      asks: [typed(form, 'a=1|2&c=x/y', { a: [1, 2], c: 'x/y' })],
    },
    refused(
      '`encoding`: `headers`',
      {
        item: multipart(
          'multipart/form-data',
          { type: 'object', properties: { a: {} } },
          { encoding: { a: { headers: { 'X-A': { schema: {} } } } } },
        ),
      },
      /"headers" of an encoding is not supported/,
    ),
    refused(
      '`itemSchema` (3.2)',
      { item: post({ 'application/jsonl': { itemSchema: {} } }) },
      /"itemSchema" of a request body is not supported/,
      { version: '3.2.0' },
    ),
    refused(
      '`prefixEncoding` (3.2)',
      { item: multipart('multipart/mixed', {}, { prefixEncoding: [{}] }) },
      /"prefixEncoding" of a request body is not supported/,
      { version: '3.2.0' },
    ),
    refused(
      '`itemEncoding` (3.2)',
      { item: multipart('multipart/mixed', {}, { itemEncoding: {} }) },
      /"itemEncoding" of a request body is not supported/,
      { version: '3.2.0' },
    ),
    {
      name: '`description`, `example`, `examples`',
      note: 'shown in the docs; 3.2: `dataValue`, `serializedValue` too',
      version: '3.2.0',
      how: 'lane',
      item: post(
        {
          'application/json': {
            schema: {},
            examples: {
              a: { dataValue: 1, serializedValue: '1' },
              b: { externalValue: 'https://a' },
            },
          },
        },
        { description: 'd' },
      ),
      asks: [{ body: 1 }],
    },
    {
      name: 'numbers beyond 2^53',
      note: 'refused, never rounded',
      how: 'lane',
      item: json({ type: 'integer' }),
      asks: [
        { body: 9007199254740991 },
        { headers: { 'content-type': 'application/json' }, body: '9007199254740993', status: 400 },
      ],
    },
  ],
  Responses: [
    {
      name: 'a status',
      note: 'the compiler refuses others; `RESPONSE_SAMPLE` checks',
      how: 'lane',
      item: { get: { responses: { 201: ok.responses[200] } } },
      reply: { status: 201, body: 1 },
      asks: [{ status: 201, answer: 1 }],
    },
    {
      name: 'ranges: `2XX`',
      how: 'lane',
      item: replying({ content: { 'application/json': {} } }, '2XX'),
      reply: { status: 202, body: 1 },
      asks: [{ status: 202, answer: 1 }],
    },
    {
      name: '`default`',
      how: 'lane',
      item: replying({ content: { 'application/json': {} } }, 'default'),
      reply: { status: 418, body: 1 },
      asks: [{ status: 418, answer: 1 }],
    },
    {
      name: 'no `content`',
      how: 'lane',
      item: replying({}, 204),
      reply: { status: 204 },
      asks: [{ status: 204, answer: '' }],
    },
    {
      name: 'several media types',
      note: '`context.accept` is what the client prefers',
      how: 'lane',
      item: replying({ content: { 'text/plain': {}, 'application/json': {} } }),
      reply: { status: 200, type: 'text/plain', body: 'a' },
      asks: [
        {
          headers: { accept: 'text/plain' },
          answer: 'a',
          answerHeaders: { 'content-type': 'text/plain' },
        },
      ],
    },
    {
      name: 'text, bytes and streams',
      how: 'lane',
      item: replying({ content: { 'image/png': {} } }),
      reply: () => ({ status: 200, body: pieces('a', 'b') }),
      asks: [{ answer: 'ab', answerHeaders: { 'content-type': 'image/png' } }],
    },
    {
      name: '`itemSchema` (3.2)',
      note: 'sent as a stream; its items are not checked',
      version: '3.2.0',
      how: 'lane',
      item: replying({ content: { 'text/event-stream': { itemSchema: { type: 'object' } } } }),
      reply: () => ({ status: 200, body: pieces('data: 1\n\n') }),
      asks: [{ answer: 'data: 1\n\n' }],
    },
    {
      name: '`headers`',
      how: 'lane',
      item: replying({
        headers: {
          'X-N': { $ref: '#/components/headers/Count' },
          'X-L': { schema: { type: 'array' } },
        },
      }),
      reply: { status: 200, headers: { 'X-N': 2, 'X-L': ['a', 'b'] } },
      asks: [{ answerHeaders: { 'x-n': '2', 'x-l': 'a,b' } }],
    },
    {
      name: '`headers`: `explode`',
      how: 'lane',
      item: replying({ headers: { 'X-O': { explode: true, schema: { type: 'object' } } } }),
      reply: { status: 200, headers: { 'X-O': { a: 1, b: 2 } } },
      asks: [{ answerHeaders: { 'x-o': 'a=1,b=2' } }],
    },
    {
      name: '`headers`: `content` of JSON',
      how: 'lane',
      item: replying({ headers: { 'X-O': { content: { 'application/json': {} } } } }),
      reply: { status: 200, headers: { 'X-O': { a: 1 } } },
      asks: [{ answerHeaders: { 'x-o': '{"a":1}' } }],
    },
    {
      name: '`description`, `summary` (3.2), `links`',
      note: 'shown in the docs',
      version: '3.2.0',
      how: 'lane',
      item: {
        get: {
          responses: {
            200: {
              summary: 's',
              links: {
                next: { $ref: '#/components/links/Next' },
                same: { operationRef: 'https://example.com/api' },
              },
            },
          },
        },
      },
      reply: { status: 200 },
      asks: [{ answer: '' }],
    },
    {
      name: 'errors in a shape of the contract’s own',
      how: 'full path',
      test: [
        'test/kit/rest/problem-reply.test.ts',
        'gives every refusal the shape of the contract',
      ],
    },
  ],
  Schemas: [
    keyword('`true`, `{}`', true, [1, null], []),
    keyword('`false`', { $ref: '#/components/schemas/Never' }, [], [1, null]),
    keyword('`type`', { type: 'string' }, ['a'], [1]),
    keyword('several types', { type: ['string', 'null'] }, ['a', null], [1]),
    keyword('`enum`', { enum: [1, 'a', null] }, [1, null], [2]),
    keyword('`const`', { const: 1 }, [1], [2]),
    keyword('`multipleOf`', { multipleOf: 2 }, [4], [3]),
    keyword('`minimum`, `maximum`', { minimum: 1, maximum: 2 }, [1, 2], [0, 3]),
    keyword(
      '`exclusiveMinimum`, `exclusiveMaximum`',
      { exclusiveMinimum: 1, exclusiveMaximum: 3 },
      [2],
      [1, 3],
    ),
    keyword(
      'the same as booleans (3.0)',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      [2],
      [1],
      { version: '3.0.3' },
    ),
    keyword(
      '`minLength`, `maxLength`',
      { type: 'string', minLength: 1, maxLength: 2 },
      ['a', '😀😀'],
      ['', 'abc'],
    ),
    keyword('`pattern`', { type: 'string', pattern: '^\\p{L}+$' }, ['é'], ['1']),
    keyword(
      '`pattern` that is not of the Unicode mode',
      { type: 'string', pattern: '^[\\w-\\.]+\\@$' },
      ['a.b@'],
      ['?@'],
      { note: 'read as ECMAScript does without it' },
    ),
    refused(
      '`pattern` that is no regular expression',
      { item: json({ pattern: '(' }) },
      /expected a regular expression/,
    ),
    keyword('`format`', { type: 'string', format: 'date' }, ['2026-02-28'], ['2026-02-30'], {
      note: 'the standard ones are checked; an unknown one is not',
    }),
    keyword('`format` of the API’s own', { type: 'string', format: 'even' }, ['ab'], ['abc'], {
      note: '`Api.formats`',
      api: { formats: { even: (text) => text.length % 2 === 0 } },
      document: {},
    }),
    refused(
      '`format` that is nearly a standard one',
      { item: json({ format: 'datee' }) },
      /did you mean "date"/,
    ),
    keyword('`items`', { type: 'array', items: { type: 'integer' } }, [[1]], [['a']]),
    keyword(
      '`prefixItems` of one length',
      { type: 'array', prefixItems: [{ type: 'string' }], items: false, minItems: 1 },
      [['a']],
      [[1], ['a', 1]],
    ),
    refused(
      '`prefixItems` of several lengths',
      { item: json({ prefixItems: [{}] }) },
      /"prefixItems" of more than one length in a schema is not supported/,
    ),
    keyword(
      '`contains`, `minContains`, `maxContains`',
      { contains: { type: 'integer' }, minContains: 1, maxContains: 2 },
      [['a', 1]],
      [['a'], [1, 2, 3]],
    ),
    keyword(
      '`minItems`, `maxItems`, `uniqueItems`',
      { minItems: 1, maxItems: 2, uniqueItems: true },
      [[1, 2]],
      [[], [1, 1], [1, 2, 3]],
    ),
    keyword(
      '`unevaluatedItems`',
      { type: 'array', allOf: [{ minItems: 1 }], unevaluatedItems: { type: 'integer' } },
      [[1]],
      [['a']],
    ),
    refused(
      '`unevaluatedItems` with `contains`',
      { item: json({ contains: {}, unevaluatedItems: false }) },
      /"unevaluatedItems" with "contains" in a schema is not supported/,
    ),
    keyword(
      '`properties`',
      { properties: { a: { type: 'integer' } } },
      [{ a: 1, b: 1 }],
      [{ a: 'x' }],
    ),
    refused(
      '`properties`: a member `__proto__`',
      { item: json({ properties: { ['__proto__']: {} } }) },
      /a member "__proto__" is not supported/,
    ),
    keyword('`required`', { required: ['a'] }, [{ a: 1 }], [{}]),
    keyword(
      '`additionalProperties`',
      { type: 'object', properties: { a: {} }, additionalProperties: false },
      [{ a: 1 }],
      [{ b: 1 }],
    ),
    keyword(
      '`patternProperties`',
      { patternProperties: { '^a': { type: 'integer' } } },
      [{ ab: 1, b: 'x' }],
      [{ ab: 'x' }],
    ),
    keyword(
      '`propertyNames`',
      { type: 'object', propertyNames: { maxLength: 1 } },
      [{ a: 1 }],
      [{ ab: 1 }],
    ),
    keyword(
      '`minProperties`, `maxProperties`',
      { minProperties: 1, maxProperties: 2 },
      [{ a: 1 }],
      [{}, { a: 1, b: 1, c: 1 }],
    ),
    keyword(
      '`dependentRequired`',
      { dependentRequired: { a: ['b'] } },
      [{ a: 1, b: 1 }, {}],
      [{ a: 1 }],
    ),
    keyword(
      '`dependentSchemas`',
      { dependentSchemas: { a: { required: ['b'] } } },
      [{ a: 1, b: 1 }],
      [{ a: 1 }],
    ),
    keyword(
      '`dependencies` (before 2019-09)',
      { dependencies: { a: ['b'], c: { required: ['d'] } } },
      [
        { a: 1, b: 1 },
        { c: 1, d: 1 },
      ],
      [{ a: 1 }, { c: 1 }],
    ),
    keyword(
      '`unevaluatedProperties`',
      { type: 'object', allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
      [{ a: 1 }],
      [{ b: 1 }],
    ),
    keyword('`allOf`', { allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1], [0, 3]),
    keyword('`anyOf`', { anyOf: [{ type: 'string' }, { minimum: 5 }] }, ['a', 5], [1]),
    keyword('`oneOf`', { oneOf: [{ maximum: 5 }, { minimum: 3 }] }, [1, 9], [4]),
    keyword('`not`', { not: { type: 'string' } }, [1], ['a']),
    keyword(
      '`if`, `then`, `else`',
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      { if: { required: ['a'] }, then: { required: ['b'] }, else: { required: ['c'] } },
      [{ a: 1, b: 1 }, { c: 1 }],
      [{ a: 1 }, {}],
    ),
    keyword(
      '`$ref`, with keywords beside it',
      { $ref: '#/components/schemas/Text', maxLength: 3 },
      ['abc'],
      ['a', 'abcd'],
    ),
    keyword(
      '`$ref`, with keywords beside it (3.0)',
      { $ref: '#/components/schemas/Text', maxLength: 1 },
      ['abc'],
      ['a'],
      { version: '3.0.3', note: 'ignored, as the standard says' },
    ),
    keyword(
      'recursion',
      { $ref: '#/components/schemas/Tree' },
      [{ of: [{ of: [] }] }],
      [{ of: [1] }],
    ),
    keyword(
      '`$defs`, `definitions`',
      { $ref: '#/components/schemas/Holder/$defs/inner' },
      [1],
      ['a'],
    ),
    keyword(
      '`$schema`',
      { $schema: 'http://json-schema.org/draft-04/schema#', minimum: 1, exclusiveMinimum: true },
      [2],
      [1],
      { note: 'the dialects that `jsonSchemaDialect` may name' },
    ),
    refused(
      '`$schema` of another dialect',
      { item: json({ $schema: 'https://example.com/d' }) },
      /found the dialect "https:\/\/example.com\/d"/,
    ),
    keyword(
      '`$comment`, `$vocabulary`',
      { $comment: 'c', $vocabulary: { 'https://a': true }, type: 'string' },
      ['a'],
      [1],
    ),
    ...['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef'].map((key) =>
      refused(
        `\`${key}\``,
        {
          item: json({
            [key]: key === '$id' ? 'https://example.com/a' : key.endsWith('Ref') ? '#' : 'a',
          }),
        },
        new RegExp(`"\\${key}" in a schema is not supported`),
      ),
    ),
    refused(
      '`$recursiveAnchor`',
      { item: json({ $recursiveAnchor: true }) },
      /"\$recursiveAnchor" in a schema is not supported/,
    ),
    refused(
      'unknown keywords',
      { item: json({ minimun: 1 }) },
      /unknown keyword "minimun" in a schema; did you mean "minimum"/,
    ),
    keyword(
      '`contentEncoding`, `contentMediaType`, `contentSchema`',
      {
        type: 'string',
        contentEncoding: 'base64',
        contentMediaType: 'application/json',
        contentSchema: { type: 'object' },
      },
      ['e30=', 'x'],
      [1],
      { note: 'not checked, as the standard says; in a form `contentMediaType` makes a file' },
    ),
    keyword(
      '`title`, `description`, `examples`, `example`, `deprecated`, `externalDocs`, `xml`',
      {
        title: 't',
        description: 'd',
        examples: [1],
        example: 1,
        deprecated: true,
        externalDocs: { url: 'https://a' },
        xml: { name: 'a' },
      },
      [1],
      [],
      { note: 'shown in the docs' },
    ),
    {
      name: '`default`',
      note: 'filled in',
      how: 'lane',
      item: json({ properties: { a: { default: 5 } } }),
      asks: [{ body: {}, answer: { body: { a: 5 } } }],
    },
    keyword(
      '`readOnly`',
      { required: ['a'], properties: { a: { readOnly: true } } },
      [{}],
      [{ a: 1 }],
      { note: 'not demanded of a request, and refused there' },
    ),
    keyword('`writeOnly`', { properties: { a: { writeOnly: true } } }, [{ a: 1 }], [], {
      note: 'not in replies',
    }),
    keyword('`nullable` (3.0)', { type: 'string', nullable: true }, ['a', null], [1], {
      version: '3.0.3',
      note: 'in every position',
    }),
    keyword('`nullable` (3.1)', { type: 'string', nullable: true }, ['a'], [null], {
      note: 'says nothing, as the standard says; a warning at the start',
    }),
    keyword(
      '`discriminator`',
      {
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
        discriminator: { propertyName: 'kind', mapping: { tom: '#/components/schemas/Cat' } },
      },
      [
        { kind: 'tom', lives: 9 },
        { kind: 'Dog', good: true },
      ],
      [
        { kind: 'Cat', lives: 9 },
        { kind: 'tom', good: true },
      ],
    ),
    keyword(
      '`discriminator`: `defaultMapping` (3.2)',
      {
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
        discriminator: { propertyName: 'kind', defaultMapping: 'Dog' },
      },
      [{ kind: 'Cat', lives: 9 }, { kind: 'cow', good: true }, { good: true }],
      [{ kind: 'Cat', good: true }, {}, { kind: 'cow' }],
      { version: '3.2.0' },
    ),
    keyword(
      '`discriminator` without references in `oneOf` or `anyOf`',
      { type: 'object', discriminator: { propertyName: 'kind' } },
      [{}],
      [1],
      { note: 'says nothing about validity' },
    ),
  ],
  Security: [
    {
      name: '`apiKey` in a header',
      how: 'lane',
      ...scheme({ type: 'apiKey', in: 'header', name: 'X-Key' }),
      api: { security: who },
      asks: asks401({ headers: { 'x-key': 'k' } }),
    },
    {
      name: '`apiKey` in the query',
      how: 'lane',
      ...scheme({ type: 'apiKey', in: 'query', name: 'key' }),
      api: { security: who },
      asks: asks401({ target: '?key=k' }),
    },
    {
      name: '`apiKey` in a cookie',
      how: 'lane',
      ...scheme({ type: 'apiKey', in: 'cookie', name: 'key' }),
      api: { security: who },
      asks: asks401({ headers: { cookie: 'key=k' } }),
    },
    {
      name: '`http`: `basic`',
      how: 'lane',
      ...scheme({ type: 'http', scheme: 'basic' }),
      api: { security: who },
      asks: asks401({ headers: { authorization: 'Basic YTpi' } }),
    },
    {
      name: '`http`: `bearer`',
      how: 'lane',
      ...scheme({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }),
      api: { security: who },
      asks: asks401({ headers: { authorization: 'Bearer a' } }),
    },
    refused(
      'another scheme of `http`',
      scheme({ type: 'http', scheme: 'digest' }),
      /is of the type http digest, which is not supported/,
      { api: { security: who } },
    ),
    {
      name: '`oauth2`, `openIdConnect`, scopes',
      note: 'the function is told the scopes',
      how: 'lane',
      ...scheme({ type: 'openIdConnect', openIdConnectUrl: 'https://a' }, { s: ['read'] }),
      api: { security: who },
      asks: asks401({ headers: { authorization: 'Bearer a' } }),
    },
    {
      name: '`oauth2`: `deviceAuthorization`, `oauth2MetadataUrl`, `deprecated` (3.2)',
      version: '3.2.0',
      how: 'lane',
      ...scheme({ type: 'oauth2', oauth2MetadataUrl: 'https://a', deprecated: true, flows }),
      api: { security: who },
      asks: asks401({ headers: { authorization: 'Bearer a' } }),
    },
    refused(
      '`mutualTLS`',
      scheme({ type: 'mutualTLS' }),
      /is of the type mutualTLS, which is not supported/,
      { api: { security: who } },
    ),
    refused(
      'a scheme without a function',
      scheme({ type: 'http', scheme: 'basic' }),
      /no function for the security scheme "s"/,
    ),
    refused(
      'a scheme that is not declared',
      { item: get({ security: [{ t: [] }] }), document: {} },
      /found the security scheme "t", which is not declared/,
    ),
    refused(
      'a scheme by its address (3.2)',
      scheme({ type: 'http', scheme: 'basic' }, { '#/components/securitySchemes/s': [] }),
      /which is not declared/,
      { version: '3.2.0', api: { security: who } },
    ),
    {
      name: 'alternatives, `{}`, `security: []`',
      how: 'lane',
      item: { get: ok, put: { ...ok, security: [{ s: [] }, {}] }, post: { ...ok, security: [] } },
      document: {
        security: [{ s: [] }, { t: [] }],
        components: {
          ...components,
          securitySchemes: {
            s: { type: 'apiKey', in: 'header', name: 'X-S' },
            t: { type: 'apiKey', in: 'header', name: 'X-T' },
          },
        },
      },
      api: { security: { ...who, t: () => 'you' } },
      asks: [
        { status: 401 },
        { headers: { 'x-s': 'a' } },
        { headers: { 'x-t': 'a' } },
        { method: 'PUT' },
        { method: 'POST' },
      ],
    },
  ],
};

async function* pieces(...all: readonly string[]): AsyncGenerator<string> {
  yield* all;
}
