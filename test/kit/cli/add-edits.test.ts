// engines: sqlite
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { createSourceEdits } from '../../../src/kit/cli/add/source-edits.ts';
import { insertItem, insertMembers } from '../../../src/kit/cli/add/yaml-insert.ts';
import { fields, names } from '../../support/drafted-collection.ts';

describe('sources are changed as written', () => {
  const edits = createSourceEdits(ts, names, fields);
  const sources = {
    tables: [
      "import { collection } from 'accord';\n\ntype Schemas = components['schemas'];\nexport type Book = Schemas['Book'];\n\nexport const tables = {\n  books: collection<Book>({ title: 'text' }),\n} satisfies Tables;\n",
      "export const tables = {\n  'a-b': 1\n} as const satisfies Tables;\n",
      'const other = {};\nexport const tables = {} as Tables;\n',
      'export const tables = {\n  a: 1, // one\n  b: 2, // two\n};\n',
      "import { b } from 'b';\nexport const tables = {\n  a: 1,\n}\nexport type Store = StoreOf<typeof tables>;\n",
    ],
    handlers: [
      "export function createHandlers({ store }: Parts) {\n  const books = collectionHandlers('/books', store.books);\n  const tasks = collectionHandlers('/tasks', store.tasks);\n  return {\n    listBooks: books.list,\n\n    listTasks: tasks.list,\n    getTask: tasks.get,\n    other,\n  };\n}\n",
      'const books = collectionHandlers(1);\nexport const handlers = {\n  a: books.list\n};\nconst [b, c] = [1, 2];\n',
      'const books = collectionHandlers(1);\nexport const handlers = {\n  a: books.list // one, and last\n};\n',
      'const books = collectionHandlers(1);\nexport const handlers = {\n  a: books.list /* one, */, // and last\n};\n',
    ],
    resolvers: [
      'export const resolvers = { Query: {\n    book: (_, { id }, { store }) => byId(id, store.books.find),\n  } };\n',
      'export const resolvers = {\n  Query: {\n    a: 1,\n  },\n};\n',
      "import { listOf, recordOf } from 'accord';\nexport const resolvers = { Query: {} };\n",
      'export const resolvers = { Query: { a: recordOf(b) }, Mutation: {} };\n',
      'export const resolvers = { Query: { a: listOf(b) } };\n',
    ],
    demo: [
      "export async function seedDemo(store: Store) {\n  await store.books.create({ title: 'A' });\n  await store.books.create({ title: 'B' });\n  done();\n}\n",
      'export const seedDemo = () => createExamples(contract);\n',
    ],
    codegen: [
      "const config = {\n  mappers: {\n    Book: record('Book'),\n    Todo: '../src/tables.ts#Todo as TodoRecord',\n  },\n};\n",
      'const config = { mappers: {} };\n',
      'const config = {};\n',
    ],
  } as const;

  it('where there is a place', async () => {
    const texts = Object.entries(sources).flatMap(([name, all]) =>
      all.map((text) => `=== ${name}\n${edits[name as keyof typeof sources](`${name}.ts`, text)}`),
    );
    await expect(texts.join('\n')).toMatchFileSnapshot('expected/add-sources.txt');
  });

  it.each<[keyof typeof sources, string, string]>([
    ['tables', 'const a = 1;', 'x/it.ts has no object `tables`: add the order-lines by hand'],
    ['tables', 'const tables = { orderLines: 1 };', 'it.ts has orderLines already'],
    ['handlers', 'const a = 1;', 'x/it.ts has no call of `collectionHandlers` to follow'],
    ['handlers', 'const a = collectionHandlers(1);', 'x/it.ts has no handler of `a`'],
    [
      'handlers',
      'const a = collectionHandlers(1); const b = { c: a.list, deleteOrderLine: 1 };',
      'it.ts has deleteOrderLine already',
    ],
    ['resolvers', 'const Query = 7;', 'x/it.ts has no object `Query`'],
    ['resolvers', 'const Query = { orderLine: 1 };', 'it.ts has orderLine already'],
    ['resolvers', 'const Query = { orderLines: 1 };', 'it.ts has orderLines already'],
    ['demo', 'await other.books.create({});', 'x/it.ts has no call of `store.….create` to follow'],
  ])('%s: not %s', (name, text, message) => {
    expect(() => edits[name]('x/it.ts', text)).toThrow(message);
  });
});

