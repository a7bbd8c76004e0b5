import { describe, expect, it } from 'vitest';
import { useEndpoints } from '../../support/graphql-endpoints.ts';

const { ask, get, send, told, toldTo, exchanges } = useEndpoints();
const refusal = (message: string, code = 'BAD_REQUEST') =>
  JSON.stringify({ errors: [{ message, extensions: { code } }] });

describe.each(['plain', 'slow'])('What is told of an operation (%s)', (api) => {
  it.each([
    ['{ a }', 'query', 1],
    ['{ a b }', 'query', 2],
    ['{ things { id part { id } } }', 'query', 6],
    ['{ x: things { id } y: things { id } }', 'query', 6],
    ['{ fails }', 'query', 1],
    ['{ nothing: __typename }', 'query', 1],
    ['mutation { add two: add }', 'mutation', 2],
    ['query ($n: Int!) { b(n: $n) }', 'query', 0],
  ])('%s: its kind, and the fields of its answer', async (query, kind, fields) => {
    for (let i = 0; i < 12; i++) {
      told.length = 0;
      await ask(query, { api });
      expect(toldTo('executed')).toEqual([[kind, fields]]);
      expect(toldTo('query')).toHaveLength(kind === 'query' ? 1 : 0);
    }
  });

  it('whether its document was known, once for each request', async () => {
    const query = `{ ${api}: a }`;
    for (let i = 0; i < 3; i++) await ask(query, { api });
    await get(query, { api });
    expect(toldTo('lookup')).toEqual([[false], [true], [true], [true]]);
    told.length = 0;
    for (let i = 0; i < 2; i++) await ask('{ nope }', { api });
    expect(toldTo('lookup')).toEqual([[false], [false]]);
    expect(toldTo('executed')).toEqual([]);
    await ask(query, { api, accept: 'text/html' });
    expect(toldTo('executed')).toEqual([]);
  });

  it('what of it is deprecated', async () => {
    await ask('{ old(n: 1) again: old a }', { api });
    expect(toldTo('deprecated')).toEqual([['Query.old'], ['Query.old(n:)']]);
  });

  it('its name, as far as it is logged', async () => {
    await ask('{ a }', { api });
    await ask('query Short { a }', { api });
    await ask(`query ${'N'.repeat(60)} { a }`, { api });
    await ask(`query ${'N'.repeat(61)} { a }`, { api });
    const names = exchanges.map(({ graphql }) => graphql);
    expect(names).toEqual([undefined, 'Short', 'N'.repeat(60), 'N'.repeat(60)]);
  });

  it('why it failed, and in which request', async () => {
    const { text } = await ask('{ fails busy }', { api });
    const { errors } = JSON.parse(text);
    expect(errors.map(({ extensions }: { extensions: object }) => extensions)).toEqual([
      { code: 'INTERNAL_SERVER_ERROR' },
      { code: 'UNAVAILABLE' },
    ]);
    const [{ id } = { id: '' }] = exchanges;
    const found = toldTo('failure').map(([cause, request]) => [String(cause), request]);
    expect(found).toEqual([
      ['Error: the cause', id],
      ['the cause of it', id],
    ]);
    expect(id).not.toBe('');
  });
});

describe('A request that fails before there is an operation', () => {
  it('is refused by the contract of the API, which names all that is wrong', async () => {
    const found = await ask('{ a }', { api: 'faulty' });
    const message = 'The request is not a GraphQL request: /body/x is wrong, /body/y is, too';
    expect(found).toMatchObject({ status: 400, text: refusal(message) });
    expect(toldTo('failure')).toEqual([]);
  });

  it('is 503 where the server is busy', async () => {
    const found = await ask('{ a }', { api: 'busy' });
    const text = refusal('The server cannot answer now; try again later.', 'UNAVAILABLE');
    expect(found).toMatchObject({ status: 503, text, headers: { 'retry-after': '1' } });
    expect(toldTo('failure')).toEqual([]);
  });

  it('is 500 where the server fails, which tells its log', async () => {
    const found = await ask('{ a }', { api: 'broken' });
    const text = refusal('Internal server error', 'INTERNAL_SERVER_ERROR');
    expect(found).toMatchObject({ status: 500, text });
    const [failure] = toldTo('failure');
    expect([String(failure?.[0]), failure?.[1]]).toEqual(['Error: the cause', exchanges[0]?.id]);
  });

  it('is 413 where it is too large', async () => {
    const found = await send(`{"query":"${'x'.repeat(300_000)}"}`);
    expect(found.status).toBe(413);
    expect(JSON.parse(found.text).errors[0].extensions).toEqual({ code: 'BAD_REQUEST' });
  });
});

describe('Variables nest at most 100 levels deep', () => {
  const nested = `${'['.repeat(101)}${']'.repeat(101)}`;
  const body = `{"query":"{ a }","variables":{"v":${nested}}}`;

  it.each([
    ['[Int]', 400],
    ['[Int!]!', 400],
    ['Box', 400],
    ['Any!', 400],
    ['Int', 200],
    ['ID!', 200],
    ['Colour', 200],
  ])('where an argument takes %s: %i', async (api, status) => {
    const found = await send(body, { api });
    expect(found.status).toBe(status);
    expect(found.text.includes('must not nest more than 100 levels deep')).toBe(status === 400);
  });
});
