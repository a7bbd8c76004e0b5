// engines: sqlite
import { describe, expect, it } from 'vitest';
import { MediaBody, writeBody } from '../../../src/kit/cli/sdk/typescript/runtime/body.ts';
import { carry } from '../../../src/kit/cli/sdk/typescript/runtime/credentials.ts';
import type { RequestOptions } from '../../../src/kit/cli/sdk/typescript/runtime/options.ts';
import { parameterText } from '../../../src/kit/cli/sdk/typescript/runtime/parameter-text.ts';
import { type Operation, prepare } from '../../../src/kit/cli/sdk/typescript/runtime/request.ts';

type Place = 'path' | 'query' | 'header' | 'cookie';

describe('a parameter is written as OpenAPI says', () => {
  const one = 'blue';
  const list = ['blue', 'a b'];
  const object = { R: 100, 'G/': 'x&y', none: undefined };

  it.each<[Place, string, boolean, unknown, string]>([
    ['path', 'simple', false, one, 'blue'],
    ['path', 'simple', false, list, 'blue,a%20b'],
    ['path', 'simple', false, object, 'R,100,G%2F,x%26y'],
    ['path', 'simple', true, list, 'blue,a%20b'],
    ['path', 'simple', true, object, 'R=100,G%2F=x%26y'],
    ['path', 'label', false, one, '.blue'],
    ['path', 'label', false, list, '.blue,a%20b'],
    ['path', 'label', false, object, '.R,100,G%2F,x%26y'],
    ['path', 'label', true, list, '.blue.a%20b'],
    ['path', 'label', true, object, '.R=100.G%2F=x%26y'],
    ['path', 'matrix', false, one, ';c=blue'],
    ['path', 'matrix', false, '', ';c'],
    ['path', 'matrix', false, list, ';c=blue,a%20b'],
    ['path', 'matrix', false, object, ';c=R,100,G%2F,x%26y'],
    ['path', 'matrix', true, list, ';c=blue;c=a%20b'],
    ['path', 'matrix', true, object, ';R=100;G%2F=x%26y'],
    ['query', 'form', true, one, 'c=blue'],
    ['query', 'form', true, '', 'c='],
    ['query', 'form', true, list, 'c=blue&c=a%20b'],
    ['query', 'form', true, object, 'R=100&G%2F=x%26y'],
    ['query', 'form', true, [], ''],
    ['query', 'form', false, list, 'c=blue,a%20b'],
    ['query', 'form', false, object, 'c=R,100,G%2F,x%26y'],
    ['query', 'form', false, [], ''],
    ['query', 'spaceDelimited', false, list, 'c=blue%20a%20b'],
    ['query', 'pipeDelimited', false, list, 'c=blue|a%20b'],
    ['query', 'deepObject', true, object, 'c%5BR%5D=100&c%5BG%2F%5D=x%26y'],
    [
      'query',
      'deepObject',
      true,
      { a: { b: 1, c: undefined }, d: [1, 2], e: null },
      'c%5Ba%5D%5Bb%5D=1&c%5Bd%5D=1&c%5Bd%5D=2&c%5Be%5D=null',
    ],
    ['query', 'deepObject', true, list, 'c=blue&c=a%20b'],
    ['query', 'form', true, null, 'c=null'],
    ['query', 'form', true, [{ a: 1 }], 'c=%7B%22a%22%3A1%7D'],
    ['cookie', 'form', true, one, 'c=blue'],
    ['cookie', 'form', true, list, 'c=blue; c=a%20b'],
    ['cookie', 'form', false, list, 'c=blue,a%20b'],
    ['header', 'simple', false, 'a b/c', 'a b/c'],
    ['header', 'simple', false, list, 'blue,a b'],
    ['header', 'simple', true, object, 'R=100,G/=x&y'],
    ['header', 'simple', false, [{ a: 1 }, null], '{"a":1},null'],
  ])('in a %s, %s, explode %s: %j', (place, style, explode, value, text) => {
    expect(parameterText({ name: 'c', in: place, style, explode }, value)).toBe(text);
  });

  it('as JSON, and with reserved characters', () => {
    const form = { name: 'c', style: 'form', explode: true };
    const json = { ...form, json: true };
    expect(parameterText({ ...json, in: 'query' }, { a: 1 })).toBe('c=%7B%22a%22%3A1%7D');
    expect(parameterText({ ...json, in: 'cookie' }, 'a')).toBe('c=%22a%22');
    expect(parameterText({ ...json, in: 'header' }, { a: 1 })).toBe('{"a":1}');
    expect(parameterText({ ...json, in: 'path' }, [1])).toBe('%5B1%5D');
    expect(parameterText({ ...form, in: 'query', reserved: true }, '/a?b#c d')).toBe(
      'c=/a?b%23c%20d',
    );
  });
});

