// engines: sqlite
import { describe, expect, it } from 'vitest';
import { asked, check, type Given } from '../../support/graphql-asked.ts';

describe('a request', () => {
  const query = 'query A($n: ID!) { ship(id: $n) { name } } query B { count }';

  it.each<[string, Given, string[]]>([
    ['no query', { body: {} }, ['graphql: /body/query is required']],
    ['a query that is no text', { body: { query: 7 } }, ['graphql: /body/query is required']],
    ['a list', { body: [] }, ['graphql: /body/query is required']],
    ['no JSON', { body: '{' }, ['graphql: /body/query is required']],
    ['another type', { type: 'text/plain', body: {} }, []],
    ['no type', { type: '', body: {} }, []],
    ['no body', {}, []],
    ['a document that was sent before', { body: { extensions: { persistedQuery: {} } } }, []],
    [
      'a document with extensions',
      { body: { query: '{ a }', extensions: {} } },
      ['query: document Cannot query field "a" on type "Query".'],
    ],
    [
      'a document that cannot be read',
      { body: { query: '{' } },
      ['graphql: document Syntax Error: Expected Name, found <EOF>.'],
    ],
    [
      'two faults',
      { body: { query: 'query Q { a b }' } },
      [
        'query Q: document Cannot query field "a" on type "Query".',
        'query Q: document Cannot query field "b" on type "Query".',
      ],
    ],
    [
      'no operation of two',
      { body: { query } },
      ['graphql: /body/operationName names no operation of the document'],
    ],
    [
      'another operation',
      { body: { query, operationName: 'C' } },
      ['graphql: /body/operationName names no operation of the document'],
    ],
    [
      'a name that is no text',
      { body: { query, operationName: 7 } },
      ['graphql: /body/operationName names no operation of the document'],
    ],
    ['an operation by name', { body: { query, operationName: 'B' } }, []],
    [
      'variables that are none',
      { body: { query, operationName: 'A', variables: 7 } },
      ['query A: /body/variables must be an object'],
    ],
    ['null', { body: { query, operationName: 'B', variables: null } }, []],
    [
      'a variable that is missing',
      { body: { query, operationName: 'A' } },
      [expect.stringMatching(/^query A: \/body\/variables Variable "\$n"/)],
    ],
    ['a GET', { method: 'GET', query: 'query=%7B%20count%20%7D' }, []],
    [
      'a HEAD',
      { method: 'HEAD', query: 'query=%7B%20a%20%7D' },
      ['query: document Cannot query field "a" on type "Query".'],
    ],
    [
      'a GET with variables',
      {
        method: 'GET',
        query: `query=${encodeURIComponent(query)}&operationName=A&variables=%7B%22n%22%3A1%7D`,
      },
      [],
    ],
    [
      'a GET with variables that cannot be read',
      { method: 'GET', query: `query=${encodeURIComponent(query)}&operationName=B&variables=x` },
      [],
    ],
    [
      'a GET of a document that was sent before',
      { method: 'GET', query: 'extensions=%7B%22persistedQuery%22%3A1%7D' },
      [],
    ],
    [
      'a GET without a document',
      { method: 'GET', query: 'a=1' },
      ['graphql: /body/query is required'],
    ],
  ])('with %s', (_, given, lines) => {
    expect(asked(given).lines).toEqual(lines);
  });

  it('with too many faults tells some, and one that is too long none', () => {
    const some = Array.from({ length: 25 }, (_, i) => i);
    const definitions = some.map((i) => `$v${i}: ID!`).join(' ');
    const fields = some.map((i) => `a${i}: ship(id: $v${i}) { name }`).join(' ');
    const { lines } = asked({ body: { query: `query (${definitions}) { ${fields} }` } });
    expect([lines.length, lines.at(-1)]).toEqual([21, expect.stringContaining('Too many errors')]);
    const long = Array.from({ length: 4999 }, (_, i) => `a${i}: count`).join(' ');
    expect(asked({ body: { query: `{ ${long} open }` } }).lines).toEqual([]);
    expect(asked({ body: { query: `{ ${long} open id }` } }).lines).toEqual([
      expect.stringContaining('more than 15000 tokens'),
    ]);
  });
});

describe('an answer', () => {
  const { asked: valid } = asked({ body: { query: 'query A { count }' } });
  const json = 'application/json';

  it.each<[string, string | undefined, unknown, string[]]>([
    ['right', json, { data: { count: 1 }, extensions: {} }, []],
    ['without data', json, {}, ['data is missing, without errors']],
    ['with null', json, { data: null }, ['data is missing, without errors']],
    ['with null and errors', json, { data: null, errors: [{ message: 'a' }] }, []],
    [
      'with no errors',
      json,
      { data: { count: 1 }, errors: [] },
      ['errors must be a list of errors with messages'],
    ],
    [
      'with errors that are none',
      json,
      { errors: [{}] },
      ['errors must be a list of errors with messages'],
    ],
    [
      'with errors that are texts',
      json,
      { errors: ['a'] },
      ['errors must be a list of errors with messages'],
    ],
    [
      'with errors that are no list',
      json,
      { errors: {} },
      ['errors must be a list of errors with messages'],
    ],
    [
      'with another member',
      json,
      { data: { count: 1 }, more: 1 },
      ['more is no member of a GraphQL answer'],
    ],
    [
      'with two faults',
      json,
      { data: { count: 1 }, more: 1, errors: 7 },
      ['more is no member of a GraphQL answer', 'errors must be a list of errors with messages'],
    ],
    ['that is a list', json, [], ['body is not a GraphQL answer']],
    ['that is no JSON', json, 'a', ['body is not a GraphQL answer']],
    [
      'with data twice',
      json,
      '{"data":1,"data":{"count":1}}',
      ['body has two members with one name'],
    ],
    ['of another type', 'text/html', 'a', ['Content-Type text/html is not JSON']],
    ['of the type of GraphQL', 'application/graphql-response+json', { data: { count: 1 } }, []],
    ['of a stream', 'text/event-stream', 'a', []],
    ['of parts', 'multipart/mixed', 'a', []],
    ['of no type', undefined, 'a', []],
    ['of half a type', 'application/', 'a', []],
  ])('%s', (_, type, body, lines) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const headers = type === undefined ? {} : { 'content-type': type };
    const found = check.answer(valid, { status: 200, headers, body: Buffer.from(text) });
    expect(found.map(({ place, message }) => `${place} ${message}`)).toEqual(lines);
    for (const each of found) expect(each).toMatchObject({ side: 'answer', operation: 'query A' });
  });

  it('is not looked at where it was not read, and only as far as the question is known', () => {
    const headers = { 'content-type': json };
    expect(check.answer(valid, { status: 200, headers, body: undefined })).toEqual([]);
    const body = Buffer.from('{"data":{"other":1},"more":1}');
    expect(check.answer(undefined, { status: 200, headers, body })).toEqual([
      {
        side: 'answer',
        operation: 'graphql',
        place: 'more',
        message: 'is no member of a GraphQL answer',
      },
    ]);
  });
});
