// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listContract, listSdl, serveLists } from '../support/list-server.ts';

describe('the server does not start', () => {
  const sorted = (text: string) =>
    listContract.replace('name: sort\n          in: query\n          explode: false', text);

  it.each([
    [
      'a filter of a field that the table does not have',
      listContract.replace('name: size,', 'name: volume,'),
      'list_things: the parameter volume needs the filter volume, which the table things does not declare',
    ],
    [
      'a comparison that there is not',
      listContract.replace('size[gt]', 'size[above]'),
      'list_things: the parameter size[above] needs the comparison above, which there is not',
    ],
    [
      'text in a number',
      listContract.replace('size[gt]', 'size[contains]'),
      'list_things: the parameter size[contains] needs text in things.size, which is integer',
    ],
    [
      'an order by a field that the table does not declare',
      listContract.replace('enum: [id,', 'enum: [body,id,'),
      'list_things: the parameter sort needs the sort field body, which the table things does not declare',
    ],
    [
      'an order by any text',
      listContract.replace(
        /schema: \{ type: array, items: \{ enum: [^}]*\} \}/,
        'schema: { type: string }',
      ),
      'list_things: the parameter sort needs an enum of fields',
    ],
    [
      'a list of fields that is not one text',
      sorted('name: sort\n          in: query'),
      'list_things: the parameter sort needs explode: false',
    ],
    [
      'a list where one value is compared',
      listContract
        .replace('"size[in]"', '"size[gt]"')
        .replace('"size[gt]", schema', '"size[in]", schema'),
      'list_things: the parameter size[gt] cannot be array for gt',
    ],
  ])('where the OpenAPI description has %s', async (_, openapi, line) => {
    await expect(serveLists({ openapi })).rejects.toThrow(line);
  });

  it.each([
    [
      'a filter of a field that the table does not have',
      listSdl.replace('size: sizeTest', 'volume: sizeTest'),
      'Query.things(where:) needs the filter volume, which the table things does not declare',
    ],
    [
      'a comparison that there is not',
      listSdl.replace('input sizeTest { eq', 'input sizeTest { is'),
      'Query.things(where:) needs the comparison is, which there is not',
    ],
    [
      'a value where comparisons are expected',
      listSdl.replace('size: sizeTest', 'size: Int'),
      'Query.things(where:) has no comparisons in size',
    ],
    [
      'an order by a field that the table does not declare',
      listSdl.replace('enum Sort {', 'enum Sort { BODY'),
      'Query.things(sort:) has BODY, which the table things does not declare',
    ],
    [
      'an order by any text',
      listSdl.replace('things(where: Where, sort: [Sort!]', 'things(where: Where, sort: [String!]'),
      'Query.things(sort:) is no enum',
    ],
    [
      'conditions in a text',
      listSdl.replace('things(where: Where', 'things(where: String'),
      'Query.things(where:) is no input object',
    ],
  ])('where the SDL has %s', async (_, sdl, line) => {
    await expect(serveLists({ sdl })).rejects.toThrow(line);
  });
});