describe('a body is written', () => {
  const json = { type: 'application/json', as: 'json' } as const;
  const form = { type: 'application/x-www-form-urlencoded', as: 'form' } as const;
  const multipart = { type: 'multipart/form-data', as: 'multipart' } as const;

  it('in the media type that comes first, or that is named', () => {
    expect(writeBody([json, form], { a: 1 })).toEqual({ type: json.type, content: '{"a":1}' });
    expect(writeBody([], 'a')).toEqual({ type: json.type, content: '"a"' });
    expect(writeBody([json, form], new MediaBody(form.type, { a: 1 }))).toEqual({
      type: form.type,
      content: 'a=1',
    });
    const bytes = new Uint8Array([1]);
    expect(
      writeBody([{ type: 'image/*', as: 'binary' }, json], new MediaBody('image/png', bytes)),
    ).toEqual({
      type: 'image/png',
      content: bytes,
    });
    expect(writeBody([json, { type: '*/*', as: 'text' }], new MediaBody('a/b', 'c'))).toEqual({
      type: 'a/b',
      content: 'c',
    });
    expect(writeBody([{ type: 'text/plain', as: 'text' }], 'a')).toEqual({
      type: 'text/plain',
      content: 'a',
    });
    // What the contract does not have is JSON.
    expect(writeBody([{ type: 'image/*', as: 'binary' }], new MediaBody('text/x', 'a'))).toEqual({
      type: 'text/x',
      content: '"a"',
    });
  });

  it('as a form: lists one by one, objects as JSON, unless there is a style', () => {
    const fields = { a: 'x y', b: [1, { c: 2 }], d: { e: 3 }, f: undefined, g: null, h: [4, 5] };
    expect(writeBody([form], fields).content).toBe(
      'a=x+y&b=1&b=%7B%22c%22%3A2%7D&d=%7B%22e%22%3A3%7D&h=4&h=5',
    );
    const encoding = {
      h: { style: 'pipeDelimited', explode: false },
      d: { style: 'deepObject', explode: true },
      a: { style: 'form', explode: true },
    };
    expect(writeBody([{ ...form, encoding }], fields).content).toBe(
      'a=x+y&b=1&b=%7B%22c%22%3A2%7D&d%5Be%5D=3&h=4%7C5',
    );
  });

  it('as a form of several parts, with files', async () => {
    const file = new File(['abc'], 'a.txt', { type: 'text/plain' });
    // A style says how text is written, and a file is none.
    const encoding = { file: { style: 'form', explode: true } };
    const { type, content } = writeBody([{ ...multipart, encoding }], {
      ...{ text: 'a', file, bytes: new Uint8Array([65]), buffer: new Uint8Array([66]).buffer },
      ...{ object: { a: 1 }, files: [file, file], none: null },
    });
    expect(type).toBe(undefined);
    if (!(content instanceof FormData)) throw new Error('it is no form');
    const shown = [...content].map(async ([name, value]) =>
      typeof value === 'string' ? [name, value] : [name, value.name, await value.text()],
    );
    expect(await Promise.all(shown)).toEqual([
      ['text', 'a'],
      ['file', 'a.txt', 'abc'],
      ['bytes', 'blob', 'A'],
      ['buffer', 'blob', 'B'],
      ['object', '{"a":1}'],
      ['files', 'a.txt', 'abc'],
      ['files', 'a.txt', 'abc'],
    ]);
  });
});

