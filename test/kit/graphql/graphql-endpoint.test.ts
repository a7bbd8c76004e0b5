import { describe, expect, it } from 'vitest';
import { useEndpoints } from '../../support/graphql-endpoints.ts';

const { told, toldTo, send, ask, get } = useEndpoints();

const JSON_TYPE = 'application/json';
const GRAPHQL_JSON = 'application/graphql-response+json';
const refusal = (message: string) => ({
  text: JSON.stringify({ errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] }),
});
const notAcceptable = {
  status: 406,
  ...refusal('The answer is application/graphql-response+json or application/json, in UTF-8.'),
};
const lanes = ['plain', 'slow', 'events', 'slowEvents'];

describe.each(lanes)('The media type of an answer (%s)', (api) => {
  it.each([
    [undefined, JSON_TYPE],
    ['*/*', JSON_TYPE],
    [JSON_TYPE, JSON_TYPE],
    [GRAPHQL_JSON, GRAPHQL_JSON],
    [`text/html, ${GRAPHQL_JSON}`, GRAPHQL_JSON],
    ['application/*', JSON_TYPE],
    [`${JSON_TYPE}, ${GRAPHQL_JSON}`, JSON_TYPE],
    [`${GRAPHQL_JSON}, ${JSON_TYPE}`, GRAPHQL_JSON],
    [`${JSON_TYPE};q=0.9, ${GRAPHQL_JSON}`, GRAPHQL_JSON],
    [`${JSON_TYPE};q=0, */*`, GRAPHQL_JSON],
    [`${JSON_TYPE};q=0, ${GRAPHQL_JSON};q=0.001`, GRAPHQL_JSON],
    [`${GRAPHQL_JSON};q=0, application/*`, JSON_TYPE],
    [`*/*;q=0, ${JSON_TYPE}`, JSON_TYPE],
    [`${JSON_TYPE}; charset=UTF-8`, JSON_TYPE],
    [`${JSON_TYPE};charset=utf8`, JSON_TYPE],
    [`${GRAPHQL_JSON}; charset=utf-8, ${JSON_TYPE}; charset=utf-8`, GRAPHQL_JSON],
  ])('for Accept %s is %s', async (accept, type) => {
    const data = { status: 200, type, text: '{"data":{"a":1}}' };
    expect(await ask('{ a }', { api, accept })).toMatchObject(data);
    const found = await get('{ a }', { api, accept });
    expect(found).toMatchObject({ ...data, headers: { vary: 'Accept' } });
    const added = await ask('mutation { add }', { api, accept });
    expect(added).toMatchObject({ status: 200, type, text: '{"data":{"add":3}}' });
    expect(added.headers.vary).toBeUndefined();
    // What is no answer to an operation is 400 in the type of GraphQL over HTTP alone.
    const status = type === GRAPHQL_JSON ? 400 : 200;
    for (const query of ['{ nope }', '{', 'query ($n: Int!) { b(n: $n) }']) {
      const refused = await ask(query, { api, accept });
      expect(refused).toMatchObject({ status, type });
      expect(JSON.parse(refused.text)).toEqual({ errors: [expect.anything()] });
    }
    const partly = await ask('{ a fails }', { api, accept });
    expect(partly).toMatchObject({ status: 200, type });
    expect(JSON.parse(partly.text)).toMatchObject({ data: { a: 1, fails: null } });
  });

  it.each([
    ...['text/html', 'image/*', `${JSON_TYPE};q=0`, `${GRAPHQL_JSON};q=0`, '*/*;q=0'],
    ...[`${JSON_TYPE};q=0, ${GRAPHQL_JSON};q=0.0, */*`, `${JSON_TYPE};charset=latin1`],
  ])('for Accept %s is not acceptable', async (accept) => {
    expect(await ask('{ a }', { api, accept })).toMatchObject(notAcceptable);
    expect(await get('{ a }', { api, accept })).toMatchObject({
      ...notAcceptable,
      headers: { vary: 'Accept' },
    });
    expect(await ask('mutation { add }', { api, accept })).toMatchObject(notAcceptable);
    expect(toldTo('executed')).toEqual([]);
  });
});

