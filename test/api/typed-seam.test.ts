import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { compileWith } from '../support/compile.ts';

const file = 'src/api/handlers.ts';
const line = '    getBook: books.get,\n';

/** What `npm run check` says when the line of getBook is another. */
const complaints = (replacement: string) =>
  compileWith(file, (text) => {
    if (!text.includes(line)) throw new Error(`${file} has no line for getBook`);
    return `import { json } from '../../store/json.ts';\nexport const used = json;\n${text.replace(line, replacement)}`;
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
    ['src/api/queries.ts', / {2}todos: [\s\S]*?\n {4}}\),\n/, 'todos'],
    ['src/api/mutations.ts', / {2}addTodo: [\s\S]*?\n {2}},\n/, 'addTodo'],
    ['src/api/relations.ts', / {2}posts: .*\n/, 'posts'],
    ['src/api/relations.ts', / {2}comments: .*\n/, 'comments'],
  ])('refuses %s without a resolver and names it', (file, resolver, name) => {
    const found = compileWith(file, (text) => {
      if (!resolver.test(text)) throw new Error(`${file} has no resolver for ${name}`);
      return text.replace(resolver, '');
    });
    expect(found.join()).toContain(name);
    expect(found.join()).toContain('missing');
  });

  it('asks for no resolver where the record has the field', () => {
    const without = (text: string) => text.replace(/ {2}email: [\s\S]*?\n {2}},\n/, '');
    expect(compileWith('src/api/relations.ts', without)).toEqual([]);
  });

  it('refuses a table that lacks a field of its record', () => {
    const found = compileWith('src/api/tables.ts', (text) =>
      text.replace(", pages: 'integer'", ''),
    );
    expect(found.join()).toContain('pages');
  });
});

it('the compiler is the one that npm run check runs', () => {
  expect(ts.version).toMatch(/^5\.9/);
});