describe('credentials', () => {
  const schemes = {
    head: { kind: 'key', in: 'header', name: 'X-Key' },
    search: { kind: 'key', in: 'query', name: 'k y' },
    jar: { kind: 'key', in: 'cookie', name: 'sid' },
    user: { kind: 'basic' },
    bearer: { kind: 'bearer' },
  } as const;
  const none = { headers: {}, query: [], cookies: [] };
  const all = [['head', 'user'], [], ['bearer']];

  it.each<[string, string[][], object, string | undefined, object]>([
    ['none', all, {}, undefined, none],
    ['a header', [['head']], { head: 'a' }, 't', { ...none, headers: { 'x-key': 'a' } }],
    [
      'a part of the query',
      [['search']],
      { search: 'a&b' },
      undefined,
      { ...none, query: ['k%20y=a%26b'] },
    ],
    ['a cookie', [['jar']], { jar: 'a;b' }, undefined, { ...none, cookies: ['sid=a%3Bb'] }],
    [
      'a user',
      [['user']],
      { user: { username: 'é', password: 'p:' } },
      undefined,
      { ...none, headers: { authorization: 'Basic w6k6cDo=' } },
    ],
    ['a token', all, {}, 't', { ...none, headers: { authorization: 'Bearer t' } }],
    [
      'a token by its name',
      [['bearer']],
      { bearer: 'u' },
      't',
      { ...none, headers: { authorization: 'Bearer u' } },
    ],
    [
      'a token where nothing is asked for',
      [],
      {},
      't',
      { ...none, headers: { authorization: 'Bearer t' } },
    ],
    [
      'a half of two',
      [['head', 'search'], ['jar']],
      { head: 'a', jar: 'b' },
      undefined,
      { ...none, cookies: ['sid=b'] },
    ],
    [
      'both of two',
      [['head', 'search']],
      { head: 'a', search: 'b' },
      undefined,
      { headers: { 'x-key': 'a' }, query: ['k%20y=b'], cookies: [] },
    ],
    [
      'a key beside the token',
      [['head', 'bearer']],
      { head: 'a' },
      't',
      { ...none, headers: { 'x-key': 'a', authorization: 'Bearer t' } },
    ],
    ['a scheme that nobody knows', [['other']], { other: 'a' }, undefined, none],
    [
      'a user in place of a key',
      [['head']],
      { head: { username: 'a', password: 'b' } },
      undefined,
      none,
    ],
  ])('are carried: %s', async (_, alternatives, given, token, carried) => {
    expect(await carry(schemes, alternatives, { ...given }, token)).toEqual(carried);
  });

  it('are asked for where they are functions, and may be none', async () => {
    const given = { head: async () => 'a', search: () => undefined };
    expect(await carry(schemes, [['head', 'search']], given, undefined)).toEqual({
      ...none,
      headers: { 'x-key': 'a' },
    });
    const token = () => undefined;
    expect(await carry(schemes, [], {}, token)).toEqual(none);
  });
});

