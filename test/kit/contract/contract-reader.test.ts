// engines: sqlite
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseContract, readContract } from '../../../src/kit/contract/contract.ts';

/** A contract with these components, and one operation with this body schema. */
function contractWith(version: string, schema: string, components = '{}'): string {
  return `
openapi: ${version}
info: { title: T, version: '1' }
paths:
  /x:
    post:
      requestBody: { required: true, content: { application/json: { schema: ${schema} } } }
      responses: { '200': { description: ok } }
components: { schemas: ${components} }`;
}

async function admits(text: string, value: unknown): Promise<boolean> {
  const { operations, schemas } = await parseContract(text);
  const schema = operations[0]?.body?.content.get('application/json')?.schema;
  return schemas(schema ?? true, 'request')(value);
}

describe('a callback', () => {
  const text = (version: string, callback: string) => `
openapi: ${version}
info: { title: T, version: '1' }
paths:
  /x:
    get:
      callbacks: { done: ${callback}, other: { $ref: '#/components/callbacks/Other' } }
      responses: { '200': { description: ok } }
components: { callbacks: { Other: ${callback} } }`;
  const post = '{ post: { responses: { "204": { description: None. } } } }';

  it.each(['3.0.3', '3.1.0', '3.2.0'])('may have extensions: %s', async (version) => {
    for (const extension of ['plain text', 'true', '{ a: [1] }', 'null']) {
      const { operations } = await parseContract(
        text(version, `{ x-note: ${extension}, '{$request.query.u}': ${post} }`),
      );
      expect(operations).toHaveLength(1);
    }
  });

  it('may have extensions where an example has a member of the name $ref', async () => {
    const written = text('3.1.0', `{ x-note: a, '{$url}': ${post} }`);
    const content = '{ application/json: { example: { $ref: nowhere } } }';
    const { operations } = await parseContract(
      written.replace('description: ok', `description: ok, content: ${content}`),
    );
    expect(operations).toHaveLength(1);
  });

  it.each(['3.0.3', '3.1.0', '3.2.0'])('may have nothing else: %s', async (version) => {
    for (const member of ['note: plain text', 'y-note: plain text', 'x-note: { post: 1 }, u: 2']) {
      await expect(parseContract(text(version, `{ ${member} }`))).rejects.toThrow(
        /found (2|"plain text"), expected/,
      );
    }
    const inItem = text(version, `{ '{$url}': { x-a: 1, summary: 2 } }`);
    await expect(parseContract(inItem)).rejects.toThrow('found 2, expected');
  });
});

describe('a reference may be percent-encoded', () => {
  const schemas = '{ Ab: { type: string }, B: { enum: [a] } }';
  it.each([
    "{ $ref: '#/components/schemas/%41b' }",
    "{ $ref: '#/%63omponents%2Fschemas/Ab' }",
    "{ $ref: '#/paths/~1x~1%7Bid%7D/get/responses/200/content/a~1b/schema' }",
    "{ $ref: '#/paths/~1x~1{id}/get/responses/200/content/a~1b/schema' }",
  ])('%s', async (schema) => {
    const path = `  /x/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: '', content: { a/b: { schema: { type: string } } } } } }
components:`;
    const text = contractWith('3.1.0', schema, schemas).replace('components:', path);
    expect(await admits(text, 'a')).toBe(true);
    expect(await admits(text, 1)).toBe(false);
  });

  it('only where a character is', async () => {
    const text = contractWith('3.1.0', "{ $ref: '#/components/schemas/%E4' }", '{}');
    await expect(parseContract(text)).rejects.toThrow('found "#/components/schemas/%E4", which is');
  });
});

