// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveContract } from '../../support/contract-server.ts';
import { text } from '../../support/schemas.ts';
import { articleIn, elementsIn, seenText } from '../../support/seen-text.ts';

const responses = { 200: { description: 'Seen.' } };
const parameter = (name: string, place: string, schema: object, others: object = {}) => ({
  ...{ name, in: place, required: place === 'path', schema, ...others },
});
const body = (content: object) => ({ requestBody: { content }, responses });

const operations: Readonly<Record<string, object>> = {
  'put /parameters/{id}': {
    responses,
    parameters: [
      parameter('id', 'path', { ...text, example: '7"' }),
      parameter('kind', 'query', { enum: ['a', 'b'], example: 'b' }, { required: true }),
      parameter('on', 'query', { type: 'boolean' }),
      parameter(
        'x.y',
        'query',
        { type: ['array', 'null'], items: text },
        { style: 'pipeDelimited', explode: false, allowReserved: true },
      ),
      parameter('deep', 'query', { type: 'object' }, { style: 'deepObject' }),
      parameter('maybe', 'query', { type: ['object', 'null'] }),
      parameter('either', 'query', { type: ['object', 'string'] }),
      { name: 'json', in: 'query', content: { 'application/json': { schema: { type: 'array' } } } },
      parameter('X-Note', 'header', text, { required: true, example: 'n' }),
      parameter('sid', 'cookie', { type: 'integer' }),
    ],
  },
  'get /nothing': { responses },
  'trace /nothing': { responses },
  'get /unsent': body({ 'application/json': {} }),
  'head /unsent': body({ 'application/json': {} }),
  'post /json': body({
    'text/plain': {},
    'application/json': { schema: { type: 'object' }, example: { a: 1 } },
  }),
  'post /json-text': body({ 'application/json': { schema: text, example: 'a' } }),
  'post /unmade': body({ 'application/json': { schema: { ...text, pattern: '^(?!a)a$' } } }),
  'post /text': body({ 'text/plain': { schema: text, example: 'a\nb' } }),
  'post /long': body({ 'text/plain': { schema: text, example: 'a\n'.repeat(30) } }),
  'post /some': body({ 'text/plain': { schema: text, example: 'a\n'.repeat(9) } }),
  'post /any-text': body({ 'text/*': {} }),
  'post /any': body({ '*/*': {} }),
  'post /application': body({ 'application/*': {} }),
  'post /image': body({ 'image/*': {} }),
  'post /png': body({ 'image/png': {} }),
  'post /form': body({
    'application/x-www-form-urlencoded': {
      schema: {
        type: 'object',
        required: ['name', 'list'],
        properties: {
          name: text,
          list: { type: 'array', items: { type: 'integer' } },
          'a b': text,
          flag: { type: 'boolean' },
        },
      },
      example: { name: 'n', list: [1, 2], 'a b': 'left out' },
    },
  }),
  'post /free-form': body({
    'application/x-www-form-urlencoded': { schema: { type: 'object' }, example: { a: 1 } },
  }),
  'post /multipart': body({
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: {
          title: text,
          'the file': { type: 'string', format: 'binary' },
          pictures: { type: 'array', items: { type: 'string', contentMediaType: 'image/png' } },
          names: { type: 'array', items: text },
        },
      },
    },
  }),
  'get /secured': { responses, security: [{ key: [] }, { basic: [], 'to.ken': [], key: [] }] },
  'get /perhaps': { responses, security: [{}, { 'to.ken': [] }] },
  'get /free': { responses, security: [{}] },
};