describe('a request is prepared', () => {
  // An operation's own options stand beside those of every request.
  const of = (options: object): RequestOptions => options;
  const parameter = (key: string, place: Place, name = key) => ({
    ...{ key, name, in: place, style: place === 'query' ? 'form' : 'simple', explode: false },
  });
  const operation: Operation = {
    ...{ id: 'get', method: 'GET', path: '/a/{id}/{none}', accept: 'application/json' },
    ...{ replies: {}, refusals: [] },
    parameters: [
      ...[parameter('id', 'path'), parameter('limit', 'query'), parameter('sort', 'query', 's/t')],
      ...[
        parameter('trace', 'header', 'X-Trace'),
        parameter('sid', 'cookie'),
        parameter('lang', 'cookie'),
      ],
      { ...parameter('tags', 'cookie'), style: 'form' },
    ],
  };

  it('with its address, its headers and cookies', () => {
    const options = { limit: 3, sort: undefined, trace: 't', sid: 1, lang: null, tags: [] };
    const request = prepare('http://x//', operation, { path: { id: 'a/b' }, options: of(options) });
    expect(request).toEqual({
      ...{ operation: 'get', method: 'GET', url: 'http://x/a/a%2Fb/?limit=3', body: undefined },
      headers: { accept: 'application/json', 'x-trace': 't', cookie: 'sid=1' },
      ...{ security: [], redirects: false, repeatable: 'any' },
    });
    const more = prepare('http://x', operation, {
      path: { id: 1 },
      options: of({ limit: 3, sort: 'a', sid: 1, lang: 'b' }),
    });
    expect(more.url).toBe('http://x/a/1/?limit=3&s%2Ft=a');
    expect(more.headers.cookie).toBe('sid=1; lang=b');
    expect(prepare('http://x', operation, { path: { id: 1 } }).url).toBe('http://x/a/1/');
    const twice = [parameter('id', 'path'), parameter('idQuery', 'query', 'id')];
    const both = { path: { id: 1 }, options: of({ idQuery: 2 }) };
    expect(prepare('http://x', { ...operation, path: '/{id}', parameters: twice }, both).url).toBe(
      'http://x/1?id=2',
    );
    const empty = { path: { id: 1 }, options: of({ limit: [], sort: 'a' }) };
    expect(prepare('http://x', operation, empty).url).toBe('http://x/a/1/?s%2Ft=a');
  });

  it('with what the operation says beside', () => {
    const made = prepare(
      'http://x',
      {
        ...operation,
        security: [['a']],
        redirects: true,
        bodies: [{ type: 'text/plain', as: 'text' }],
      },
      { body: 'b' },
    );
    expect(made).toMatchObject({
      security: [['a']],
      redirects: true,
      body: { type: 'text/plain', content: 'b' },
    });
    expect(prepare('http://x', operation, { body: 1 }).body).toEqual({
      type: 'application/json',
      content: '1',
    });
  });

  const key = parameter('idempotencyKey', 'header', 'Idempotency-Key');
  const match = parameter('ifMatch', 'header', 'If-Match');

  it.each([
    ['GET', {}, 'any', undefined],
    ['GET', { ifMatch: '"1"' }, 'any', undefined],
    ['PUT', {}, 'any', undefined],
    ['PUT', { ifMatch: '"1"' }, 'versioned', undefined],
    ['PUT', { ifMatch: '*' }, 'any', undefined],
    ['DELETE', { ifMatch: '"1"' }, 'versioned', undefined],
    ['PUT', { idempotencyKey: 'k' }, 'any', 'k'],
    ['POST', { idempotencyKey: 'k' }, 'keyed', 'k'],
    ['POST', {}, 'keyed', /^[0-9a-f]{32}$/],
    ['PATCH', {}, 'once', undefined],
    ['PATCH', { idempotencyKey: 'k' }, 'keyed', 'k'],
  ])('%s with %j may be sent again: %s', (method, options, repeatable, sent) => {
    const given = { ...operation, method, parameters: [key, match] };
    const request = prepare('http://x', given, { options: of(options) });
    expect(request.repeatable).toBe(repeatable);
    expect(request.headers['idempotency-key']).toEqual(
      sent instanceof RegExp ? expect.stringMatching(sent) : sent,
    );
  });

  it('as one that is sent once where it takes no key', () => {
    const post = { ...operation, method: 'POST', parameters: [] };
    expect(prepare('http://x', post, {}).repeatable).toBe('once');
  });

  it('with another key each time', () => {
    const post = { ...operation, method: 'POST', parameters: [key] };
    const keys = [1, 2].map(() => prepare('http://x', post, {}).headers['idempotency-key']);
    expect(keys[0]).not.toBe(keys[1]);
  });
});
