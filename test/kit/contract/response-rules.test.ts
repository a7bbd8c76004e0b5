import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { violations } from '../../../src/kit/contract/response-check.ts';
import { whole } from '../../support/schemas.ts';

const json = (schema: object) => ({ 'application/json': { schema } });
const header = (schema: object, more: object = {}) => ({ schema, ...more });
const get = (response: object, status: string | number = 200) => ({
  get: { responses: { [status]: { description: '', ...response } } },
});
const many = { type: 'array', items: whole };
const problem = 'application/problem+json';

const contract = await contractOf({
  '/plain': get({}),
  '/none': { get: {} },
  '/empty': get({ content: {} }),
  '/list': get({ content: json(many) }),
  '/text': get({
    content: { 'text/plain': { schema: { maxLength: 2 } }, 'a/b': { schema: false } },
  }),
  '/typed': get({ content: { 'application/*': {}, 'text/plain': {} } }),
  '/range': {
    get: {
      responses: {
        '4XX': { description: '', content: json(whole) },
        404: { description: '' },
        default: { description: '', content: json({ type: 'boolean' }) },
      },
    },
  },
  '/methods': { ...get({}), put: get({ content: json(whole) }, 405).get },
  '/headers': get({
    headers: {
      'X-Whole': header(whole),
      'X-Flag': header({ type: 'boolean' }),
      'X-Texts': header({ type: 'array', maxItems: 2 }),
      'X-Numbers': header(many),
      'X-Words': header({ type: 'array', items: { type: 'string' } }),
      'X-Text': header({ type: 'string', maxLength: 4 }),
      'X-Must': header({}, { required: true }),
      'X-Content': { content: json(whole) },
      'Content-Type': header(whole),
    },
  }),
  '/id/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: {} }],
    ...get({}),
  },
});

function contractOf(paths: object, components: object = {}) {
  const info = { title: 'T', version: '1' };
  return parseContract(JSON.stringify({ openapi: '3.1.0', info, paths, components }));
}

type Answer = { status?: number; headers?: object; text?: string | undefined; json?: unknown };

function faultsOf(path: string, answer: Answer, method = 'GET', of = contract): string[] {
  const { status = 200, headers = {}, text = '', json } = answer;
  const given = 'text' in answer ? answer.text : text;
  return violations(of, method, path, { status, headers: { ...headers }, text: given, json });
}
const typed = (value: unknown, type = 'application/json'): Answer => ({
  headers: { 'content-type': type },
  ...(type.includes('json')
    ? { text: JSON.stringify(value), json: value }
    : { text: String(value) }),
});

describe('what the kit says of itself is a problem', () => {
  const said = (status: number, type = problem) =>
    faultsOf('/plain', { status, text: '{}', headers: { 'content-type': type } });

  it.each([400, 401, 403, 404, 405, 406, 408, 413, 415, 429, 431, 500, 503])('of %i', (status) => {
    expect(said(status)).toEqual([]);
    expect(said(status, 'application/json')).toEqual([`status ${status} is not declared`]);
  });

  it.each([402, 409, 410, 412, 422, 428, 501, 502, 504])('and not of %i', (status) => {
    expect(said(status)).toEqual([`status ${status} is not declared`]);
  });

  it('also where a status is declared without content', () => {
    const answer = { status: 404, text: '{}', headers: { 'content-type': problem } };
    expect(faultsOf('/range', answer)).toEqual([]);
    expect(faultsOf('/range', { ...answer, headers: {} })).toEqual([
      'a body where none is declared',
    ]);
    expect(faultsOf('/plain', { ...answer, status: 200 })).toEqual([
      'a body where none is declared',
    ]);
  });
});