let server: Awaited<ReturnType<typeof serveContract>>;
beforeAll(async () => {
  const paths: Record<string, Record<string, object>> = {};
  for (const [place, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = place.split(' ');
    paths[path] = { ...paths[path], [method]: { ...operation, operationId: place } };
  }
  const securitySchemes = {
    key: { type: 'apiKey', in: 'query', name: 'k' },
    basic: { type: 'http', scheme: 'BASIC' },
    'to.ken': { type: 'http', scheme: 'bearer' },
  };
  const contract = {
    ...{ openapi: '3.1.0', info: { title: 'Forms', version: '1' } },
    ...{ paths, components: { securitySchemes } },
  };
  server = await serveContract(JSON.stringify(contract), {}, { mocks: true, lenient: true });
});
afterAll(() => server.stop());

async function formOf(id: string): Promise<string> {
  const page = await fetch(`${server.url}/docs/rest/${encodeURIComponent(id)}`);
  expect(page.status).toBe(200);
  return articleIn(await page.text()).match(/<form .*<\/form>/s)?.[0] ?? '';
}
const plain = { name: 'input', autocomplete: 'off' };
const form = (name: string, place: string, others: object = {}) =>
  JSON.stringify({
    ...{
      name,
      in: place,
      style: place === 'query' ? 'form' : 'simple',
      explode: place === 'query',
    },
    ...{ json: false, reserved: false, ...others },
  });
const of = (name: string, place: string, type = 'text', others: object = {}) => ({
  'data-parameter': form(name, place, others),
  'data-type': type,
});

describe('the form of an operation', () => {
  it('has an input for each parameter, filled in where it is required', async () => {
    const html = await formOf('put /parameters/{id}');
    expect(elementsIn(html, 'form')).toEqual([
      { name: 'form', 'data-method': 'PUT', 'data-path': '/parameters/{id}' },
    ]);
    expect(elementsIn(html, 'input|select')).toEqual([
      { ...plain, id: 'try-path-id', value: '7"', ...of('id', 'path'), required: true },
      { name: 'select', id: 'try-query-kind', ...of('kind', 'query'), required: true },
      { ...plain, id: 'try-header-X-Note', value: 'n', ...of('X-Note', 'header'), required: true },
      { name: 'select', id: 'try-query-on', ...of('on', 'query') },
      {
        ...{ ...plain, id: 'try-query-x_y', value: '' },
        ...of('x.y', 'query', 'array', { style: 'pipeDelimited', explode: false, reserved: true }),
      },
      {
        ...{ ...plain, id: 'try-query-deep', value: '' },
        ...of('deep', 'query', 'object', { style: 'deepObject', explode: false }),
      },
      { ...plain, id: 'try-query-maybe', value: '', ...of('maybe', 'query', 'object') },
      { ...plain, id: 'try-query-either', value: '', ...of('either', 'query') },
      {
        ...plain,
        id: 'try-query-json',
        value: '',
        ...of('json', 'query', 'array', { json: true }),
      },
      {
        ...plain,
        id: 'try-cookie-sid',
        value: '',
        ...of('sid', 'cookie', 'text', { style: 'form', explode: true }),
      },
    ]);
    expect(elementsIn(html, 'option')).toEqual([
      ...['', 'a'].map((value) => ({ name: 'option', value })),
      { name: 'option', value: 'b', selected: true },
      { name: 'option', value: '', selected: true },
      ...['true', 'false'].map((value) => ({ name: 'option', value })),
    ]);
    expect(elementsIn(html, 'label').map((each) => each.for)).toEqual(
      elementsIn(html, 'input|select').map((each) => each.id),
    );
    expect(seenText(html)).toEqual([
      ...['id path required', 'kind query required', 'ab', 'X-Note header required'],
      ...[
        'Optional parameters',
        'on query',
        'truefalse',
        'x.y query',
        'deep query',
        'maybe query',
        'either query',
      ],
      ...['json query', 'sid cookie', 'Send'],
    ]);
  });

  it.each(['get /nothing', 'get /unsent', 'head /unsent', 'get /free'])(
    'has nothing to fill in: %s',
    async (id) => {
      expect(seenText(await formOf(id))).toEqual(['Send']);
    },
  );

  it('is not there for a method that a page cannot send', async () => {
    expect(await formOf('trace /nothing')).toBe('');
  });

  it.each([
    ['post /json', 'application/json', 'json', 'application/json', 3, '{\n  "a": 1\n}'],
    ['post /json-text', 'application/json', 'json', 'application/json', 3, '"a"'],
    ['post /unmade', 'application/json', 'json', 'application/json', 3, ''],
    ['post /text', 'text/plain', 'text', 'text/plain', 3, 'a\nb'],
    ['post /some', 'text/plain', 'text', 'text/plain', 10, 'a\n'.repeat(9)],
    ['post /long', 'text/plain', 'text', 'text/plain', 18, 'a\n'.repeat(30)],
    ['post /any-text', 'text/*', 'text', 'text/plain', 3, 'text'],
    [
      'post /free-form',
      'application/x-www-form-urlencoded',
      'form',
      'application/x-www-form-urlencoded',
      3,
      '{\n  "a": 1\n}',
    ],
  ])('has the text of a body: %s', async (id, type, kind, media, rows, content) => {
    const html = await formOf(id);
    expect(elementsIn(html, 'textarea')).toEqual([
      {
        ...{ name: 'textarea', id: 'try-body', rows: String(rows), spellcheck: 'false' },
        ...{ 'data-body': kind, 'data-media': media },
      },
    ]);
    expect(seenText(html)[0]).toBe(`Body ${type}`);
    const [, written = ''] = html.match(/<textarea[^>]*>\n(.*)<\/textarea>/s) ?? [];
    expect(written.replaceAll('&#34;', '"')).toBe(content);
  });

  it.each([
    ['post /any', 'any', 'application/octet-stream'],
    ['post /application', 'any', 'application/octet-stream'],
    ['post /image', 'binary', 'application/octet-stream'],
    ['post /png', 'binary', 'image/png'],
  ])('takes a file: %s', async (id, kind, media) => {
    const file = { name: 'input', id: 'try-body', type: 'file' };
    expect(elementsIn(await formOf(id), 'input')).toEqual([
      { ...file, 'data-body': kind, 'data-media': media },
    ]);
  });

  const namesIn = (html: string) =>
    Array.from(html.matchAll(/<label[^>]*><code>(.*?)<\/code>/g), ([, name]) => name);

  it('has an input for each part of a form', async () => {
    const html = await formOf('post /form');
    const type = 'application/x-www-form-urlencoded';
    expect(elementsIn(html, 'fieldset')).toEqual([
      { name: 'fieldset', 'data-body': 'form', 'data-media': type },
    ]);
    const part = (name: string, kind = 'text') => ({ 'data-part': name, 'data-type': kind });
    expect(elementsIn(html, 'input|select')).toEqual([
      { ...plain, id: 'try-part-name', value: 'n', ...part('name'), required: true },
      { ...plain, id: 'try-part-list', value: '[1,2]', ...part('list', 'array'), required: true },
      { ...plain, id: 'try-part-a_b', value: '', ...part('a b') },
      { name: 'select', id: 'try-part-flag', ...part('flag') },
    ]);
    expect(seenText(html)[0]).toBe(`Body ${type}`);
    expect(namesIn(html)).toEqual(['name', 'list', 'a b', 'flag']);
  });

  it('takes the files of a form with several parts', async () => {
    const html = await formOf('post /multipart');
    const part = (name: string, kind = 'text') => ({ 'data-part': name, 'data-type': kind });
    expect(elementsIn(html, 'fieldset')[0]).toMatchObject({ 'data-body': 'multipart' });
    expect(elementsIn(html, 'input')).toEqual([
      { ...plain, id: 'try-part-title', value: '', ...part('title') },
      { name: 'input', id: 'try-part-the_file', type: 'file', ...part('the file') },
      {
        name: 'input',
        id: 'try-part-pictures',
        type: 'file',
        multiple: true,
        ...part('pictures', 'array'),
      },
      { ...plain, id: 'try-part-names', value: '', ...part('names', 'array') },
    ]);
    expect(elementsIn(html, 'label').map((each) => each.for)).toEqual(
      elementsIn(html, 'input').map((each) => each.id),
    );
  });

  it('asks for each credential once', async () => {
    const html = await formOf('get /secured');
    const secret = { name: 'input', type: 'password', autocomplete: 'off' };
    const credential = (id: string, value: object) => ({
      ...{ ...secret, id: `credential-${id}`, 'data-credential': JSON.stringify(value) },
    });
    expect(elementsIn(html, 'input')).toEqual([
      credential('key', { name: 'key', kind: 'key', in: 'query', key: 'k' }),
      credential('basic', { name: 'basic', kind: 'basic' }),
      credential('to_ken', { name: 'to.ken', kind: 'bearer' }),
    ]);
    expect(elementsIn(html, 'details')).toEqual([{ name: 'details', open: true }]);
    expect(seenText(html)).toEqual([
      ...['Credentials', 'key key in the query parameter k'],
      'basic user and password in the header Authorization, as user:password',
      ...['to.ken bearer token in the header Authorization', 'Send'],
    ]);
  });

  it('asks for what may be left out, folded', async () => {
    const html = await formOf('get /perhaps');
    expect(elementsIn(html, 'details')).toEqual([{ name: 'details' }]);
    expect(seenText(html)).toEqual([
      ...['Credentials (optional)', 'to.ken bearer token in the header Authorization', 'Send'],
    ]);
  });
});