describe('a list', () => {
  let server: Awaited<ReturnType<typeof serveLists>>;
  beforeAll(async () => {
    server = await serveLists();
    const fields = { weight: null, isDone: true, seenAt: null, kind: 'A', body: '' } as const;
    for (let size = 0; size < 5; size++) {
      await server.store.things.create({ ...fields, name: `${size % 2}`, size });
    }
  });
  afterAll(() => server?.stop());

  const get = async (path: string) => {
    const response = await fetch(`${server.url}${path}`);
    return {
      status: response.status,
      link: response.headers.get('link'),
      json: Object(await response.json()),
    };
  };
  const graphql = async (query: string, variables = {}) => {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return Object(await response.json());
  };
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const cursors = [
    ['no cursor', 'x'],
    ['an id', '1'],
    ['the cursor of another order', encoded(['things -size,-id', 1, 1])],
    ['an id that is no number', encoded(['things size,id', 1, null])],
    ['an id as text', encoded(['things size,id', 1, '1'])],
    ['the cursor of another table', encoded(['parts size,id', 1, 1])],
    ['a value of another type', encoded(['things size,id', '1', 1])],
  ] as const;

  it.each(cursors)('after %s is refused in both protocols', async (_, after) => {
    const { status, json } = await get(`/things?sort=size&after=${after}`);
    expect(status).toBe(400);
    expect(json.errors).toEqual([
      { path: '/query/after', message: 'is not a cursor of this list' },
    ]);
    const { errors } = await graphql(
      'query ($after: String) { things(sort: SIZE, after: $after) { id parts(sort: SIZE, after: $after) { id } } }',
      { after },
    );
    expect(errors[0]).toMatchObject({
      message: 'Argument "after" is not a cursor of this list.',
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });

  it.each(['x', '-1', '01', '1.0', '0x1', ' 1', '1e0', '9007199254740992'])(
    'in order of id after %s is refused in both protocols',
    async (after) => {
      const { status, json } = await get(`/things?after=${encodeURIComponent(after)}`);
      expect(status).toBe(400);
      expect(json.errors).toEqual([
        { path: '/query/after', message: 'must be an integer in decimal digits' },
      ]);
      const { errors } = await graphql('query ($after: String) { things(after: $after) { id } }', {
        after,
      });
      expect(errors[0].extensions.code).toBe('BAD_USER_INPUT');
    },
  );

  it.each([
    ['/things?seenAt[gte]=0000-01-01T00:00:00%2B01:00', '/query/seenAt[gte]'],
    ['/things?name=a%00', '/query/name'],
  ])('with a value that no record can have is refused: %s', async (path, place) => {
    const { status, json } = await get(path);
    expect(status).toBe(400);
    expect(json.errors[0].path).toBe(place);
  });

  it.each([
    ['things(where: { size: null }) { id }', 'Argument "where.size" must not be null.'],
    ['things(where: { size: { gt: null } }) { id }', 'Argument "where.size.gt" must not be null.'],
    ['things(where: { size: { eq: null } }) { id }', 'Argument "where.size.eq" must not be null.'],
    ['things(first: -1) { id }', 'Argument "first" must not be negative.'],
    [
      'things(where: { seenAt: { gt: "now" } }) { id }',
      'Argument "where.seenAt" must be a date and time of RFC 3339.',
    ],
    [
      'things(where: { name: { eq: "\\u0000" } }) { id }',
      'Argument "where.name" must not contain U+0000 or lone surrogates.',
    ],
  ])('is refused in GraphQL: %s', async (field, message) => {
    const { errors } = await graphql(`{ ${field} }`);
    expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(server.log).toEqual([]);
  });

  it('takes null for an argument that is left out, and for a value that is not there', async () => {
    const all = await graphql(
      '{ things(where: null, sort: null, first: null, after: null) { id } }',
    );
    expect(all.data.things.length).toBe(5);
    const none = await graphql('{ things(where: { weight: { eq: null } }) { id } }');
    expect(none.data.things.length).toBe(5);
    expect((await get('/things?weight=')).json.length).toBe(5);
    const nobody = await graphql('{ things(first: 0) { id } }');
    expect(nobody.data.things).toEqual([]);
  });

  it('has a link to the next page with its filters and order', async () => {
    const { link } = await get('/things?name=1&size[in]=1,3&weight=&sort=-size,name&limit=1');
    const cursor = encoded(['things -size,name,id', 3, '1', 4]);
    expect(link).toBe(
      `</things?name=1&size%5Bin%5D=1,3&weight=&sort=-size,name&limit=1&after=${cursor}>; rel="next"`,
    );
  });

  it('costs what its `first` says, where the document says it', async () => {
    const parts = (first: string) => `{ things(first: 100) { parts(${first}) { id name } } }`;
    expect((await graphql(parts('first: 49'))).data.things.length).toBe(5);
    expect((await graphql(parts('first: 51'))).errors[0]).toMatchObject({
      message: 'Cost limit exceeded: an operation costs at most 10000.',
      extensions: { code: 'QUERY_TOO_COMPLEX' },
    });
  });

  it('gives each place of a document its own arguments', async () => {
    const { data } = await graphql(
      '{ things(first: 2) { id } last: things(sort: ID_DESC, first: 1) { id a: parts(first: 1) { id } b: parts(sort: SIZE) { id } } }',
    );
    expect(data).toEqual({ things: [{ id: '1' }, { id: '2' }], last: [{ id: '5', a: [], b: [] }] });
  });
});
