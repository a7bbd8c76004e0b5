// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';
import { text } from '../../support/schemas.ts';

const content = (type: string, others: object = {}) => ({ [type]: { schema: {}, ...others } });
const answer = (others: object = {}) => ({ description: 'An answer.', ...others });
const get = (operationId: string, responses: object) => ({ get: { operationId, responses } });

/** Declared responses, and the status of the mock. */
const statuses: readonly (readonly [declared: readonly string[], status: number])[] = [
  [['200'], 200],
  [['404', '201', '202'], 201],
  [['299', '404'], 299],
  [['2XX', '400'], 200],
  [['4XX', '2XX'], 200],
  [['default'], 200],
  [['4XX', 'default'], 200],
  [['100', '200'], 200],
  [['1XX', '204'], 204],
  [['4XX', '3XX'], 400],
  [['5XX', '4XX'], 500],
  [['404', '410'], 404],
];

/** What the server alone knows: an example does not count. */
const own = [
  ...['Content-Type', 'Content-Length', 'Content-Encoding', 'Transfer-Encoding', 'Connection'],
  ...['Keep-Alive', 'Date', 'Trailer', 'Upgrade', 'X-Request-Id'],
];

/** Headers and the text that is sent; null where the header is left out. */
const headers: Readonly<Record<string, readonly [header: object, text: string | null]>> = {
  'X-Required': [{ required: true, schema: { type: 'integer', minimum: 3 } }, '3'],
  'X-Optional': [{ schema: text }, null],
  'X-Example': [{ schema: text, example: 'a' }, 'a'],
  'X-Examples': [{ schema: text, examples: { one: { value: 'b' } } }, 'b'],
  'X-Schema-Example': [{ schema: { ...text, example: 'c' } }, 'c'],
  'X-Schema-Examples': [{ schema: { ...text, examples: ['d', 'e'] } }, 'd'],
  'X-Default': [{ schema: { ...text, default: 'f' } }, 'f'],
  'X-Referred': [{ schema: { $ref: '#/components/schemas/shown' } }, 'g'],
  'X-Refused': [{ schema: { type: 'integer' }, example: 'h' }, '0'],
  'X-List': [{ schema: { type: 'array' }, example: [1, 'b'] }, '1,b'],
  'X-Object': [{ schema: { type: 'object' }, example: { a: 1 } }, 'a,1'],
  'X-Nested': [{ schema: { type: 'object' }, example: { a: { b: 1 } } }, null],
  'X-Json': [
    { content: { 'application/json': { schema: { type: 'object' }, example: { a: { b: 1 } } } } },
    '{"a":{"b":1}}',
  ],
  'X-Bare': [{ content: { 'application/json': { example: 5 } } }, '5'],
  'X-Odd': [{ schema: { ...text, examples: { one: 'i' } } }, null],
  'X-Tab': [{ schema: text, example: 'a\tb' }, 'a\tb'],
  'X-Latin': [{ schema: text, example: 'é' }, 'é'],
  'X-Wide': [{ schema: text, example: '你' }, null],
  'X-Control': [{ schema: text, example: 'a\u0001' }, null],
  'X-Delete': [{ schema: text, example: 'a\u007f' }, null],
  'X-Line': [{ schema: text, example: 'a\nb' }, null],
  Link: [{ schema: text, example: '</next>' }, null],
};