it('An answer of mocks is JSON for those who accept neither', async () => {
  for (const accept of ['text/html', 'application/vnd.github+json', `${JSON_TYPE};q=0`]) {
    const found = await ask('{ a }', { api: 'any', accept });
    expect(found).toMatchObject({ status: 200, type: JSON_TYPE, text: '{"data":{"a":1}}' });
  }
  for (const accept of [JSON_TYPE, GRAPHQL_JSON, `text/html, ${GRAPHQL_JSON}`]) {
    const { type } = await ask('{ a }', { api: 'any', accept });
    expect(type).toBe(accept.replace('text/html, ', ''));
  }
});

describe.each(lanes)('A request (%s)', (api) => {
  const two = 'query A { a } query B($n: Int) { b(n: $n) }';

  it('chooses its operation, and gives its variables', async () => {
    const answer = async (more: object) => (await ask(two, { api }, more)).text;
    expect(await answer({ operationName: 'A' })).toBe('{"data":{"a":1}}');
    expect(await answer({ operationName: 'B' })).toBe('{"data":{"b":2}}');
    expect(await answer({ operationName: 'B', variables: { n: 9 } })).toBe('{"data":{"b":9}}');
    for (const variables of [null, {}, undefined]) {
      expect(await answer({ operationName: 'B', variables })).toBe('{"data":{"b":2}}');
    }
    for (const operationName of [null, undefined, 'C', '']) {
      expect(JSON.parse(await answer({ operationName }))).toMatchObject({
        errors: [{ extensions: { code: expect.stringMatching(/^BAD_/) } }],
      });
    }
    for (const operationName of [null, undefined]) {
      expect((await ask('{ a }', { api }, { operationName })).text).toBe('{"data":{"a":1}}');
    }
  });

  it.each([
    ['{"query":1}'],
    ['{}'],
    ['{"query":null}'],
    ['{"query":"{ a }","operationName":1}'],
    ['{"query":"{ a }","variables":1}'],
    ['{"query":"{ a }","variables":"x"}'],
    ['{"query":"{ a }","variables":[]}'],
    ['{"query":"{ a }","extensions":1}'],
    ['{'],
  ])('is none with the body %s', async (body) => {
    for (const accept of [JSON_TYPE, GRAPHQL_JSON, '*/*']) {
      const found = await send(body, { api, accept });
      expect(found.status).toBe(400);
      expect(JSON.parse(found.text)).toMatchObject({
        errors: [{ extensions: { code: 'BAD_REQUEST' } }],
      });
    }
    expect(told.filter(([name]) => name === 'executed')).toEqual([]);
  });

  it.each(['null', '[]', '"x"', '1'])('is an object, and not %s', async (body) => {
    const found = await send(body, { api });
    const message = 'The request is not a GraphQL request: /body must be an object';
    expect(found).toMatchObject({ status: 400, ...refusal(message) });
  });

  it('is told which contracts answer it, if it asks', async () => {
    const digest = ',"extensions":{"contractDigest":"sha256-x"}}';
    const answer = async (extensions: unknown) =>
      (await ask('{ a }', { api }, { extensions })).text;
    expect(await answer({ contractDigest: true })).toBe(`{"data":{"a":1}${digest}`);
    for (const extensions of [
      undefined,
      null,
      {},
      { contractDigest: false },
      { contractDigest: 1 },
    ]) {
      expect(await answer(extensions)).toBe('{"data":{"a":1}}');
    }
  });

  it('has parameters in its query string by GET alone', async () => {
    const reason = (path: string) =>
      refusal(`The request is not a GraphQL request: ${path} is not a parameter of this operation`);
    const long = 'x'.repeat(101);
    const target = (name: string) => `/graphql?query=%7Ba%7D&${name}=1`;
    const body = '{"query":"{ a }"}';
    expect(await send(body, { api, target: '/graphql?' })).toMatchObject({ status: 200 });
    expect(await send(body, { api, target: `/graphql?${long}=1` })).toMatchObject({
      status: 400,
      ...reason(`/query/${'x'.repeat(100)}`),
    });
    expect(await get('', { api, target: target(long) })).toMatchObject({
      status: 400,
      ...reason(`/query/${'x'.repeat(100)}`),
    });
    const more = '&operationName=A&variables=%7B%7D&extensions=%7B%22contractDigest%22:true%7D';
    const found = await get('', { api, target: `/graphql?query=query%20A%7Ba%7D${more}` });
    expect(found.text).toBe('{"data":{"a":1},"extensions":{"contractDigest":"sha256-x"}}');
  });
});
