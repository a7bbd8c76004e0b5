// engines: sqlite
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { contractTypes } from '../../../src/kit/cli/generate/contract-types.ts';
import { generateCommand } from '../../../src/kit/cli/generate/generate-command.ts';
import { parseContract } from '../../../src/kit/contract/contract.ts';

const head = 'openapi: 3.1.0\ninfo: { title: Files, version: 1.0.0 }\n';
const openapi = `${head}security: [{ key: [], user: [] }]
webhooks:
  stored: { post: { operationId: onStored, responses: { '200': { description: Heard. } } } }
paths:
  /files/{id}:
    put:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      requestBody:
        content:
          multipart/form-data:
            schema:
              type: object
              properties:
                old: { type: string, format: binary }
                maybe: { type: [string, 'null'], contentMediaType: image/png }
                encoded: { type: string, contentMediaType: image/png, contentEncoding: base64 }
                plain: { type: string, contentMediaType: text/plain }
                data: { type: string, contentMediaType: application/json }
                problem: { type: string, contentMediaType: application/problem+json; charset=utf-8 }
                page: { type: string, contentMediaType: application/xml }
                jsonish: { type: string, contentMediaType: application/jsonx }
                number: { type: integer, format: binary }
      callbacks:
        done:
          '{$request.body#/url}': { post: { operationId: onDone, requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }, responses: { '200': { description: Heard. } } } }
          '{$request.body#/other}': { get: { responses: { '200': { description: Heard. } } } }
          x-words: { description: None. }
        shared: { $ref: '#/components/callbacks/Shared' }
      responses:
        '204':
          description: Stored.
          headers: { A: { $ref: '#/components/headers/A' }, B: { $ref: '#/components/headers/B' }, C: { schema: { type: string } } }
    get:
      operationId: getFile
      security: []
      responses: { '200': { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } } }
components:
  callbacks: { Shared: { '{$url}': { post: { responses: { '200': { description: Heard. } } } } } }
  headers:
    A: { schema: { type: integer } }
    B: { required: true, schema: { type: integer } }
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key, description: Not a type. }
    user: { type: http, scheme: BASIC }
    unused: { type: http, scheme: bearer }
  schemas:
    Pet:
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
      discriminator: { propertyName: kind, mapping: { cat: Cat, dog: '#/components/schemas/Dog' } }
    Cat: { type: object, required: [kind], properties: { kind: { type: string }, id: { type: integer, readOnly: true } } }
    Dog: { type: object, required: [kind], properties: { kind: { type: string }, secret: { type: string, writeOnly: true }, any: { type: object } } }
`;
const least = `${head}paths: { /a: { get: { operationId: a, responses: { '204': { description: It. } } } } }\n`;

describe('the types of a contract', () => {
  it.each([
    ['everything', openapi],
    ['nothing', least],
  ])('with %s are as written', async (name, text) => {
    const types = await contractTypes(await parseContract(text, 'openapi.yaml', { lenient: true }));
    await expect(types).toMatchFileSnapshot(`expected/types-of-${name}.txt`);
  });
});

it('accord generate writes a file, or checks it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'types-'));
  const home = process.cwd();
  process.chdir(folder);
  const told: string[] = [];
  const spy = vi
    .spyOn(process.stderr, 'write')
    .mockImplementation((chunk) => told.push(String(chunk)) > 0);
  try {
    writeFileSync('api.yaml', least);
    expect(await generateCommand.run(['api.yaml', '--check'])).toBe(false);
    expect(told).toEqual(['generated/openapi.d.ts is not up to date: run accord generate\n']);
    expect(existsSync('generated')).toBe(false);
    await expect(generateCommand.run(['api.yaml', 'b'])).rejects.toThrow("does not take 'b'");
    expect(await generateCommand.run(['api.yaml'])).toBe(true);
    expect(await generateCommand.run(['api.yaml', '--check'])).toBe(true);
    expect(readFileSync('generated/openapi.d.ts', 'utf8')).toContain('export interface operations');
    writeFileSync('schema.graphql', 'type Query { a: Int }');
    expect(await generateCommand.run(['-o', 'a/b.d.ts'])).toBe(true);
    expect(existsSync('a')).toBe(false);
    writeFileSync('openapi.yaml', least);
    expect(await generateCommand.run(['-o', 'a/b.d.ts'])).toBe(true);
    expect(readFileSync('a/b.d.ts', 'utf8')).toBe(readFileSync('generated/openapi.d.ts', 'utf8'));
    writeFileSync('a/b.d.ts', 'export {}');
    expect(await generateCommand.run(['-o', 'a/b.d.ts', '--check'])).toBe(false);
  } finally {
    spy.mockRestore();
    process.chdir(home);
    rmSync(folder, { recursive: true });
  }
});