describe('OpenAPI 3.0 is brought to the dialect of 3.1', () => {
  it.each([
    ['{ type: string, nullable: true }', [null, 'a'], [1]],
    ['{ type: string, nullable: true, enum: [a] }', [null, 'a'], ['b']],
    ['{ nullable: true, allOf: [{ type: object, required: [a] }] }', [null, { a: 1 }], [{}, 1]],
    ['{ nullable: true, oneOf: [{ type: string }, { type: integer }] }', [null, 'a', 1], [true]],
    ['{ type: array, items: { type: integer, nullable: true } }', [[null, 1]], [['a']]],
    ['{ nullable: true }', [null, 1], []],
    ['{ type: number, minimum: 1, exclusiveMinimum: true }', [1.5], [1]],
    ['{ type: number, maximum: 1, exclusiveMaximum: false }', [1], [2]],
    ['{ $ref: "#/components/schemas/A", maxLength: 1 }', ['aaa'], [1]],
  ])('%s', async (schema, valid, invalid) => {
    const text = contractWith('3.0.3', schema, '{ A: { type: string } }');
    for (const value of valid) expect(await admits(text, value), JSON.stringify(value)).toBe(true);
    for (const value of invalid) {
      expect(await admits(text, value), JSON.stringify(value)).toBe(false);
    }
  });

  it('and what was written stays as it was written', async () => {
    const { written, document } = await parseContract(contractWith('3.0.3', '{ nullable: true }'));
    expect(written.openapi).toBe('3.0.3');
    expect(document.openapi).toBe('3.1.0');
  });
});

describe('JSON Schema', () => {
  it.each([
    ['{ $ref: "#/components/schemas/A/properties/b" }', ['x'], [1]],
    ['{ $ref: "#/paths/~1x/post/x-schema" }', [1], ['x']],
    ['{ $ref: "#/components/schemas/Tree" }', [{ of: [{ of: [] }] }], [{ of: [1] }]],
    ['{ $ref: "#/components/schemas/A", minProperties: 2 }', [{ b: 'x', c: 1 }], [{ b: 'x' }]],
    ['{ $ref: "#/components/schemas/Never" }', [], [1, null]],
    [
      '{ type: array, prefixItems: [{ type: string }], minItems: 1, items: false }',
      [['a']],
      [['a', 'b'], []],
    ],
    ['{ if: { required: [a] }, then: { required: [b] } }', [{ a: 1, b: 1 }, {}], [{ a: 1 }]],
    [
      '{ $schema: "http://json-schema.org/draft-04/schema#", minimum: 1, exclusiveMinimum: true }',
      [2],
      [1],
    ],
    ['{ type: object, properties: { a: { type: string, default: x } } }', [{}], [{ a: 1 }]],
    ['{ type: string, pattern: "^[\\\\w-\\\\.]+@{x}$" }', ['a.b-c@{x}'], ['?@{x}']],
    ['{ type: string, format: date }', ['2026-02-28'], ['2026-02-30', '28.2.2026']],
    ['{ type: string, format: of-nobody }', ['x'], [1]],
    ['{ type: integer, format: int64 }', [2 ** 53 - 1], [2 ** 53]],
  ])('%s', async (schema, valid, invalid) => {
    const components =
      '{ A: { type: object, properties: { b: { type: string } } }, Never: false, ' +
      'Tree: { type: object, required: [of], properties: { of: { type: array, items: { $ref: "#/components/schemas/Tree" } } } } }';
    const text = contractWith('3.1.0', schema, components).replace(
      '    post:\n',
      '    post:\n      x-schema: { type: integer }\n',
    );
    for (const value of valid) expect(await admits(text, value), JSON.stringify(value)).toBe(true);
    for (const value of invalid) {
      expect(await admits(text, value), JSON.stringify(value)).toBe(false);
    }
  });

  it('demands no read-only member of a request, and admits none', async () => {
    const text = contractWith(
      '3.1.0',
      '{ allOf: [{ $ref: "#/components/schemas/A" }, { required: [id, name] }] }',
      '{ A: { type: object, required: [id], properties: { id: { $ref: "#/components/schemas/Id" }, name: { type: string }, secret: { type: string, writeOnly: true } } }, Id: { type: integer, readOnly: true } }',
    );
    expect(await admits(text, { name: 'x' })).toBe(true);
    expect(await admits(text, { name: 'x', id: 1 })).toBe(false);
    const { operations, schemas } = await parseContract(text);
    const schema = operations[0]?.body?.content.get('application/json')?.schema ?? true;
    expect(schemas(schema, 'response')({ name: 'x', id: 1 })).toBe(true);
    expect(schemas(schema, 'response')({ name: 'x' })).toBe(false);
    expect(schemas(schema, 'response')({ name: 'x', id: 1, secret: 's' })).toBe(false);
  });

  it("takes the API's own formats", async () => {
    const text = contractWith('3.1.0', '{ type: string, format: even }');
    const formats = { even: (value: string) => value.length % 2 === 0 };
    const { operations, schemas } = await parseContract(text, 'openapi.yaml', { formats });
    const schema = operations[0]?.body?.content.get('application/json')?.schema ?? true;
    expect(['ab', 'abc'].map((value) => schemas(schema)(value))).toEqual([true, false]);
  });
});

