// engines: sqlite
import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { createOperationSamples } from '../../../src/kit/docs/operation-samples.ts';
import { text } from '../../support/schemas.ts';

const responses = { 200: { description: 'Seen.' } };
const required = (name: string, place: string, example: unknown, others: object = {}) => ({
  ...{ name, in: place, required: true, schema: {}, example, ...others },
});
const body = (type: string, example?: unknown, schema: object = {}, others: object = {}) => ({
  requestBody: {
    content: { [type]: { schema, ...(example !== undefined && { example }), ...others } },
  },
});
const file = { type: 'string', format: 'binary' };

/** Where the programs say that the server is. */
const at = 'http://127.0.0.1:3000';
const json = "-H 'Content-Type: application/json'";

/** An operation by its method and path, and the lines of its program. */
const samples: readonly (readonly [place: string, operation: object, ...lines: string[]])[] = [
  ['get /a', {}, `curl '${at}/a'`],
  ['delete /a', {}, `curl -X DELETE '${at}/a'`],
  ['head /a', {}, `curl -I '${at}/a'`],
  ['post /a', {}, `curl -X POST '${at}/a'`],
  [
    'post /json',
    body('application/json', { a: "it's" }),
    `curl '${at}/json'`,
    json,
    `-d '{\n  "a": "it'\\''s"\n}'`,
  ],
  [
    'post /directed',
    body('application/json', undefined, {
      type: 'object',
      properties: { a: { ...text, readOnly: true }, b: { ...text, writeOnly: true } },
    }),
    ...[`curl '${at}/directed'`, json, `-d '{\n  "b": "string"\n}'`],
  ],
  [
    'post /unmade',
    body('application/json', undefined, { ...text, pattern: '^(?!a)a$' }),
    `curl '${at}/unmade'`,
  ],
  ['put /json', body('application/json', 1), `curl -X PUT '${at}/json'`, json, "-d '1'"],
  ['get /json', body('application/json', 1), `curl '${at}/json'`],
  [
    'get /p/{a}/{b}',
    { parameters: [required('b', 'path', 'x/y'), required('a', 'path', [1, 2])] },
    `curl '${at}/p/1,2/x%2Fy'`,
  ],
  [
    'get /query',
    {
      parameters: [
        required('a', 'query', [1, 2]),
        required('b', 'query', [1, 2], { style: 'pipeDelimited', explode: false }),
        required('c', 'query', { d: 1 }, { style: 'deepObject', explode: true }),
        required('e', 'query', '/?', { allowReserved: true }),
        required('empty', 'query', [], { explode: false }),
        {
          name: 'j',
          in: 'query',
          required: true,
          content: { 'application/json': { schema: { const: [1] } } },
        },
        { name: 'later', in: 'query', schema: text, example: 'no' },
      ],
    },
    `curl '${at}/query?a=1&a=2&b=1|2&c%5Bd%5D=1&e=/?&j=%5B1%5D'`,
  ],
  [
    'get /others',
    {
      parameters: [
        required('X-A', 'header', [1, 'b']),
        required('c', 'cookie', 'd e'),
        required('f', 'cookie', 1),
      ],
    },
    ...[`curl '${at}/others'`, "-H 'X-A: 1,b'", "-b 'c=d%20e; f=1'"],
  ],
  ['get /by-query', { security: [{ inQuery: [] }] }, `curl '${at}/by-query?k=my-secret'`],
  [
    'get /by-header',
    { security: [{ inHeader: [] }] },
    `curl '${at}/by-header'`,
    "-H 'X-Key: my-secret'",
  ],
  [
    'get /by-cookie',
    { security: [{ inCookie: [] }], parameters: [required('c', 'cookie', 1)] },
    ...[`curl '${at}/by-cookie'`, "-b 'c=1; sid=my-secret'"],
  ],
  ['get /by-user', { security: [{ basic: [] }] }, `curl '${at}/by-user'`, "-u 'me:my-password'"],
  [
    'get /by-token',
    { security: [{ bearer: [] }] },
    `curl '${at}/by-token'`,
    "-H 'Authorization: Bearer my-token'",
  ],
  [
    'get /by-both',
    { security: [{ inQuery: [], inHeader: [] }], parameters: [required('q', 'query', 1)] },
    ...[`curl '${at}/by-both?q=1&k=my-secret'`, "-H 'X-Key: my-secret'"],
  ],
  ['get /by-nobody', { security: [{}, { basic: [] }] }, `curl '${at}/by-nobody'`],
  [
    'post /text',
    body('text/plain', 'a'),
    `curl '${at}/text'`,
    "-H 'Content-Type: text/plain'",
    "--data-binary 'a'",
  ],
  [
    'post /texts',
    body('text/*'),
    `curl '${at}/texts'`,
    "-H 'Content-Type: text/plain'",
    "--data-binary 'text'",
  ],
  ...['*/*', 'application/*'].map(
    (type, i) =>
      [
        ...([`post /any${i}`, body(type)] as const),
        ...[
          `curl '${at}/any${i}'`,
          "-H 'Content-Type: application/octet-stream'",
          '--data-binary @file.bin',
        ],
      ] as const,
  ),
  [
    'post /png',
    body('image/png'),
    `curl '${at}/png'`,
    "-H 'Content-Type: image/png'",
    '--data-binary @file.bin',
  ],
  [
    'post /parts',
    body(
      'multipart/form-data',
      { f: 'x', fs: ['x'], t: "it's", o: { a: '"' }, l: [1, 2], ts: ['x'] },
      {
        type: 'object',
        properties: {
          ...{ f: file, fs: { type: 'array', items: file } },
          ...{ t: text, o: {}, l: {}, ts: { type: 'array', items: text } },
        },
      },
    ),
    ...[
      `curl '${at}/parts'`,
      "-F 'f=@file.bin'",
      "-F 'fs=@file.bin'",
      "--form-string 't=it'\\''s'",
    ],
    `-F 'o="{\\"a\\":\\"\\\\\\"\\"}";type=application/json'`,
    ...["--form-string 'l=1'", "--form-string 'l=2'", "--form-string 'ts=x'"],
  ],
  [
    'post /form',
    body(
      'application/x-www-form-urlencoded',
      { a: 'b&c', l: [1, 2], m: [1, 2], n: [], o: { p: 1 } },
      { type: 'object' },
      {
        encoding: {
          m: { style: 'spaceDelimited' },
          n: { explode: false },
          o: { style: 'deepObject', explode: true },
        },
      },
    ),
    ...[`curl '${at}/form'`, "-d 'a=b%26c&l=1&l=2&m=1%202&o%5Bp%5D=1'"],
  ],
  [
    'post /odd-form',
    body('application/x-www-form-urlencoded', 'a=b', text),
    ...[
      `curl '${at}/odd-form'`,
      "-H 'Content-Type: application/x-www-form-urlencoded'",
      "--data-binary 'a=b'",
    ],
  ],
];

