// engines: sqlite
// slow: loads the compiler
import fs, {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { addCommand } from '../../../src/kit/cli/add/add-command.ts';

const home = process.cwd();
const root = mkdtempSync(join(tmpdir(), 'add-tables-'));
afterAll(() => {
  process.chdir(home);
  rmSync(root, { recursive: true });
});

const declarations = new URL('../../../src/kit/store/table-declarations.ts', import.meta.url);
const api = (more = '') => `import { collection } from '${declarations.href}';
export const api = {
  tables: { books: collection({ title: 'text' }) },
  migrations: new URL('migrations/', import.meta.url),
  ${more}
};
`;
const openapi = `openapi: 3.1.0
info: { title: Sky, version: 1.0.0 }
paths: {}
components:
  schemas:
    Sun: { type: object, required: [heat], properties: { heat: { type: string } } }
`;
const sdl = 'type Query {\n  a: Sun\n}\n\ntype Sun {\n  heat: Int!\n}\n';
const project: Readonly<Record<string, string>> = {
  'openapi.yaml': openapi,
  'schema.graphql': sdl,
  'operations.graphql': 'query A {\n  a {\n    heat\n  }\n}\n',
  'codegen.ts': "const config = {\n  mappers: {\n    Book: '../src/tables.ts#Book',\n  },\n};\n",
  'package.json': '{ "accord": { "api": "src/api.mjs" } }',
  'src/api.mjs': api(),
  'src/tables.ts': "export const tables = {\n  books: collection<Book>({ title: 'text' }),\n};\n",
  'src/handlers.ts':
    "const books = collectionHandlers('/books', store.books);\nexport const handlers = {\n  listBooks: books.list,\n};\n",
  'src/resolvers.ts': 'export const resolvers = {\n  Query: {\n    a: one,\n  },\n};\n',
  'src/demo.ts': "await store.books.create({ title: 'A' });\n",
  'src/migrations/sqlite/001-books.sql':
    'CREATE TABLE books (id INTEGER PRIMARY KEY AUTOINCREMENT, version INTEGER NOT NULL DEFAULT 1, title TEXT NOT NULL) STRICT;\n',
  'src/migrations/postgres/001-books.sql': '-- The same.\n',
};

/** Goes to a new folder with the project, but for what is said; undefined is left out. */
function enter(changes: Readonly<Record<string, string | undefined>> = {}): void {
  const folder = mkdtempSync(join(root, 'project-'));
  for (const [name, text] of Object.entries({ ...project, ...changes })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    if (text !== undefined) writeFileSync(join(folder, name), text);
  }
  process.chdir(folder);
}

/** Every file of the project. */
function files(): Record<string, string> {
  const all = readdirSync('.', { recursive: true, withFileTypes: true });
  const names = all
    .filter((each) => each.isFile())
    .map((each) => relative('.', join(each.parentPath, each.name)));
  return Object.fromEntries(names.toSorted().map((name) => [name, readFileSync(name, 'utf8')]));
}

const fields = ['bookId:integer', 'name:string', 'kind:enum(A|B)?'];

/** Adds the moons: what the command says. */
async function add(): Promise<string[]> {
  let text = '';
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  try {
    await addCommand.run(['moons', ...fields]);
    return text.split('\n').slice(0, -2);
  } finally {
    spy.mockRestore();
  }
}

const wrote = ['sqlite', 'postgres'].map(
  (engine) => `wrote src/migrations/${engine}/002-moons.sql`,
);

describe('accord add in a project with tables', () => {
  it('changes all that a collection needs', async () => {
    enter();
    expect(await add()).toEqual([
      ...['changed schema.graphql', 'changed openapi.yaml', 'changed operations.graphql'],
      ...['changed src/tables.ts', 'changed src/handlers.ts', 'changed src/resolvers.ts'],
      ...['changed src/demo.ts', 'changed codegen.ts', ...wrote],
    ]);
    const { 'openapi.yaml': text = '', ...others } = files();
    const same = Object.keys(others).filter((name) => others[name] === project[name]);
    expect(same).toEqual([
      ...['package.json', 'src/api.mjs'],
      ...['src/migrations/postgres/001-books.sql', 'src/migrations/sqlite/001-books.sql'],
    ]);
    const { Moon, Sun } = parse(text).components.schemas;
    // What else differs is not for the draft to explain.
    expect([Moon['x-parity'], Sun['x-parity']]).toEqual([
      { id: 'It is integer and ID.', bookId: 'It is integer and ID.' },
      undefined,
    ]);
    const changed = Object.entries(others).filter(([name]) => !same.includes(name));
    await expect(
      changed.map(([name, each]) => `=== ${name}\n${each}`).join('\n'),
    ).toMatchFileSnapshot('expected/add-tables.txt');
  });

  it('leaves alone what an OpenAPI description alone does not need', async () => {
    enter({
      'package.json': '{ "accord": { "api": "src/api.mjs", "openapi": "openapi.yaml" } }',
      'src/resolvers.ts': undefined,
      'src/demo.ts': 'export const seedDemo = () => createExamples(contract);\n',
    });
    expect(await add()).toEqual([
      ...['changed openapi.yaml', 'changed src/tables.ts', 'changed src/handlers.ts', ...wrote],
    ]);
  });

  it('leaves alone what an SDL alone does not need', async () => {
    enter({
      ...{ 'openapi.yaml': undefined, 'codegen.ts': undefined, 'operations.graphql': undefined },
      ...{ 'src/handlers.ts': undefined, 'src/demo.ts': undefined },
    });
    expect(await add()).toEqual([
      ...['changed schema.graphql', 'changed src/tables.ts', 'changed src/resolvers.ts', ...wrote],
    ]);
  });

  it('is read with the files that a description is made of', async () => {
    enter({
      'openapi.yaml': openapi.replace('paths: {}', 'paths:\n  /a: { $ref: ./a.yaml }'),
      'a.yaml': 'get: { operationId: getA, responses: { 204: { description: None. } } }\n',
    });
    expect(await add()).toContain('changed openapi.yaml');
    expect(readFileSync('openapi.yaml', 'utf8')).toContain('  /moons:\n');
  });

  it('takes what is doubtful in an SDL where the API does', async () => {
    const doubtful = `directive @defer on FIELD\n${sdl}`;
    enter({ 'schema.graphql': doubtful });
    await expect(add()).rejects.toThrow('schema.graphql:1:1: ');
    expect(files()).toEqual({ ...project, 'schema.graphql': doubtful });
    enter({ 'schema.graphql': doubtful, 'src/api.mjs': api('lenient: true,') });
    expect(await add()).toContain('changed schema.graphql');
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    ['tables', { 'src/tables.ts': undefined }, 'there is no src/tables.ts: add the moons by hand'],
    ['handlers', { 'src/handlers.ts': undefined }, 'there is no src/handlers.ts: add the moons'],
    ['resolvers', { 'src/resolvers.ts': undefined }, 'there is no src/resolvers.ts: add the'],
    [
      'a path of its own',
      {
        'openapi.yaml': openapi.replace(
          'paths: {}',
          "paths: { '/moons/{key}': { parameters: [{ name: key, in: path, required: true, schema: { type: string } }], get: { responses: { 204: { description: None. } } } } }",
        ),
      },
      '/moons/{key} and /moons/{id} are the same path',
    ],
  ])('writes nothing where it lacks its place: %s', async (_, changes, message) => {
    enter(changes);
    const before = files();
    await expect(add()).rejects.toThrow(message);
    expect(files()).toEqual(before);
  });

  it.each<[string, (file: string) => void, string]>([
    [
      'there is no room',
      () => {
        throw new Error('no space left on device');
      },
      'no space left',
    ],
    // Whoever made it meanwhile: it is not overwritten.
    ['a new file is there', (file) => fs.closeSync(fs.openSync(file, 'w')), 'EEXIST'],
  ])('writes nothing where it cannot write all: %s', async (_, before, message) => {
    enter();
    const { writeFileSync: write } = fs;
    const spy = vi.spyOn(fs, 'writeFileSync').mockImplementation((file, ...others) => {
      if (String(file).includes('postgres')) before(String(file));
      write(file, ...others);
    });
    syncBuiltinESMExports();
    await expect(add())
      .rejects.toThrow(message)
      .finally(() => {
        spy.mockRestore();
        syncBuiltinESMExports();
      });
    expect(files()).toMatchObject(project);
    expect(Object.keys(files())).not.toContain('src/migrations/sqlite/002-moons.sql');
  });

  it('takes 200 words', async () => {
    enter();
    const many = Array.from({ length: 200 }, (_, i) => `f${i}:boolean`);
    await expect(addCommand.run(['moons', ...many])).rejects.toThrow(
      "does not take 'f199:boolean'",
    );
    expect(files()).toEqual(project);
  });
});
