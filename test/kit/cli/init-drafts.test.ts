// engines: sqlite
import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buildSchema } from 'graphql';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { copyOpenapi, copySchema } from '../../../src/kit/cli/init/contract-copy.ts';
import { exampleHandler } from '../../../src/kit/cli/init/example-handler.ts';
import { exampleResolver } from '../../../src/kit/cli/init/example-resolver.ts';
import { literalText, nameText } from '../../../src/kit/cli/init/literal-text.ts';
import { projectFiles } from '../../../src/kit/cli/init/project-files.ts';
import { projectManifest } from '../../../src/kit/cli/init/project-manifest.ts';
import { parseContract } from '../../../src/kit/contract/contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'init-drafts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const written = (name: string, text: string) => {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};

const openapi = { openapi: 'openapi.yaml' };
const schema = { schema: 'schema.graphql' };

describe('the files of a project are as written', () => {
  const doubts = Array.from({ length: 7 }, (_, i) => `openapi.yaml:${i}:1: doubtful`);

  it.each([
    [
      'both',
      {
        contracts: { ...openapi, ...schema },
        handler: '  a: 1,\n',
        resolver: '    b: 2,\n',
        doubts: [],
      },
    ],
    [
      'rest',
      { contracts: openapi, handler: undefined, resolver: undefined, doubts: doubts.slice(0, 5) },
    ],
    ['graphql', { contracts: schema, handler: undefined, resolver: undefined, doubts }],
  ])('of %s', async (name, project) => {
    const files = Object.entries(projectFiles({ name: 'sky', ...project }));
    const text = files.map(([file, each]) => `=== ${file}\n${each}`).join('\n');
    await expect(text).toMatchFileSnapshot(`expected/init-${name}.txt`);
  });

  it.each([
    ['both', '/home/My Api', { ...openapi, ...schema }, undefined],
    ['rest', '/home/_._x', openapi, '/home/kits/accord.tgz'],
    ['graphql', '/__', schema, undefined],
  ])('and its package.json: %s', async (name, place, contracts, kit) => {
    // Versions are those of this repository.
    const text = JSON.stringify(projectManifest(place, contracts, kit), null, 2).replaceAll(
      /"[~^]?\d+\.\d+\.\d+[^"]*"/g,
      '"<version>"',
    );
    await expect(`${text}\n`).toMatchFileSnapshot(`expected/init-package-${name}.txt`);
  });
});

describe('the package.json of a project depends on the kit', () => {
  const root = resolve(import.meta.dirname, '../../..');
  const lock = join(root, '../.package-lock.json');
  const tarball = join(root, '../../kits/accord.tgz');

  /** What it depends on where npm has written this of the kit, with these files beside. */
  function dependency(resolved: unknown, files: readonly string[] = [tarball]): unknown {
    const { existsSync, readFileSync } = fs;
    const written = { packages: { 'node_modules/accord': { resolved } } };
    vi.spyOn(fs, 'existsSync').mockImplementation(
      (path) =>
        files.includes(String(path)) || (path === lock ? resolved !== null : existsSync(path)),
    );
    vi.spyOn(fs, 'readFileSync').mockImplementation((path, options) =>
      path === lock ? JSON.stringify(written) : readFileSync(path, options),
    );
    syncBuiltinESMExports();
    try {
      const { dependencies } = Object(
        projectManifest(join(root, '../../projects/sky'), schema, undefined),
      );
      return dependencies.accord;
    } finally {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    }
  }

  it('as npm has installed it: from a file that is there, else from the registry', () => {
    const version = expect.stringMatching(/^\^\d+\.\d+\.\d+/);
    expect(dependency('file:kits/accord.tgz')).toBe('file:../../kits/accord.tgz');
    expect(dependency('file:kits/accord.tgz', [])).toEqual(version);
    expect(dependency('https://registry.test/accord.tgz')).toEqual(version);
    expect(dependency('file:kits/accord', [join(root, '../../kits/accord')])).toEqual(version);
    expect(dependency(undefined)).toEqual(version);
    expect(dependency(null)).toEqual(version);
  });
});