const securitySchemes = {
  inQuery: { type: 'apiKey', in: 'query', name: 'k' },
  inHeader: { type: 'apiKey', in: 'header', name: 'X-Key' },
  inCookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
  basic: { type: 'http', scheme: 'basic' },
  bearer: { type: 'http', scheme: 'bearer' },
};

type Operations = readonly (readonly [place: string, operation: object, ...rest: unknown[]])[];

/** The samples of a contract with these operations, by method and path. */
async function samplesOf(operations: Operations, schema?: object, others: object = {}) {
  const paths: Record<string, Record<string, object>> = {};
  for (const [place, operation] of operations) {
    const [method = '', path = ''] = place.split(' ');
    paths[path] = { ...paths[path], [method]: { responses, ...operation, operationId: place } };
  }
  const info = { title: 'Samples', version: '1' };
  const contract = { openapi: '3.1.0', info, paths, components: { securitySchemes }, ...others };
  const { document } = await parseContract(JSON.stringify(contract), 'openapi.yaml', {
    lenient: true,
  });
  return createOperationSamples({ document, digest: '', schema });
}

describe('the program for a shell', () => {
  const made = samplesOf(samples);

  const programs = samples.map(([place, , ...lines]) => [place, lines.join(' \\\n  ')] as const);

  it.each(programs)('of %s sends what is required', async (place, program) => {
    expect((await made)(place)?.programs.curl).toBe(program);
  });

  it('leaves the brackets of an address alone', async () => {
    const servers = [{ url: 'http://[::1]:8080' }];
    const found = (await samplesOf([['get /a', {}]], undefined, { servers }))('get /a');
    expect(found?.programs.curl).toBe("curl -g 'http://[::1]:8080/a'");
    expect(found?.address).toBe('http://[::1]:8080');
  });
});