describe('an operation without an operationId is called by its method and path', () => {
  it.each([
    ['/pets', 'getPets'],
    ['/pets/{petId}', 'getPetsByPetId'],
    ['/pets/{id}.json', 'getPetsByIdJson'],
    ['/users/@me/guild-list', 'getUsersMeGuildList'],
    ['/', 'get'],
  ])('%s: %s', async (path, id) => {
    const parameters = path.includes('{')
      ? `parameters: [{ name: ${path.match(/\{(.*)\}/)?.[1]}, in: path, required: true, schema: {} }], `
      : '';
    const text = `{ openapi: 3.1.0, info: { title: T, version: '1' }, paths: { "${path}": { get: { ${parameters}responses: { '200': { description: ok } } } } } }`;
    expect((await parseContract(text)).operations.map((each) => each.id)).toEqual([id]);
  });
});

describe('what is doubtful', () => {
  const twice = `
openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a: { get: { operationId: one, responses: { '200': { description: ok } } } }
  /b/{id}: { get: { operationId: one, responses: { '200': { description: ok } } } }`;

  it('is an error in a project of one’s own', async () => {
    await expect(parseContract(twice)).rejects.toThrow(
      'openapi.yaml:6:14: GET /b/{id} names other path parameters than it declares',
    );
  });

  it('is a warning where the contract is somebody else’s', async () => {
    const { warnings, operations } = await parseContract(twice, 'o.yaml', { lenient: true });
    expect(operations.map(({ id }) => id)).toEqual(['one', 'one_2']);
    expect(operations[1]?.parameters.map(({ name }) => name)).toEqual(['id']);
    expect(warnings).toEqual([
      'o.yaml:6:14: GET /b/{id} names other path parameters than it declares',
      'o.yaml:6:34: found the operationId "one" of GET /a, expected one of its own',
    ]);
  });
});

it('refuses Swagger 2.0 with a line that names a converter', async () => {
  await expect(parseContract('swagger: "2.0"\ninfo: {}')).rejects.toThrow(
    'openapi.yaml:1:10: found Swagger 2.0, expected OpenAPI 3; `npx swagger2openapi <file>` converts it',
  );
});

it('reads JSON, and tells the place of a fault in it', async () => {
  const text = '{\n "openapi": "3.1.0",\n "info": { "title": "T" },\n "paths": {} }';
  await expect(parseContract(text, 'api.json')).rejects.toThrow(
    'api.json:3:2: found no "version" in "info", expected one',
  );
});