describe('the handler that accord init writes', () => {
  const operation = (id: string, more: string) =>
    `{ operationId: ${id}, responses: { 200: { description: A., ${more} } } }`;
  const json = (schema: string) => `content: { application/json: { schema: ${schema} } }`;
  const object = '{ type: object, required: [a], properties: { a: { const: 1 } } }';
  const contractOf = (paths: string) =>
    parseContract(
      `openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\npaths:\n${paths}\ncomponents: { securitySchemes: { key: { type: http, scheme: bearer } } }\n`,
      'openapi.yaml',
      { lenient: true },
    );
  const handler = (name: string) =>
    `  ${name}: () => ({\n    status: 200,\n    body: { a: 1 },\n  }),\n`;

  it.each([
    [
      'the first',
      [
        `/a: { get: ${operation('a', json(object))} }`,
        `/b: { get: ${operation('b', json(object))} }`,
      ],
      handler('a'),
    ],
    [
      'one without security',
      [
        `/a: { get: ${operation('a', json(object)).replace('{', '{ security: [{ key: [] }], ')} }`,
        `/b/{id}: { delete: ${operation('b', json(object))} }`,
      ],
      handler('b'),
    ],
    [
      'one with optional security',
      [
        `/a: { get: ${operation('a', json(object)).replace('{', '{ security: [{}, { key: [] }], ')} }`,
        `/b: { get: ${operation('b', json(object))} }`,
      ],
      handler('a'),
    ],
    [
      'none of a collection',
      [
        `/a: { get: ${operation('a', json(object))} }`,
        `/a/{id}: { get: ${operation('b', json(object))} }`,
        `/c: { post: ${operation('c', json(object))} }`,
      ],
      handler('c'),
    ],
    [
      'a read',
      [
        `/a: { post: ${operation('a', json(object))} }`,
        `/b: { get: ${operation('b', json(object))} }`,
      ],
      handler('b'),
    ],
    [
      'one that asks for nothing',
      [
        `/a: { get: ${operation('a', json(object)).replace('{', '{ parameters: [{ name: q, in: query, required: true, schema: {} }], ')} }`,
        `/b: { get: ${operation('b', json(object))} }`,
      ],
      handler('b'),
    ],
    [
      'one that answers with an object',
      [
        `/a: { get: ${operation('a', json('{ type: string }'))} }`,
        `/b: { get: ${operation('b', json(object))} }`,
      ],
      handler('b'),
    ],
    [
      'one without a header that must be there',
      [
        `/a: { get: ${operation('a', `headers: { A: { required: true, schema: {} } }, ${json(object)}`)} }`,
        `/b: { get: ${operation('b', `headers: { A: { schema: {} } }, ${json(object)}`)} }`,
      ],
      handler('b'),
    ],
    [
      'one with a media type of its own',
      [
        `/a: { get: ${operation('a', "content: { 'application/*': {}, application/json: { schema: { type: object } } }")} }`,
        `/b: { get: ${operation('b', 'content: { text/plain: {} }')} }`,
      ],
      undefined,
    ],
    [
      'one of two media types',
      [
        `/a: { get: ${operation('a', `content: { text/csv: {}, application/json: { schema: ${object} } }`)} }`,
      ],
      "  a: () => ({\n    status: 200,\n    type: 'application/json',\n    body: { a: 1 },\n  }),\n",
    ],
    [
      'an example that the schema admits',
      [
        `/a: { get: ${operation('a', `content: { application/json: { schema: ${object}, examples: { x: { value: { a: 2 } }, y: { value: { a: 1, b: 3 } } } } }`)} }`,
      ],
      handler('a').replace('{ a: 1 }', '{ a: 1, b: 3 }'),
    ],
    [
      'none without a schema',
      [`/a: { get: ${operation('a', 'content: { application/json: {} }')} }`],
      undefined,
    ],
    [
      'none of a range',
      [
        '/a: { get: { operationId: a, responses: { 2XX: { description: A., content: { application/json: { schema: { type: object } } } } } } }',
      ],
      undefined,
    ],
  ])('is %s', async (_, paths, text) => {
    const contract = await contractOf(paths.map((path) => `  ${path}`).join('\n'));
    expect(exampleHandler(contract)).toBe(text);
  });
});

