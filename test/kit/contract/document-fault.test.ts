import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { faultOf, shown, unknownName } from '../../../src/kit/contract/document-fault.ts';
import { editDistance, nearest } from '../../../src/kit/contract/edit-distance.ts';

const done = { 200: { description: '' } };
const get = (more: object) => ({ paths: { '/a': { get: { responses: done, ...more } } } });
const answer = (more: object) => get({ responses: { 200: { description: '', ...more } } });
const part = (kind: string, value: object) => ({ components: { [kind]: { A: value } } });

/** What is said of a document with these members. */
async function saidOf(members: object, openapi = '3.1.0'): Promise<string> {
  const document = { openapi, info: { title: 'T', version: '1' }, paths: {}, ...members };
  const refused = parseContract(JSON.stringify(document)).then(() => 'nothing');
  return (await refused.catch(({ message }) => message)).replace(/^openapi\.yaml:\d+:\d+: /, '');
}

describe('a fault names the part that it is in:', () => {
  it.each([
    [
      get({ parameters: [{ in: 'query', schema: {} }] }),
      'found no "name" in a parameter, expected one',
    ],
    [get({ responses: { 200: {} } }), 'found no "description" in a response, expected one'],
    [
      answer({ headers: { A: { schema: {}, requierd: true } } }),
      'unknown property "requierd" in a header; did you mean "required"?',
    ],
    [
      answer({ content: { 'a/b': { schem: {} } } }),
      'unknown property "schem" in a media type; did you mean "schema"?',
    ],
    [part('requestBodies', {}), 'found no "content" in a request body, expected one'],
    [
      part('securitySchemes', { type: 'apiKey', in: 'query' }),
      'found no "name" in a security scheme, expected one',
    ],
    [{ tags: [{}] }, 'found no "name" in a tag, expected one'],
    [{ servers: [{}] }, 'found no "url" in a server, expected one'],
    [{ info: { title: 'T' } }, 'found no "version" in "info", expected one'],
    [
      { paths: { '/a': { getter: {} } } },
      'unknown property "getter" in a path; did you mean "get"?',
    ],
    [
      get({ respnses: {} }),
      'unknown property "respnses" in an operation; did you mean "responses"?',
    ],
    [
      part('pathItems', { get: { respnses: {} } }),
      'unknown property "respnses" in "get"; did you mean "responses"?',
    ],
    [{ pathes: {} }, 'unknown property "pathes" in the document; did you mean "paths"?'],
  ])('%j: %s', async (members, said) => {
    expect(await saidOf(members)).toBe(said);
  });

  it('a schema of OpenAPI 3.0', async () => {
    expect(await saidOf(part('schemas', { minLenght: 1 }), '3.0.3')).toBe(
      'unknown property "minLenght" in a schema; did you mean "minLength"?',
    );
  });
});

it.each([
  ['4.0.0', 'found "4.0.0", expected a version such as 3.1.0'],
  ['3.9.0', 'found "3.9.0", expected a version such as 3.1.0'],
  ['3.1', 'found "3.1", expected a version such as 3.1.0'],
  [3.1, 'found 3.1, expected text with a version such as 3.1.0'],
  [null, 'found nothing, expected text with a version such as 3.1.0'],
  [undefined, 'found no "openapi", expected text with a version such as 3.1.0'],
])('the version %j is refused', async (openapi, line) => {
  expect(await saidOf({ openapi })).toBe(line);
});