describe('what is added to YAML and JSON', () => {
  it.each([
    ['a:\n  b: 1\n\n  c: 2\n', 'a:\n  b: 1\n\n  c: 2\n\n  x: { y: 1 }\n\n  z: [ 1, 2 ]\n'],
    ['a:\n  b:\n', 'a:\n  b:\n  x: { y: 1 }\n  z: [ 1, 2 ]\n'],
    ['a:\n  b: { c: 1 }', 'a:\n  b: { c: 1 }\n  x: { y: 1 }\n  z: [ 1, 2 ]\n'],
    [
      'a: {\n  b: 1\n}\n',
      'a: {\n  b: 1,\n  "x": {\n    "y": 1\n  },\n  "z": [\n    1,\n    2\n  ]\n}\n',
    ],
    ['{"a":{"b":1}}', '{"a":{"b":1, "x": {"y":1}, "z": [1,2]}}'],
    ['a: {}\n', 'a: { "x": {"y":1}, "z": [1,2]}\n'],
    ['', 'a: { x: { y: 1 }, z: [ 1, 2 ] }\n'],
    ['a:\n\n  b: 1\n', 'a:\n\n  b: 1\n  x: { y: 1 }\n  z: [ 1, 2 ]\n'],
    ['a:\n  c: 1\n  ? b\n', 'a:\n  c: 1\n  ? b\n  x: { y: 1 }\n  z: [ 1, 2 ]\n'],
  ])('%j stands at its end', (text, expected) => {
    const given = text === '' ? 'b: 1\n' : text;
    const wanted = text === '' ? `b: 1\na:\n  x: { y: 1 }\n  z: [ 1, 2 ]\n` : expected;
    expect(insertMembers(given, ['a'], { x: { y: 1 }, z: [1, 2] })).toBe(wanted);
  });

  it('stays in short lines', async () => {
    const long = { text: 'words '.repeat(30).trim(), more: { a: 1, b: 2, c: 3, d: 4 } };
    const values = {
      five: { a: 1, b: 2, c: 3, d: 4, e: 5 },
      four: long.more,
      long,
      wide: { a: 'b'.repeat(90) },
      deep: { a: { b: {} }, c: [{ d: 1 }] },
    };
    await expect(insertMembers('a:\n    b: 1\n', ['a'], values)).toMatchFileSnapshot(
      'expected/add-yaml.txt',
    );
  });

  it('is an object in one line of up to 105 characters', () => {
    const given = (text: string, path: string[], length: number) =>
      insertMembers(text, path, { x: { y: 'a'.repeat(length) } }).split('\n').length;
    expect([given('b: 1\n', [], 90), given('b: 1\n', [], 91)]).toEqual([3, 4]);
    const nested = 'a:\n    b: 1\n';
    expect([given(nested, ['a'], 86), given(nested, ['a'], 87)]).toEqual([4, 5]);
  });

  it('has no blanks at the end of a line, and the step of the text around it', () => {
    expect(insertMembers('a:\n  b: 1\n', ['a'], { x: 'one\n\ntwo\n' })).toBe(
      'a:\n  b: 1\n  x: |\n    one\n\n    two\n',
    );
    expect(insertMembers('{\n "b": 1\n}', [], { x: { y: 1 } })).toBe(
      '{\n "b": 1,\n "x": {\n   "y": 1\n }\n}',
    );
  });

  it('is nothing where nothing is given, and refused where there is no place', () => {
    expect(insertMembers('a: 1\n', ['a'], {})).toBe('a: 1\n');
    expect(() => insertMembers('a: 1\n', ['a'], { x: 1 })).toThrow('there is no object at a');
    expect(() => insertMembers('[1]', [], { x: 1 })).toThrow('there is no object at ');
    expect(() => insertMembers('a: [', ['a'], { x: 1 })).toThrow();
    expect(() => insertItem('a: 1\n', ['a'], 1)).toThrow('there is no list at a');
    expect(insertItem('a: []\n', ['a'], { b: 1 })).toBe('a: [ {"b":1}]\n');
    expect(insertItem('a: [\n    1\n  ]\n', ['a'], 2)).toBe('a: [\n    1,\n    2\n  ]\n');
    expect(insertItem('a:\n  - b\n', ['a'], [1, 2])).toBe('a:\n  - b\n  - [ 1, 2 ]\n');
    expect(insertItem('a:\n    - b: 1\n', ['a'], { c: 2 })).toBe(
      'a:\n    - b: 1\n    - { c: 2 }\n',
    );
  });
});
