import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { readApiContracts } from '../../src/kit/api-contracts.ts';
import { type Api, tablesOf } from '../../src/kit/api-declaration.ts';
import { mockApi } from '../../src/kit/mock-api.ts';

const folder = mkdtempSync(join(tmpdir(), 'contracts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const written = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return pathToFileURL(join(folder, name));
};

const paths = (type: string) =>
  `{ '/a': { get: { responses: { '200': { description: A., content: { ${type}: {} } } } } } }`;
const contract = (type: string) =>
  `{ openapi: 3.1.0, info: { title: T, version: '1' }, paths: ${paths(type)} }`;
const openapi = written('openapi.yaml', contract('text/plain'));
const doubtful = written('doubtful.yaml', contract('nothing'));
const graphql = written('schema.graphql', 'type Query { one: Int }');
const resolvers = { Query: { one: () => 1 } };

async function read(api: Api) {
  const warnings: string[] = [];
  const read = await readApiContracts(api, (line) => warnings.push(line));
  return { ...read, warnings };
}

describe('the contracts of an API', () => {
  it('are a description, an SDL, or both', async () => {
    const rest = await read({ openapi });
    expect([rest.contract.operations.length, rest.sdl, rest.createSchema()]).toEqual([
      1,
      '',
      undefined,
    ]);
    const alone = await read({ graphql, resolvers });
    expect([alone.contract.operations.length, alone.sdl]).toEqual([0, 'type Query { one: Int }']);
    expect(Object.keys(alone.createSchema()?.getQueryType()?.getFields() ?? {})).toEqual(['one']);
    const both = await read({ openapi, graphql, resolvers });
    expect([both.contract.operations.length, both.createSchema() === undefined]).toEqual([
      1,
      false,
    ]);
    expect(new Set([rest, alone, both].map(({ digest }) => digest)).size).toBe(3);
    for (const each of [rest, alone, both]) {
      expect(each.folder).toEqual(pathToFileURL(`${folder}/`));
      expect(each.warnings).toEqual([]);
    }
    await expect(read({})).rejects.toThrow('an API has an OpenAPI description, an SDL, or both');
  });

  it('are files of text, or stop the start with a line', async () => {
    const latin = join(folder, 'latin.graphql');
    writeFileSync(latin, Buffer.from('"café"\ntype Query { one: Int }', 'latin1'));
    await expect(read({ graphql: pathToFileURL(latin), resolvers })).rejects.toThrow(
      new Error('latin.graphql:1:5: found bytes that are not UTF-8'),
    );
    mkdirSync(join(folder, 'a folder'));
    const nothing = pathToFileURL(join(folder, 'a folder'));
    const line = new Error('a folder is a folder, expected a file');
    await expect(read({ graphql: nothing, resolvers })).rejects.toThrow(line);
    await expect(read({ openapi: nothing })).rejects.toThrow(line);
    const missing = pathToFileURL(join(folder, 'none'));
    await expect(read({ graphql: missing })).rejects.toThrow('ENOENT: no such file or directory');
  });

  it('may be doubtful where the API is lenient', async () => {
    const message = 'found "nothing", expected a media type';
    await expect(read({ openapi: doubtful })).rejects.toThrow(message);
    const { warnings } = await read({ openapi: doubtful, lenient: true });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^Warning: doubtful\.yaml:1:\d+: found "nothing"/);
    const twice = written('twice.graphql', 'type Query { one: Int\none: Int }');
    const strict = await read({ graphql: twice, resolvers });
    expect(() => strict.createSchema()).toThrow('twice.graphql:2:1: ');
    const lenient = await read({ graphql: twice, resolvers, lenient: true });
    expect(lenient.createSchema()).toBeDefined();
    expect(lenient.warnings).toEqual([expect.stringMatching(/^twice\.graphql:2:1: /)]);
  });

  it('need a resolver for each field, unless fields are mocked', async () => {
    const { createSchema } = await read({ graphql });
    expect(() => createSchema()).toThrow('one');
    expect(createSchema(1)).toBeDefined();
  });
});

describe('an API', () => {
  it('of contracts alone is mocked', () => {
    expect(mockApi({ openapi, seed: 7 })).toStrictEqual({
      openapi,
      mocks: { seed: 7 },
      lenient: true,
    });
    expect(mockApi({ graphql })).toStrictEqual({ graphql, mocks: {}, lenient: true });
    expect(mockApi({ openapi, graphql })).toStrictEqual({
      openapi,
      graphql,
      mocks: {},
      lenient: true,
    });
  });

  it('has tables with their migrations, or none', () => {
    const declared = { tables: {}, migrations: new URL('file:///migrations/') };
    expect(tablesOf({ openapi, ...declared })).toEqual(declared);
    expect(tablesOf({ openapi })).toBeUndefined();
    expect(tablesOf({ tables: {} })).toBeUndefined();
    expect(tablesOf({ migrations: declared.migrations })).toBeUndefined();
  });
});