describe('of several errors the cause is told:', () => {
  const error = (keyword: string, more: object = {}) => ({
    ...{
      keyword,
      instancePath: '/a~1b/0',
      schemaPath: '',
      params: {},
      data: 'x',
      message: 'must fit',
    },
    ...more,
  });
  const unknown = error('unevaluatedProperties', {
    params: { unevaluatedProperty: 'c' },
    parentSchema: { properties: { d: {} }, patternProperties: { '^x-': {} } },
  });
  const extra = (parentSchema?: object) =>
    error('additionalProperties', { params: { additionalProperty: 'zzzz' }, parentSchema });

  it.each([
    [
      [error('if'), unknown, error('enum', { params: { allowedValues: [1, 2] } })],
      'found "x", expected one of 1, 2',
    ],
    [[error('if'), unknown], 'unknown property "c" in "0"; did you mean "d"?'],
    [[error('if')], 'found "x", which must fit'],
    [
      [error('type', { params: { type: ['array', 'object', 'string'] } })],
      'found "x", expected a list or an object or a string',
    ],
    [
      [error('type', { params: { type: 'integer' }, data: [] })],
      'found a list, expected an integer',
    ],
    [[error('const', { params: { allowedValue: 'a' } })], 'found "x", expected "a"'],
    [
      [error('pattern', { params: { pattern: '^a$' } })],
      'found "x", expected text that matches ^a$',
    ],
    [[extra()], 'unknown property "zzzz" in "0"'],
    [
      [extra({ properties: { a: {}, b: {} } })],
      'unknown property "zzzz" in "0"; expected one of a, b',
    ],
    [
      [extra({ patternProperties: { '^x-': {}, '^/': {}, '^a': {} } })],
      'unknown property "zzzz" in "0"; expected a name like ^/ or ^a',
    ],
    [
      [extra({ properties: { zzz: {} }, patternProperties: { '^a': {} } })],
      'unknown property "zzzz" in "0"; did you mean "zzz"?',
    ],
  ])('%#: %s', (errors, message) => {
    expect(faultOf(errors)?.message).toBe(message);
  });

  it('with its place, below the one that is given', () => {
    expect(faultOf([error('required', { params: { missingProperty: 'z' } })], ['top'])).toEqual({
      ...{ path: ['top', 'a/b', '0'], at: 'key', message: 'found no "z" in "0", expected one' },
    });
    expect(faultOf([unknown], ['top'])).toMatchObject({
      path: ['top', 'a/b', '0', 'c'],
      at: 'key',
    });
    expect(faultOf([error('if')])).toMatchObject({ path: ['a/b', '0'], at: 'value' });
    expect(faultOf([])).toBeUndefined();
  });

  it('all names are told where they are few', () => {
    const names = Array.from({ length: 16 }, (_, i) => `name-${i}`);
    const said = (known: readonly string[]) => unknownName(['a', 'zz'], 'part "zz"', known).message;
    expect(said(names.slice(1))).toBe(
      `unknown part "zz"; expected one of ${names.slice(1).join(', ')}`,
    );
    expect(said(['name'])).toBe('unknown part "zz"; expected one of name');
    expect([said(names), said([])]).toEqual(['unknown part "zz"', 'unknown part "zz"']);
  });

  it.each([
    [[1], 'a list'],
    [null, 'nothing'],
    [undefined, 'nothing'],
    [{}, 'an object'],
    [false, 'false'],
    ['a'.repeat(59), `"${'a'.repeat(59)}`],
  ])('%j is shown as %s', (value, text) => {
    expect(shown(value)).toBe(text);
  });
});

describe('the distance of two words is how many letters are added, left out, changed or swapped:', () => {
  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['abc', 'abcd', 1],
    ['abcd', 'bcd', 1],
    ['abc', 'axc', 1],
    ['abc', 'acb', 1],
    ['ab', 'ba', 1],
    ['abcd', 'badc', 2],
    ['ca', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['aab', 'baa', 2],
  ])('%s, %s: %i', (a, b, distance) => {
    expect([editDistance(a, b), editDistance(b, a)]).toEqual([distance, distance]);
  });

  it.each([
    ['ab', ['xb'], 'xb'],
    ['ab', ['xy'], undefined],
    ['abc', ['xyc'], 'xyc'],
    ['abc', ['xyz'], undefined],
    ['abcdef', ['xyzdef'], 'xyzdef'],
    ['abcdef', ['wxyzef'], undefined],
    ['name', ['nose', 'nam', 'NAME'], 'NAME'],
    ['NAM', ['name'], 'name'],
    ['a', [], undefined],
  ])('%s among %j probably means %s', (name, known, meant) => {
    expect(nearest(name, known)).toBe(meant);
  });
});
