import { describe, expect, it } from 'vitest';
import { parseContract, readContract } from '../../../src/kit/contract/contract.ts';
import { violations } from '../../../src/kit/contract/response-check.ts';
import type { ApiResponse } from '../../support/client.ts';

const contract = await readContract(new URL('../../../openapi.yaml', import.meta.url));
const book = { id: 1, title: 'Ubik', pages: 202 };
const sound: ApiResponse = {
  status: 200,
  headers: { 'content-type': 'application/json', etag: '"1"' },
  text: JSON.stringify(book),
  json: book,
};
const check = (changed: Partial<ApiResponse>, method = 'GET', path = '/books/1') =>
  violations(contract, method, path, { ...sound, ...changed });
const headers = (changed: object) => ({ headers: { ...sound.headers, ...changed } });

/** 10. The validator would look at the bodies of `res.json` only; every test looks at all of a response. */
describe('a response', () => {
  it('as the contract declares it has nothing wrong', () => {
    expect(check({})).toEqual([]);
    expect(check({ status: 204, headers: {}, text: '', json: undefined }, 'DELETE')).toEqual([]);
  });

  it.each([
    ['an undeclared status', { status: 299 }, 'status 299 is not declared'],
    ['a missing header', headers({ etag: undefined }), 'header ETag is missing'],
    ['a malformed header', headers({ etag: '1' }), 'header ETag must match pattern'],
    ['another media type', headers({ 'content-type': 'text/html' }), 'Content-Type text/html'],
    ['no media type', headers({ 'content-type': undefined }), 'is not declared'],
    ['a missing property', { json: { id: 1, title: 'Ubik' } }, "required property 'pages'"],
    ['a property too many', { json: { ...book, isbn: 1 } }, 'must NOT have additional properties'],
    ['a property of another type', { json: { ...book, pages: '202' } }, '/pages must be integer'],
    ['a body that is not JSON', { json: undefined }, 'must be object'],
  ])('with %s is noticed', (_, changed, reason) => {
    expect(check(changed).join()).toContain(reason);
  });

  it('with a body where none is declared is noticed', () => {
    expect(check({ status: 204, text: '{}' }, 'DELETE')).toEqual(['a body where none is declared']);
    expect(check({ text: '{}' }, 'HEAD')).toEqual(['a body in answer to HEAD']);
  });

  it('to a path that the contract does not have is a problem, and 404 or 400', () => {
    expect(check({ status: 200 }, 'GET', '/nothing')).toEqual(['status 200 is not declared']);
    expect(check({ status: 404 }, 'GET', '/nothing').length).toBeGreaterThan(0);
  });

  it('may be declared by a range of statuses, by default, or for a path without an operation not at all', async () => {
    const own = await parseContract(`
openapi: 3.1.0
info: { title: x, version: 1.0.0 }
paths:
  /x:
    description: A path with a description
    get:
      operationId: x
      responses: { 2XX: { description: x }, default: { description: x, content: { text/plain: {} } } }`);
    const answer = { ...sound, text: '', headers: { 'content-type': 'text/plain' } };
    const found = (method: string, path: string, status: number) =>
      violations(own, method, path, { ...answer, status });
    expect([found('GET', '/x', 204), found('GET', '/x', 404)]).toEqual([[], []]);
    expect(found('POST', '/x', 405)).toEqual([]);
    expect([found('GET', '/y', 404), found('GET', '/y', 400)]).toEqual([[], []]);
    expect(found('GET', '/y', 200)).toEqual(['status 200 is not declared']);
  });
});
