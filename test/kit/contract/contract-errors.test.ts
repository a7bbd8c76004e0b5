// long: starts a process for each contract
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as read } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const openapi = readFileSync(join(root, 'openapi.yaml'), 'utf8');
const sdl = readFileSync(join(root, 'schema.graphql'), 'utf8');

/** The line and column of the first place where a text stands. */
function placeOf(text: string, part: string): string {
  const lines = text.slice(0, text.indexOf(part)).split('\n');
  return `${lines.length}:${Number(lines.at(-1)?.length) + 1}`;
}

type Edit = readonly [what: string, from: string, to: string, at: string, message: string];

const edits: readonly Edit[] = [
  [
    'a list that is not closed',
    'tags: [books]',
    'tags: [books',
    'security: []',
    'not YAML: Flow sequence in block collection must be sufficiently indented and end with a ]; found "security: []"',
  ],
  [
    'a member named twice',
    '  title: Accord\n',
    '  title: Accord\n  title: Again\n',
    'title: Again',
    'not YAML: Map keys must be unique; found "title: Again"',
  ],
  [
    'a member named twice, as a number and as text',
    'title: Accord\n',
    "title: Accord\n  x-map: { 200: a, '200': b }\n",
    "'200': b",
    `not YAML: Map keys must be unique; found "x-map: { 200: a, '200': b }"`,
  ],
  [
    'an alias in the value of its own anchor',
    'title: Accord\n',
    'title: Accord\n  x-loop: &loop [*loop]\n',
    '*loop]',
    'found *loop in the value of its own anchor',
  ],
  [
    'an alias without an anchor',
    'title: Accord',
    'title: *name',
    '*name',
    'found *name, expected an anchor before it',
  ],
  [
    'an unknown property',
    '      responses:\n',
    '      respnses:\n',
    'respnses',
    'unknown property "respnses" in an operation; did you mean "responses"?',
  ],
  [
    'an unknown part of the components',
    '  schemas:\n    Id',
    '  shemas:\n    Id',
    'shemas',
    'unknown property "shemas" in "components"; did you mean "schemas"?',
  ],
  [
    'a path without a slash',
    '  /books:',
    '  books:',
    'books:',
    'unknown property "books" in "paths"; expected a name like ^/',
  ],
  [
    'a wrong type',
    'tags: [books]',
    'tags: books',
    'books\n      security',
    'found "books", expected a list',
  ],
  [
    'a value that is none of those allowed',
    'in: query',
    'in: querry',
    'querry',
    'found "querry", expected one of query, header, path, cookie',
  ],
  [
    'a missing property',
    '  title: Accord\n',
    '',
    'info:',
    'found no "title" in "info", expected one',
  ],
  [
    'a reference to nothing',
    '#/components/responses/InvalidParameters',
    '#/components/responses/InvalidParameter',
    '"#/components/responses/InvalidParameter"',
    'found "#/components/responses/InvalidParameter", which is not there; did you mean "InvalidParameters"?',
  ],
  [
    'a reference within a schema to nothing',
    'pages: { $ref: "#/components/schemas/Pages" }',
    'pages: { $ref: "#/components/schemas/Page" }',
    '"#/components/schemas/Page"',
    'found "#/components/schemas/Page", which is not there; did you mean "Pages"?',
  ],
  [
    'a reference to something of another kind',
    '#/components/parameters/Limit',
    '#/components/schemas/Id',
    '"#/components/schemas/Id"\n        - $ref: "#/components/parameters/After"',
    'found "#/components/schemas/Id", expected a reference to #/components/parameters/…',
  ],
  [
    'a reference to another file',
    '#/components/parameters/Limit',
    'other.yaml#/Limit',
    '"other.yaml',
    'found "other.yaml#/Limit", expected a reference within this document, such as #/components/schemas/Name',
  ],
  [
    'an operationId used twice',
    'operationId: createBook',
    'operationId: listBooks # again',
    'listBooks # again',
    'found the operationId "listBooks" of GET /books, expected one of its own',
  ],
  [
    'a misspelt keyword of a schema',
    '      maxLength: 200\n',
    '      maxLenght: 200\n',
    'maxLenght',
    'unknown keyword "maxLenght" in a schema; did you mean "maxLength"?',
  ],
  [
    'a wrong value of a keyword',
    '      maxLength: 200\n      pattern',
    '      maxLength: many\n      pattern',
    'many\n      pattern',
    'found "many", expected an integer',
  ],
  [
    'a format that nobody knows',
    '      format: text\n',
    '      format: txt\n',
    'txt',
    'found "txt", expected one that is known; did you mean "text"?',
  ],
  [
    'what this server cannot serve',
    '      maxLength: 200\n',
    '      $anchor: title\n',
    '$anchor',
    '"$anchor" in a schema is not supported',
  ],
];

describe('a fault in openapi.yaml is told in one line with file, line and column', () => {
  it.each(edits)('%s', async (_, from, to, at, message) => {
    const broken = openapi.replace(from, to);
    expect(broken).not.toBe(openapi);
    await expect(parseContract(broken)).rejects.toThrow(
      new Error(`openapi.yaml:${placeOf(broken, at)}: ${message}`),
    );
  });
});

