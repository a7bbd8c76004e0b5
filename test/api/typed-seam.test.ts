// long: compiles the project
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { compileWith } from '../support/compile.ts';

const file = 'src/api/handlers.ts';
const line = '    getBook: books.get,\n';

/** What `npm run check` says when the line of getBook is another. */
const complaints = (replacement: string) =>
  compileWith(file, (text) => {
    if (!text.includes(line)) throw new Error(`${file} has no line for getBook`);
    return `import { json } from '../kit/json-text.ts';\nexport const used = json;\n${text.replace(line, replacement)}`;
  });

describe('the compiler', () => {
  it('has nothing to say about the handlers as they are', () => {
    expect(complaints(line)).toEqual([]);
  });

  it.each([
    ['a missing handler', ''],
    [
      'an undeclared status',
      "getBook: () => ({ status: 299, headers: { ETag: '' }, body: undefined }) as const,\n",
    ],
    ['a body of another shape', 'getBook: tasks.get,\n'],
    [
      'a body that is not JSON',
      "getBook: () => ({ status: 200, headers: { ETag: '' }, body: '{}' }) as const,\n",
    ],
    [
      'a body with a property too many',
      "getBook: () => ({ status: 200, headers: { ETag: '' }, body: json({ id: 1, title: '', pages: 1, isbn: 1 }) }) as const,\n",
    ],
    [
      'a missing header',
      'getBook: async () => ({ status: 304, headers: {}, body: undefined }) as const,\n',
    ],
    [
      'an input that the contract does not give',
      'getBook: ({ query }) => ({ status: query.colour }),\n',
    ],
  ])('refuses %s and names the operation', (_, replacement) => {
    const found = complaints(replacement);
    expect(found.length).toBeGreaterThan(0);
    expect(found.join('\n')).toContain('getBook');
  });

  it('refuses a handler for an operation that the contract does not have', () => {
    expect(complaints(`${line}getShelf: books.get,\n`).join()).toContain('getShelf');
  });

  it.each([
    [/ {4}todos: .*\n/, 'todos'],
    [/ {4}addTodo: [\s\S]*?\n {4}},\n/, 'addTodo'],
    [/ {4}posts: [\s\S]*?,\n/, 'posts'],
    [/ {4}comments: [\s\S]*?,\n/, 'comments'],
  ])('refuses resolvers without %s and names it', (resolver, name) => {
    const found = compileWith('src/api/resolvers.ts', (text) => {
      if (!resolver.test(text)) throw new Error(`there is no resolver for ${name}`);
      return text.replace(resolver, '');
    });
    expect(found.join()).toContain(name);
    expect(found.join()).toContain('missing');
  });

  it('asks for no resolver where the record has the field', () => {
    const without = (text: string) => text.replace(/ {4}email: [\s\S]*?\n {4}},\n/, '');
    expect(compileWith('src/api/resolvers.ts', without)).toEqual([]);
  });

  it('refuses a table that lacks a field of its record', () => {
    const found = compileWith('src/api/tables.ts', (text) =>
      text.replace(", pages: 'integer'", ''),
    );
    expect(found.join()).toContain('pages');
  });

  it.each([
    ['of another type', "pages: 'text'"],
    ['that no column can hold', "pages: 'integer', tags: 'text'"],
  ])('refuses a table with a field %s', (_, replacement) => {
    const found = compileWith('src/api/tables.ts', (text) =>
      text
        .replace("pages: 'integer'", replacement)
        .replace("export type Book = Schemas['Book']", '$& & { tags: string[] }'),
    );
    expect(found.length).toBeGreaterThan(0);
  });
});

it('the compiler is the one that npm run check runs', () => {
  expect(ts.version).toMatch(/^5\.9/);
});
