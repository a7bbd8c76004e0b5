// engines: sqlite
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/kit/errors.ts';
import { askedBy, nextQuery, rangeOf } from '../../../src/kit/rest/list-question.ts';
import { listContract, serveLists } from '../../support/list-server.ts';

describe('the query of a list', () => {
  it('asks for comparisons, an order and a page', () => {
    const asked = { size: 1, 'size[gt]': 2, name: 'x', sort: '-size,name', limit: 3, after: 'c' };
    expect(rangeOf(asked)).toEqual({
      where: { size: { eq: 1, gt: 2 }, name: { eq: 'x' } },
      sort: [
        { field: 'size', isDescending: true },
        { field: 'name', isDescending: false },
      ],
      limit: 3,
      after: 'c',
    });
    expect(rangeOf({})).toEqual({});
    expect(rangeOf({ sort: ['size', '-name'] }).sort).toHaveLength(2);
  });

  it.each([
    ['a[b', { 'a[b': { eq: 1 } }],
    ['a]', { 'a]': { eq: 1 } }],
    ['a[gt]', { a: { gt: 1 } }],
    ['[gt]', { '': { gt: 1 } }],
  ])('names a field by %s', (name, where) => {
    expect(rangeOf({ [name]: 1 }).where).toEqual(where);
  });

  it('is that of the next page but for its cursor', () => {
    const query = {
      a: 'x y',
      after: 'c',
      'n[in]': [1, 2],
      sort: ['-a', 'b'],
      none: null,
      limit: 1,
    };
    expect(nextQuery(query, 'a&b')).toBe(
      'a=x%20y&n%5Bin%5D=1,2&sort=-a,b&none=&limit=1&after=a%26b',
    );
  });

  const fails = (query: object, error: unknown) => {
    try {
      return askedBy({ ...query }, () => {
        throw error;
      });
    } catch (thrown) {
      return thrown;
    }
  };
  const notAnId = 'must be an integer in decimal digits';

  it.each([
    [{ 'size[gt]': 1 }, '/where/size', '/query/size[gt]', 'is no size'],
    [{ name: 1, size: 1 }, '/where/size', '/query/size', 'is no size'],
    [{ name: 1 }, '/where/size', '/query/where', 'is no size'],
    [{ after: 'x', sort: 'a' }, '/after', '/query/after', 'is no size'],
    [{ after: 'x' }, '/after', '/query/after', notAnId],
    [{ limit: 1, sort: 'a' }, '/limit', '/query/limit', 'is no size'],
    [{ limit: 1 }, '/limit', '/query/limit', 'is no size'],
  ])('is told what is wrong in its own names: %j', (query, path, place, message) => {
    const errors = [{ path, message: 'is no size' }];
    const told = fails(query, new ApiError('invalid-request', { errors }));
    expect(told).toMatchObject({ code: 'invalid-request', errors: [{ path: place, message }] });
  });

  it.each([new ApiError('unavailable'), new Error('the disk is full')])(
    'has no part in %s',
    (error) => {
      expect(fails({ size: 1 }, error)).toBe(error);
    },
  );
});

describe('a list', () => {
  const sort = /schema: \{ type: array, items: \{ enum: [^}]*\} \}/;
  const start = (openapi: string) => serveLists({ openapi });

  it('may have one field to sort by, and parameters of other places', async () => {
    const openapi = listContract
      .replace(sort, 'schema: { type: string, enum: [size, -size] }')
      .replace(
        '- name: sort',
        '- { in: header, name: X-Tags, schema: { type: array, items: { type: string } } }\n        - name: sort',
      );
    const server = await start(openapi);
    const fields = { weight: null, isDone: true, seenAt: null, kind: 'A', body: '' } as const;
    for (const size of [2, 3, 1]) await server.store.things.create({ ...fields, name: '', size });
    const sizes = async (query: string) => {
      const things = Object(await (await fetch(`${server.url}/things${query}`)).json());
      return things.map((each: { readonly size: number }) => each.size);
    };
    expect(await sizes('?sort=size')).toEqual([1, 2, 3]);
    expect(await sizes('?sort=-size')).toEqual([3, 2, 1]);
    expect(await sizes('')).toEqual([2, 3, 1]);
    await server.stop();
  });

  it('may have its fields in a schema of their own', async () => {
    const openapi = `${listContract.replace(
      sort,
      "schema: { type: array, items: { $ref: '#/components/schemas/Field' } }",
    )}components: { schemas: { Field: { enum: [size, -size] } } }\n`;
    await (await start(openapi)).stop();
    await expect(start(openapi.replace('[size, -size]', '[size, body]'))).rejects.toThrow(
      'the parameter sort needs the sort field body, which the table things does not declare',
    );
  });

  it.each(['style: pipeDelimited', 'style: spaceDelimited'])(
    'has no values by %s',
    async (style) => {
      const openapi = listContract.replace('name: sort\n', `name: sort\n          ${style}\n`);
      await expect(start(openapi)).rejects.toThrow(
        'list_things: the parameter sort needs explode: false',
      );
    },
  );
});