/** The types of a declared media type or range, and the text of the body. */
const bodies: Readonly<Record<string, readonly [content: object, type: string, text: string]>> = {
  any: [content('*/*', { example: { a: 1 } }), 'application/json', '{"a":1}'],
  application: [content('application/*', { example: 'a' }), 'application/json', '"a"'],
  texts: [content('text/*', { example: 'a' }), 'text/plain', 'a'],
  images: [content('image/*', { example: 'a' }), 'image/x-mock', 'a'],
  charset: [
    content('text/plain; charset=utf-8', { example: 'a' }),
    'text/plain; charset=utf-8',
    'a',
  ],
  'problem json': [
    content('application/problem+json', { example: { a: 1 } }),
    'application/problem+json',
    '{"a":1}',
  ],
  xml: [content('application/xml', { example: '<a/>' }), 'application/xml', '<a/>'],
  soap: [
    content('application/soap+xml; charset=utf-8', { example: '<c/>' }),
    'application/soap+xml; charset=utf-8',
    '<c/>',
  ],
  'text of a value': [
    content('text/csv', { schema: { type: 'integer', minimum: 4 } }),
    'text/csv',
    '4',
  ],
  'refused text': [
    content('text/plain', {
      schema: { ...text, minLength: 3 },
      examples: { a: { value: 'a' }, b: { value: 'bbb' } },
    }),
    'text/plain',
    'bbb',
  ],
  // The schema is not of the bytes that are sent.
  bytes: [
    content('application/pdf', { schema: { ...text, minLength: 9 }, example: 'é' }),
    'application/pdf',
    'é',
  ],
  'bytes of a value': [
    content('application/pdf', { schema: { type: 'integer' } }),
    'application/pdf',
    '0',
  ],
  'JSON first': [
    { ...content('text/plain', { example: 'a' }), ...content('application/json', { example: 1 }) },
    'application/json',
    '1',
  ],
  nothing: [{ 'application/json': {} }, 'application/json', 'null'],
};

const paths = {
  ...Object.fromEntries(
    statuses.map(([declared], i) => [
      `/status${i}`,
      get(`status${i}`, Object.fromEntries(declared.map((each) => [each, answer()]))),
    ]),
  ),
  ...Object.fromEntries(
    own.map((name) => [
      `/own-${name}`,
      get(`own-${name}`, {
        200: answer({
          headers: { [name]: { required: true, schema: text, example: 'never' } },
          content: content('application/json', { example: 1 }),
        }),
      }),
    ]),
  ),
  '/headers': get('headers', {
    200: answer({
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, [header]]) => [name, header]),
      ),
    }),
  }),
  '/link': get('link', {
    200: answer({ headers: { Link: { required: true, schema: text, example: '</a>' } } }),
  }),
  '/unsendable': get('unsendable', {
    200: answer({ headers: { 'X-A': { required: true, schema: text, example: '你' } } }),
  }),
  '/examples': get('examples', {
    200: answer({
      content: {
        'application/json': {
          schema: { type: 'integer' },
          examples: {
            outside: { externalValue: 'https://x.example' },
            one: { value: 1 },
            two: { $ref: '#/components/examples/two' },
            odd: { value: 'odd' },
          },
          example: undefined,
        },
        'text/plain': { schema: text, example: 'plain' },
      },
    }),
    204: answer({ content: content('application/json') }),
    205: answer({ content: content('application/json') }),
    304: answer({ content: content('application/json') }),
    400: answer(),
    default: answer({ content: content('application/json', { example: 'default' }) }),
  }),
  '/only': get('only', { 100: answer(), 200: answer(), '5XX': answer() }),
  ...Object.fromEntries(
    Object.entries(bodies).map(([name, [declared]]) => [
      `/body-${name.replaceAll(' ', '-')}`,
      get(`body-${name}`, { 200: answer({ content: declared }) }),
    ]),
  ),
};

let server: Awaited<ReturnType<typeof serveContract>>;
beforeAll(async () => {
  const components = {
    schemas: { shown: { ...text, example: 'g' } },
    examples: { two: { value: 2 } },
  };
  const contract = {
    openapi: '3.1.0',
    info: { title: 'Choices', version: '1' },
    paths,
    components,
  };
  const own = { mocks: true, lenient: true, share: 1 };
  server = await serveContract(JSON.stringify(contract), {}, own);
});
afterAll(() => server.stop());