describe('a value that is not what it must be is told with what is expected', () => {
  it.each([
    ['openapi: 3.1.0', 'openapi: 4.0.0', 'found "4.0.0", expected a version such as 3.1.0'],
    ['title: Accord\n', 'title: { a: 1 }\n', 'found an object, expected a string'],
    ['title: Accord\n', 'title:\n', 'found nothing, expected a string'],
    ['title: Accord\n', 'title: [1]\n', 'found a list, expected a string'],
    ['\nservers:\n', '\nsevrers:\n', '"sevrers" in the document; did you mean "servers"?'],
    ['required: false', 'required: 3', 'found 3, expected a boolean'],
    [
      'title: Accord\n',
      'title: x\n  zzzzzzzzz: 1\n',
      '"zzzzzzzzz" in "info"; expected one of title,',
    ],
    ['name: MIT,', 'nam: MIT,', 'found no "name" in "license", expected one'],
    ['minLength: 1', 'minLength: -1', 'found -1, which must be >= 0'],
    ['type: integer', 'type: integr', 'found "integr", expected one of array, boolean, integer,'],
    ['maxLength: 200\n', 'maxLength: many\n', 'found "many", expected an integer'],
    ['  /books:\n', '  /books:\n    gett: {}\n', '"gett" in a path; did you mean "get"?'],
    [
      'schemas:\n    Id:\n',
      'schemas:\n    Loop: { $ref: "#/components/schemas/Loop" }\n    Id:\n',
      'expected one that does not lead back to itself',
    ],
  ])('%j as %j', async (from, to, message) => {
    await expect(parseContract(openapi.replace(from, to))).rejects.toThrow(message);
  });

  it.each([
    ['', 'found nothing, expected an object'],
    ['[]', 'found a list, expected an object'],
    ['3', 'found 3, expected an object'],
    ['a: 1', 'found no "openapi"'],
  ])('%j as a whole', async (text, message) => {
    await expect(parseContract(text)).rejects.toThrow(`openapi.yaml:1:1: ${message}`);
  });

  it('at the end of the file, and behind an alias', async () => {
    await expect(parseContract('a: [')).rejects.toThrow(
      /^openapi\.yaml:1:\d: not YAML: .*; found /,
    );
    await expect(parseContract('a: "\n')).rejects.toThrow('; found the end of the file');
    const aliased = openapi.replace('title: Accord\n', 'title: &name Accord\n  summary: *name\n');
    const once = aliased.replace(/\n {2}summary: Books.*/, '');
    expect((await parseContract(once)).document.info.summary).toBe('Accord');
    const license = openapi
      .replace('info:\n', 'info: &info\n')
      .replace('\ntags:', '\nx-again: *info\ntags:');
    expect((await parseContract(license)).operations.length).toBeGreaterThan(0);
  });
});

describe('a contract error stops the start', () => {
  /** Starts the server from a checkout of its own with these contracts. */
  async function start(contracts: { openapi: string; sdl: string }) {
    const folder = mkdtempSync(join(tmpdir(), 'start-'));
    try {
      cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true });
      cpSync(join(root, 'package.json'), join(folder, 'package.json'));
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      writeFileSync(join(folder, 'openapi.yaml'), contracts.openapi);
      writeFileSync(join(folder, 'schema.graphql'), contracts.sdl);
      const env = { PORT: '0', DATABASE_URL: 'sqlite::memory:' };
      const server = spawn(process.execPath, ['src/main.ts'], {
        cwd: folder,
        env,
        timeout: 100_000,
      });
      const [code, told] = await Promise.all([
        new Promise((resolve) => server.once('exit', resolve)),
        read(server.stderr),
      ]);
      return { code, told };
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  it.each([
    [
      'an unknown property of openapi.yaml',
      { openapi: openapi.replace('      responses:\n', '      respnses:\n'), sdl },
      /^accord: openapi\.yaml:[0-9]+:7: unknown property "respnses" in an operation; did you mean "responses"\?\n$/,
    ],
    [
      'a syntax error of schema.graphql',
      { openapi, sdl: sdl.replace('type Comment {', 'type Comment') },
      /^accord: schema\.graphql:[0-9]+:[0-9]+: Syntax Error: [^\n]+\n$/,
    ],
    [
      'an SDL that is not valid',
      { openapi, sdl: sdl.replace('where: CommentFilter', 'where: User') },
      /^accord: schema\.graphql:[0-9]+:12: The type of Post\.comments\(where:\) must be Input Type [^\n]+\n$/,
    ],
    [
      'fields of Query without resolvers',
      { openapi, sdl: sdl.replace('type Query {', 'type Query {\n  one: Int\n  two: Int\n') },
      /^accord: schema\.graphql:[0-9]+:3: no resolver for Query\.one, Query\.two; expected one for each\n$/,
    ],
  ])('%s', async (_, contracts, line) => {
    const { code, told } = await start(contracts);
    expect(told).toMatch(line);
    expect(code).toBe(1);
  });
});
