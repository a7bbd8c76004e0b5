// engines: sqlite
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { conventionsOf } from '../../../src/kit/cli/add/conventions.ts';
import {
  columnType,
  exampleOf,
  fieldSchema,
  sdlType,
} from '../../../src/kit/cli/add/field-forms.ts';
import { withCollection } from '../../../src/kit/cli/add/openapi-draft.ts';
import { fieldOf, namesOf } from '../../../src/kit/cli/add/resource-fields.ts';
import { withType } from '../../../src/kit/cli/add/sdl-draft.ts';

describe('a field', () => {
  it.each([
    ['a:integer(-2147483648..2147483647)', 'int32', 'Int'],
    ['a:integer(0..2147483648)', 'int64', 'Float'],
    ['a:integer(-2147483649..0)', 'int64', 'Float'],
    ['a:integer(-2147483649..2147483648)', 'int64', 'Float'],
  ])('%s has as many bits as it needs', (text, format, type) => {
    const field = fieldOf(text, []);
    expect(fieldSchema(field).format).toBe(format);
    expect(sdlType(field, 'Kind')).toBe(type);
  });

  it.each([
    ['a:string(1000)', 'text'],
    ['a:string(1001)', 'long text'],
    ['a:text(5)', 'long text'],
    ['a:string(1001)[]?', 'json?'],
  ])('%s is stored as %s', (text, type) => {
    expect(columnType(fieldOf(text, []))).toBe(type);
  });

  it.each([
    ['kind:enum(a|b|c)', ['a', 'b']],
    ['kind:enum(a)', ['a', 'a']],
    ['name:string(20..30)', ['Name 1..............', 'Name 2..............']],
    ['name:string(4)', ['Name', 'Name']],
    ['count:integer(0)', [0, 0]],
    ['rate:number(2..9)', [2, 2.5]],
    ['tags:enum(a|b)[]', [['a'], ['b']]],
  ])('%s has examples within its bounds', (text, values) => {
    const field = fieldOf(text, []);
    expect([exampleOf(field, 1), exampleOf(field, 2)]).toEqual(values);
  });

  it.each(['a:text()', 'a:integer(..5)', 'a:integer(1..)', 'a:number()'])(
    'is refused without a bound: %s',
    (text) => {
      expect(() => fieldOf(text, [])).toThrow('takes bounds such as (200) or (1..5)');
    },
  );

  it('has values only where it is an enum', () => {
    expect(fieldOf('stars:integer(1..5)', []).values).toEqual([]);
  });
});

it('one of the flies is a fly', () => {
  expect(namesOf('flies', undefined).one).toBe('fly');
});

describe('a collection of the contract', () => {
  const info = 'openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\n';
  const all = {
    '/books': { get: { responses: {} }, post: { responses: { 409: { description: 'There.' } } } },
    '/books/{id}': { get: {}, put: {}, delete: {} },
  };
  const documentWith = (paths: unknown) => ({ ...parse(info), paths });

  it('is followed, whatever its operations leave out', () => {
    const { isOwn, listed, created } = conventionsOf(documentWith(all));
    expect([isOwn, listed, created.failures]).toEqual([
      false,
      { parameters: [], headers: {}, failures: {} },
      { 409: { description: 'There.' } },
    ]);
  });

  it.each([
    ['/books', 'get'],
    ['/books', 'post'],
    ['/books/{id}', 'get'],
    ['/books/{id}', 'put'],
    ['/books/{id}', 'delete'],
  ] as const)('is not followed where %s lacks %s', (path, method) => {
    const { [method]: _, ...others } = Object(all[path]);
    expect(conventionsOf(documentWith({ ...all, [path]: others })).isOwn).toBe(true);
  });

  it('is drafted without a tag where there are none', () => {
    for (const tags of ['', 'tags: []\n']) {
      const text = `${info}${tags}paths: {}\n`;
      const made = withCollection(text, parse(text), namesOf('books', undefined), [
        fieldOf('a:boolean', []),
        fieldOf('b:boolean?', []),
      ]);
      expect(parse(made).tags).toEqual(tags === '' ? undefined : []);
      expect(parse(made).components.schemas.BookInput.required).toEqual(['a']);
    }
  });
});

it('an SDL needs a type for mutations only where they are drafted', () => {
  const sdl = 'schema { query: Q }\ntype Q { a: Int }\n';
  const made = withType(sdl, namesOf('books', undefined), [fieldOf('a:boolean', [])], {
    mutations: false,
  });
  expect(made).toContain('books: [Book!]!');
  expect(made).not.toContain('createBook');
});