describe('a status is declared', () => {
  it.each([
    ['/range', 404, '', []],
    ['/range', 400, 1, []],
    ['/range', 400, true, ['body must be integer']],
    ['/range', 500, true, []],
    ['/range', 500, 1, ['body must be boolean']],
    ['/plain', 201, '', ['status 201 is not declared']],
  ])('%s: %i with %j', (path, status, body, faults) => {
    const answer = body === '' ? { text: '' } : typed(body);
    expect(faultsOf(path, { ...answer, status })).toEqual(faults);
  });

  it('of an operation that says nothing of its answers in any case', () => {
    expect(faultsOf('/none', { status: 299, text: 'a' })).toEqual([]);
    expect(faultsOf('/none', { status: 299 }, 'PUT')).toEqual(['status 299 is not declared']);
  });

  it('of 405 by any operation of the path', () => {
    for (const method of ['PATCH', 'GET']) {
      expect(faultsOf('/methods', { ...typed('x'), status: 405 }, method)).toEqual([
        'body must be integer',
      ]);
    }
    expect(faultsOf('/methods', { ...typed('x'), status: 406 }, 'PUT')).toEqual([
      'status 406 is not declared',
    ]);
  });

  it('by the method that was asked', () => {
    expect(faultsOf('/methods', { status: 200 })).toEqual([]);
    expect(faultsOf('/methods', { status: 200 }, 'PUT')).toEqual(['status 200 is not declared']);
  });

  it('whatever the query is', () => {
    expect(faultsOf('/id/1?a=/b', {})).toEqual([]);
    expect(faultsOf('/id/1/2?a', {})).toEqual(['status 200 is not declared']);
  });

  it('of no operation by the component NotFound', async () => {
    const NotFound = { description: '', content: json(whole) };
    const named = {
      responses: { NotFound: { $ref: '#/components/responses/Other' }, Other: NotFound },
    };
    const own = await contractOf({}, named);
    const found = (status: number, body: unknown) =>
      faultsOf('/nothing', { ...typed(body), status }, 'GET', own);
    expect([found(404, 1), found(400, 1)]).toEqual([[], []]);
    expect([found(404, 'x'), found(400, 'x')]).toEqual([
      ['body must be integer'],
      ['body must be integer'],
    ]);
    expect(found(405, 1)).toEqual(['status 405 is not declared']);
    expect(faultsOf('/nothing', { ...typed(1), status: 405 })).toEqual([
      'status 405 is not declared',
    ]);
  });
});

describe('a header is read as its schema admits it:', () => {
  const faults = (name: string, text: string) =>
    faultsOf('/headers', { headers: { 'x-must': '1', [name.toLowerCase()]: text } });

  it.each([
    ['X-Whole', ['7', ' 7 '], ['x', '1.5', '', ' ']],
    ['X-Flag', ['true', 'false'], ['yes', '1', '']],
    ['X-Texts', ['a', 'a, b', 'a,b'], ['a,b,c']],
    ['X-Numbers', ['1', '1, 2'], ['a', '1,', '1.5']],
    ['X-Words', ['a', 'a, b'], []],
    ['X-Text', ['a', '12', 'true'], ['abcde']],
    ['X-Content', ['x'], []],
    ['Content-Type', ['x'], []],
  ])('%s', (name, valid, invalid) => {
    for (const text of valid) expect(faults(name, text), text).toEqual([]);
    for (const text of invalid) {
      expect(faults(name, text).join(), text).toMatch(new RegExp(`^header ${name} must `));
    }
  });

  it('and may be missing unless it is required', () => {
    expect(faultsOf('/headers', {})).toEqual(['header X-Must is missing']);
  });
});

describe('a body is of the declared media type and schema:', () => {
  it.each([
    ['/empty', { text: '' }, []],
    ['/empty', { text: 'a' }, ['a body where none is declared']],
    ['/list', typed([1]), []],
    ['/list', typed([1], 'application/json; charset=utf-8'), []],
    ['/list', typed([1], 'text/html'), ['Content-Type text/html is not declared']],
    ['/list', { ...typed(['a']), text: undefined }, []],
    ['/text', typed('ab', 'text/plain'), []],
    ['/text', typed('abc', 'text/plain'), ['body must NOT have more than 2 characters']],
    ['/text', typed('abc', 'a/b'), []],
    ['/typed', typed('abc', 'application/pdf'), []],
    ['/typed', typed('abc', 'image/png'), ['Content-Type image/png is not declared']],
  ])('%s: %j', (path, answer, faults) => {
    expect(faultsOf(path, answer)).toEqual(faults);
  });

  it('none in answer to HEAD', () => {
    expect(faultsOf('/list', typed(['a']), 'HEAD')).toEqual(['a body in answer to HEAD']);
    expect(faultsOf('/list', { ...typed(['a']), text: '' }, 'HEAD')).toEqual([]);
    expect(faultsOf('/list', { ...typed([], 'a/b'), text: '' }, 'HEAD')).toEqual([
      'Content-Type a/b is not declared',
    ]);
  });

  it('at most 100 faults of it are told, and of a long one the first', () => {
    const words = (count: number) => Array.from({ length: count }, () => 'x');
    expect(faultsOf('/list', typed(words(99)))).toHaveLength(99);
    expect(faultsOf('/list', typed(words(101)))).toHaveLength(100);
    const length = (text: string) => faultsOf('/list', { ...typed(words(2)), text }).length;
    expect([length(' '.repeat(20_000)), length(' '.repeat(20_001))]).toEqual([2, 1]);
    expect(faultsOf('/list', typed(['x', 1, 'x']))).toEqual([
      ...['body/0 must be integer', 'body/2 must be integer'],
    ]);
  });
});