async function ask(path: string, sent: Record<string, string> = {}) {
  const response = await fetch(server.url + path, { headers: sent });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('a mock', () => {
  it.each(statuses.map(([declared, status], i) => [declared, status, i] as const))(
    'of the responses %j answers with %i',
    async (_, status, i) => {
      expect((await ask(`/status${i}`)).status).toBe(status);
    },
  );

  it.each(own)('does not send its own %s', async (name) => {
    const answer = await ask(`/own-${name}`);
    expect([answer.status, answer.text]).toEqual([200, '1']);
    expect(answer.headers.get(name)).not.toBe('never');
  });

  it.each(Object.entries(headers))(
    'sends the header %s as it is declared',
    async (name, [, value]) => {
      const { status, headers } = await ask('/headers');
      expect(status).toBe(200);
      expect(headers.get(name)).toBe(value);
    },
  );

  it('sends a link that is demanded, and fails where a demanded header cannot be sent', async () => {
    expect((await ask('/link')).headers.get('link')).toBe('</a>');
    const refused = await ask('/unsendable');
    expect([refused.status, JSON.parse(refused.text).detail]).toEqual([
      500,
      'The mock cannot make the header X-A that the contract demands of GET /unsendable 200.',
    ]);
  });

  it.each(Object.entries(bodies))('sends a body: %s', async (name, [, type, text]) => {
    const answer = await ask(`/body-${name.replaceAll(' ', '-')}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(answer.text).toBe(text);
    expect(answer.headers.get('accord-mock')).toBe('true');
  });

  it.each([
    ['', 200, '1'],
    ['example=two', 200, '2'],
    ['EXAMPLE = "two"', 200, '2'],
    ['example', 200, '1'],
    ['respond-async; example=two', 200, '2'],
    ['example=two, example=one', 200, '2'],
    ['unknown=two', 200, '1'],
    // The contract does not admit it, so that one is made.
    ['example=odd', 200, '0'],
    ['example=none', 400, undefined],
    ['example=outside', 400, undefined],
    ['code=404', 404, '"default"'],
    ['code=599', 599, '"default"'],
    ['code=400', 400, ''],
    ['code=400, example=one', 400, undefined],
    ['code=204', 204, ''],
    ['code=205', 205, ''],
    ['code=304', 304, ''],
    ['code=199', 400, undefined],
    ['code=600', 400, undefined],
    ['code=2000', 400, undefined],
    ['code=x', 400, undefined],
    ['code=404, dynamic=true', 404, expect.any(String)],
    ['dynamic=true, example=two', 200, '2'],
  ])('honours Prefer: %s', async (prefer, status, text) => {
    const answer = await ask('/examples', { ...(prefer && { prefer }), accept: '*/*' });
    expect(answer.status).toBe(status);
    if (text === undefined) expect(JSON.parse(answer.text).errors[0].path).toBe('/headers/prefer');
    else expect(answer.text).toEqual(text);
    expect(answer.headers.has('content-type')).toBe(answer.text !== '');
  });

  it('makes a value for each request where that is wanted, though there are examples', async () => {
    const made = new Set<string>();
    for (let i = 0; i < 5; i++) made.add((await ask('/examples', { prefer: 'dynamic=true' })).text);
    expect(made.size).toBeGreaterThan(1);
  });

  it('gives no other example than the one that is asked for', async () => {
    const headers = { accept: 'text/plain', prefer: 'example=one' };
    expect((await ask('/examples', headers)).status).toBe(400);
  });

  it('sends text as text, which is held against the contract, and bytes as bytes', async () => {
    for (const name of ['texts', 'text-of-a-value', 'bytes', 'images']) await ask(`/body-${name}`);
    const metrics = await server.metrics();
    const isChecked = (name: string) =>
      metrics.includes(`accord_responses_checked_total{operation="body-${name}"}`);
    expect(['texts', 'text of a value', 'bytes', 'images'].map(isChecked)).toEqual([
      ...[true, true, false, false],
    ]);
  });

  it.each([
    ['code=200', 200],
    ['code=201', 400],
    ['code=100', 400],
    ['code=500', 500],
    ['code=404', 400],
  ])('answers with no status that is not declared: %s', async (prefer, status) => {
    expect((await ask('/only', { prefer })).status).toBe(status);
  });

  it.each([
    ['text/plain', 'plain'],
    ['text/*, application/json;q=0.5', 'plain'],
    ['application/json, text/plain', '1'],
    ['*/*', '1'],
    ['image/png', '1'],
  ])('gives who accepts %s what is declared', async (accept, text) => {
    expect((await ask('/examples', { accept })).text).toBe(text);
  });
});