describe('the samples of an operation', () => {
  const answers = (content: object, status = 200) => ({
    responses: { [status]: { description: 'Seen.', content } },
  });

  it.each([
    [
      'an example',
      answers({ 'application/json': { example: { a: 1 } } }),
      { status: '200', text: '{\n  "a": 1\n}' },
    ],
    [
      'an example of text',
      answers({ 'text/plain': { example: 'a' } }),
      { status: '200', text: 'a' },
    ],
    ['no example of text', answers({ 'text/plain': {} }), undefined],
    [
      'a schema',
      answers({ 'application/json': { schema: { type: 'integer' } } }, 201),
      { status: '201', text: '0' },
    ],
    [
      'what only requests have',
      answers({
        'application/json': {
          schema: {
            properties: { a: { ...text, writeOnly: true }, b: { ...text, readOnly: true } },
          },
        },
      }),
      { status: '200', text: '{\n  "b": "string"\n}' },
    ],
    ['no body', answers({}, 204), undefined],
  ])('have its answer: %s', async (_, operation, answer) => {
    expect((await samplesOf([['get /a', operation]]))('get /a')?.answer).toEqual(answer);
  });

  it('have the values that its form is filled with', async () => {
    const parameters = [
      required('a', 'path', 'x'),
      required('b', 'query', [1]),
      required('c', 'header', true),
      { name: 'd', in: 'query', schema: text, example: 'no' },
    ];
    const made = await samplesOf([
      ['post /{a}', { parameters, ...body('application/json', { e: 1 }) }],
    ]);
    expect(made('post /{a}')).toMatchObject({ address: at, body: { e: 1 } });
    expect(made('post /{a}')?.values).toEqual({
      'path a': 'x',
      'query b': '[1]',
      'header c': 'true',
    });
  });

  it.each([
    ['post /graphql', ['curl', 'TypeScript', 'Python']],
    ['get /graphql', ['curl']],
    ['trace /other', ['curl']],
    ['post /other', ['curl', 'TypeScript', 'Python']],
  ])('of an API with GraphQL have programs for %s in %j', async (place, languages) => {
    const made = await samplesOf(
      ['post /graphql', 'get /graphql', 'trace /other', 'post /other'].map((each) => [each, {}]),
      {},
    );
    expect(Object.keys(made(place)?.programs ?? {})).toEqual(languages);
  });

  it('of GraphQL ask what the contract shows, or for what there always is', async () => {
    const ask = async (operation: object) =>
      Object.values(
        (await samplesOf([['post /graphql', operation]], {}))('post /graphql')?.programs ?? {},
      );
    const [, ...shown] = await ask(
      body('application/json', { query: '{ a }', variables: { b: 7 } }),
    );
    for (const program of shown) expect(program).toMatch(/\{ a \}.*\bb\W+7/s);
    const [, ...bare] = await ask({});
    for (const program of bare) expect(program).toContain('{ __typename }');
  });
});