it.each([
  ['type Query { a: Int }', '    a: () => 1,\n'],
  ['type Query { a: Float! }', '    a: () => 1.5,\n'],
  ['type Query { a: Boolean }', '    a: () => true,\n'],
  ['type Query { a: ID }', "    a: () => '1',\n"],
  ['type Query { a: Kind } enum Kind { B C }', "    a: () => 'B',\n"],
  ['type Query { a: [Int!]! }', '    a: () => [1],\n'],
  ['type Query { a: Day b: Int } scalar Day', '    b: () => 1,\n'],
  ['type Query { a: Day } scalar Day', undefined],
  ['type Query { a: [Day] } scalar Day', '    a: () => [],\n'],
  ['type Query { a(b: Int): Int c: It } type It { d: Int }', '    c: () => ({ d: 1 }),\n'],
  ['type Query { a(b: Int): Int }', '    a: () => 1,\n'],
  ['type Query { a: [It] b: It } type It { c: Int }', '    b: () => ({ c: 1 }),\n'],
  ['type Query { a: It b: String } type It { c: Int }', "    b: () => 'Hello',\n"],
  ['type Query { a: It b: [Int] } type It { c: Int }', '    b: () => [1],\n'],
  ['type Query { a(b: Int): Int c: [It] } type It { d: Int }', '    c: () => [{ d: 1 }],\n'],
  ['type Query { a: Me } type Me { b: Me c: [Me!]! }', '    a: () => ({ b: null, c: [] }),\n'],
  ['type Query { a: Me b(c: Int): Int } type Me { d: Me! }', '    b: () => 1,\n'],
  ['type Query { a: It } type It { b: Day! } scalar Day', undefined],
  ['type Query { a: Any } union Any = It type It { b: Int }', undefined],
  [
    'type Query { a: [It] } type It { c: Int e: Day } scalar Day',
    '    a: () => [{ c: 1, e: null }],\n',
  ],
])('the resolver for %s is written', (sdl, text) => {
  expect(exampleResolver(buildSchema(sdl))).toBe(text);
});

it('values are written as TypeScript, in lines that are not too long', () => {
  expect(literalText([])).toBe('[]');
  expect(literalText({})).toBe('{}');
  expect(literalText({ a: [1, 'it\'s "so"'], 'b-c': null })).toBe(
    `{ a: [1, 'it\\'s "so"'], 'b-c': null }`,
  );
  const fits = 'a'.repeat(80);
  expect(literalText({ a: fits }).length).toBe(89);
  expect(literalText({ a: `${fits}a` })).toBe(`{\n  a: '${fits}a',\n}`);
  expect(literalText({ a: fits }, ' ')).toBe(`{\n   a: '${fits}',\n }`);
  expect(literalText([[fits], [`${fits}abcdefgh`]])).toBe(
    `[\n  ['${fits}'],\n  [\n    '${fits}abcdefgh',\n  ],\n]`,
  );
  expect(['a1', '$_', '1a', 'a b', '__proto__', 'é'].map(nameText)).toEqual([
    ...['a1', '$_', "'1a'", "'a b'", "['__proto__']", "'é'"],
  ]);
});

describe('the contract of a project is copied', () => {
  it('alone, or with all files that it refers to', () => {
    const one = written('one/api.json', '{"a":1}');
    expect(copyOpenapi(one)).toEqual({
      path: 'openapi.json',
      files: { 'openapi.json': '{"a":1}' },
    });
    const alone = written(
      'one/api.yml',
      "a: { $ref: '#/b' }\nb: { $ref: 'https://a.test/x.yaml' }\nc: { $ref: none.yaml }\nd: { $ref: '100%.yaml' }\ne: { $ref: . }\n",
    );
    expect(copyOpenapi(alone).path).toBe('openapi.yaml');
    const root = written(
      'two/api/root.yaml',
      "a: { $ref: 'parts/a%20b.yaml#/x' }\nb: [{ $ref: ../shared.json }]\nc: { $ref: text.md }\n",
    );
    written('two/api/parts/a b.yaml', "x: { $ref: '../root.yaml' }\n");
    written('two/shared.json', '{}');
    written('two/api/text.md', "$ref: '../other.yaml'");
    written('two/other.yaml', '');
    const copy = copyOpenapi(root);
    expect(copy.path).toBe('openapi/api/root.yaml');
    expect(Object.keys(copy.files).toSorted()).toEqual([
      ...['openapi/api/parts/a b.yaml', 'openapi/api/root.yaml', 'openapi/api/text.md'],
      'openapi/shared.json',
    ]);
    expect(copy.files['openapi/shared.json']).toBe('{}');
    const sdl = written('a.graphql', 'type Query { a: Int }');
    expect(copySchema(sdl)).toEqual({
      path: 'schema.graphql',
      files: { 'schema.graphql': 'type Query { a: Int }' },
    });
  });
});
