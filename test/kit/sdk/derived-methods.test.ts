import { describe, expect, it } from 'vitest';
import { hasLimit, isConditional, writeOf } from '../../../src/kit/sdk/call-traits.ts';
import { modelOf } from '../../../src/kit/sdk/model.ts';
import { typeOf } from '../../../src/kit/sdk/typescript/types.ts';
import { knownContract } from '../../support/known-contract.ts';
import { text } from '../../support/schemas.ts';

const parameter = (name: string, place: string, required = false) => ({
  ...{ name, in: place, required, schema: text },
});
const answer = (type: string, more: object = {}) => ({
  200: { description: '', content: { 'application/json': { schema: { type } } }, ...more },
});
const etag = (required: boolean) => ({ headers: { ETag: { required, schema: text } } });
const link = (operationId: string, value = '$response.header.ETag') => ({
  links: { a: { operationId, parameters: { 'If-Match': value } } },
});
const read = {
  operationId: 'getShip',
  parameters: [parameter('id', 'path', true)],
  responses: answer('object', { ...etag(true), ...link('replaceShip') }),
};
const write = {
  operationId: 'replaceShip',
  parameters: [parameter('id', 'path', true), parameter('If-Match', 'header')],
  requestBody: { content: { 'application/json': {} } },
  responses: answer('object'),
};
const { requestBody: _, ...bodiless } = write;

async function groupOf(paths: object) {
  const info = { title: 'T', version: '1' };
  const components = { schemas: { List: { type: 'array', items: { type: 'boolean' } } } };
  const contract = await knownContract({ openapi: '3.1.0', info, paths, components });
  const { groups } = modelOf({ document: contract.document, schema: undefined, digest: '' });
  return groups[0] ?? expect.fail();
}

describe('what was read can be written back', () => {
  const other = { operationId: 'update', responses: answer('object') };
  const more = (operation: typeof read, ...parameters: object[]) => ({
    ...operation,
    parameters: [...operation.parameters, ...parameters],
  });
  const reading = (response: object) => ({ ...read, responses: answer('object', response) });

  it.each([
    ['where all fits', read, write, true],
    ['with options that need not be given', more(read, parameter('a', 'query')), write, true],
    ['not without an entity tag', reading(link('replaceShip')), write, false],
    [
      'not without one that is always there',
      reading({ ...etag(false), ...link('replaceShip') }),
      write,
      false,
    ],
    ['not without a link', reading(etag(true)), write, false],
    [
      'not by a link of something else',
      reading({ ...etag(true), ...link('replaceShip', '1') }),
      write,
      false,
    ],
    [
      'not by an operation that replaces nothing',
      reading({ ...etag(true), ...link('putShip') }),
      { ...write, operationId: 'putShip' },
      false,
    ],
    [
      'not by an operation that is not there',
      reading({ ...etag(true), ...link('replaceIt') }),
      write,
      false,
    ],
    ['not without If-Match', read, { ...write, parameters: read.parameters }, false],
    [
      'not with another header',
      read,
      { ...write, parameters: [...read.parameters, parameter('If-None-Match', 'header')] },
      false,
    ],
    ['not without a body', read, bodiless, false],
    ['not where the answers differ', read, { ...write, responses: answer('array') }, false],
    ['not where reading needs an option', more(read, parameter('a', 'query', true)), write, false],
    ['not where writing needs one', read, more(write, parameter('a', 'query', true)), false],
  ])('%s', async (_name, get, put, isWritten) => {
    const group = await groupOf({ '/ships/{id}': { get, put } });
    const call = group.calls.find(({ method }) => method === 'GET') ?? expect.fail();
    const expected = isWritten ? 'replaceShip' : undefined;
    expect([call.writtenBackBy, writeOf(group, call)?.operationId]).toEqual([expected, expected]);
  });

  it('not at another path, or where an operation is called so', async () => {
    const id = {
      ...write,
      parameters: [parameter('no', 'path', true), parameter('If-Match', 'header')],
    };
    const apart = await groupOf({ '/ships/{id}': { get: read }, '/ships/{no}/all': { put: id } });
    const named = await groupOf({
      '/ships/{id}': { get: read, put: write },
      '/ships': { get: other },
    });
    for (const { calls } of [apart, named]) {
      expect(calls.map(({ writtenBackBy }) => writtenBackBy)).not.toContain('replaceShip');
    }
  });

  it('only by what reads', async () => {
    const post = { ...read, requestBody: write.requestBody };
    const { calls } = await groupOf({ '/ships/{id}': { post, put: write } });
    expect(calls.map(({ writtenBackBy }) => writtenBackBy)).toEqual([undefined, undefined]);
  });
});