describe('several files', () => {
  it('are one contract', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'files-'));
    try {
      mkdirSync(join(folder, 'parts'));
      writeFileSync(
        join(folder, 'api.yaml'),
        "openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths:\n  /a/{id}: { $ref: 'parts/a.yaml' }\n",
      );
      writeFileSync(
        join(folder, 'parts', 'a.yaml'),
        "parameters: [{ $ref: 'more.json#/id' }]\nget:\n  responses: { '200': { description: ok, content: { application/json: { schema: { $ref: 'more.json#/A' } } } } }\n",
      );
      writeFileSync(
        join(folder, 'parts', 'more.json'),
        '{ "id": { "name": "id", "in": "path", "required": true, "schema": { "type": "integer" } }, "A": { "type": "object", "nullable": true, "properties": { "again": { "$ref": "#/A" } } } }',
      );
      const { operations, schemas, text } = await readContract(
        pathToFileURL(join(folder, 'api.yaml')),
      );
      expect(operations.map(({ id }) => id)).toEqual(['getAById']);
      expect(operations[0]?.parameters.map(({ name }) => name)).toEqual(['id']);
      const schema = operations[0]?.responses.get('200')?.content?.['application/json']?.schema;
      const validate = schemas(schema ?? false);
      expect(
        [null, { again: { again: null } }, { again: 1 }].map((each) => validate(each)),
      ).toEqual([true, true, false]);
      expect(text).not.toContain('more.json');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    ['{ type: strin }', /^parts\/pet\.yaml:3:12: found "strin", expected one of array/],
    ['{ properties: 7 }', /^parts\/pet\.yaml:3:18: found 7, expected an object/],
    [
      "{ not: { $ref: '#/Nothing' } }",
      /^parts\/pet\.yaml:3:19: found "#\/Nothing", which is not there; /,
    ],
    [
      "{ not: { $ref: 'none.yaml' } }",
      /^parts\/pet\.yaml:3:19: found "none\.yaml", which is not there; /,
    ],
    [
      "{ properties: { food: { $ref: 'food.yaml' } } }",
      /^parts\/food\.yaml:2:15: found 5, expected an object/,
    ],
    ["{ $ref: '#/Loop' }\nLoop: { $ref: '#/Pet' }", /^(api|parts\/pet)\.yaml:\d+:\d+: /],
  ])('tell where a fault is: %s', async (pet, line) => {
    const folder = mkdtempSync(join(tmpdir(), 'files-'));
    try {
      mkdirSync(join(folder, 'parts'));
      writeFileSync(
        join(folder, 'api.yaml'),
        "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n  /a:\n    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: 'parts/pet.yaml#/Pet' } } } } } }\n",
      );
      writeFileSync(join(folder, 'parts', 'pet.yaml'), `# A pet.\nPet:\n   ${pet}\n`);
      writeFileSync(join(folder, 'parts', 'food.yaml'), 'type: object\n"properties": 5\n');
      const api = pathToFileURL(join(folder, 'api.yaml'));
      await expect(readContract(api).catch(({ message }) => message)).resolves.toMatch(line);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

it('tells the places of warnings in JSON', async () => {
  const operation = { operationId: 'one', responses: { 200: { description: 'ok' } } };
  const document = {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: { '/a': { get: operation }, '/b': { get: operation }, '/c': { get: operation } },
  };
  const text = JSON.stringify(document, null, 1);
  const { warnings } = await parseContract(text, 'api.json', { lenient: true });
  expect(warnings.map((line) => line.split(' ')[0])).toEqual([
    'api.json:20:20:',
    'api.json:30:20:',
  ]);
});

it('takes no $ref in an example for a reference', async () => {
  const text = `
openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a:
    get:
      responses:
        '200':
          description: ok
          content: { application/json: { example: { $ref: '#/nowhere' } } }`;
  expect((await parseContract(text)).operations).toHaveLength(1);
});

it('refuses a broken schema of OpenAPI 3.0', async () => {
  const text = `
openapi: 3.0.3
info: { title: T, version: '1' }
paths: {}
components: { schemas: { A: { minLength: '1' } } }`;
  await expect(parseContract(text)).rejects.toThrow(/^openapi.yaml:5:42: /);
});