describe('a read may give nothing new', () => {
  const unchanged = { 304: { description: '' } };
  it.each([
    ['If-None-Match', false, unchanged, true],
    ['If-None-Match', true, unchanged, false],
    ['If-None-Match', false, {}, false],
    ['If-Match', false, unchanged, false],
  ])(
    'to those who send %s (required: %s) where it says so: %j',
    async (name, isNeeded, more, isSo) => {
      const responses = { ...answer('object'), ...more };
      const get = { parameters: [parameter(name, 'header', isNeeded)], responses };
      const { calls } = await groupOf({ '/ships': { get } });
      expect(calls.map(isConditional)).toEqual([isSo]);
    },
  );
});

describe('a list can be walked through', () => {
  const after = parameter('after', 'query');
  const linked = (schema: object, name = 'Link') => ({
    200: {
      description: '',
      headers: { [name]: { schema: text } },
      content: { 'application/json': { schema } },
    },
  });
  const items = { type: 'array', items: { type: 'integer' } };

  it.each([
    ['where it is linked to the next page', [after], linked(items), 'number'],
    ['where it is a component', [after], linked({ $ref: '#/components/schemas/List' }), 'boolean'],
    ['not without "after"', [], linked(items), undefined],
    ['not with "after" as a header', [parameter('after', 'header')], linked(items), undefined],
    ['not with another parameter', [parameter('afters', 'query')], linked(items), undefined],
    ['not without a link', [after], linked(items, 'Links'), undefined],
    ['not where it is no list', [after], linked(text), undefined],
    [
      'not where it is nothing',
      [after],
      { 204: { description: '', headers: { Link: { schema: text } } } },
      undefined,
    ],
  ])('%s', async (_name, parameters, responses, item) => {
    const get = { operationId: 'listShips', parameters, responses };
    const { calls } = await groupOf({ '/ships': { get } });
    expect(calls.map(({ pageOf }) => pageOf && typeOf(pageOf))).toEqual([item]);
  });

  it('not where an operation is called so', async () => {
    const get = { operationId: 'listShips', parameters: [after], responses: linked(items) };
    const post = { operationId: 'iterateShips', responses: { 204: { description: '' } } };
    const { calls } = await groupOf({ '/ships': { get, post } });
    expect(calls.map(({ name, pageOf }) => [name, pageOf])).toEqual([
      ['list', undefined],
      ['iterate', undefined],
    ]);
  });

  it('by one of two operations that would have the same name for it', async () => {
    const get = (operationId: string) => ({
      get: { operationId, tags: ['x'], parameters: [after], responses: linked(items) },
    });
    const { calls } = await groupOf({ '/a': get('listMoons'), '/b': get('moons') });
    expect(calls.map(({ name, pageOf }) => [name, pageOf && typeOf(pageOf)])).toEqual([
      ['listMoons', 'number'],
      ['moons', undefined],
    ]);
  });

  it.each([
    ['limit', 'query', true],
    ['limit', 'header', false],
    ['limits', 'query', false],
  ])('%s in %s says the size of a page: %s', async (name, place, isLimit) => {
    const get = { parameters: [parameter(name, place)], responses: linked(items) };
    const { calls } = await groupOf({ '/ships': { get } });
    expect(calls.map(hasLimit)).toEqual([isLimit]);
  });
});
