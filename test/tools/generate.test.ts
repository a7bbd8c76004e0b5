// engines: sqlite
// long: starts processes
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { contractTypes } from '../../src/kit/cli/generate/contract-types.ts';
import { parseContract, readContract } from '../../src/kit/contract/contract.ts';

const { resolve } = createRequire(import.meta.url);
const typesOf = async (file: string) =>
  contractTypes(await readContract(pathToFileURL(resolve(`@readme/oas-examples/${file}`))));

describe('the generated types', () => {
  it('have webhooks apart from operations, which need handlers', async () => {
    const text = await typesOf('3.1/json/webhooks.json');
    expect(text).toMatch(/export interface webhooks \{\n {4}newPet: /);
    expect(text.split('export type operations').at(-1)).not.toContain('newPet');
  });

  it('have callbacks by operation, name and expression', async () => {
    const text = await typesOf('3.0/json/callbacks.json');
    expect(text).toContain('export interface callbacks { "postStreams": { "onData": ');
    expect(text).toContain('export interface webhooks {\n}');
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      /export interface callbacks .* post: \{ .* requestBody\?: \{ .* timestamp\?: string;/,
    );
  });

  it('have names where the contract has none, files, optional headers and security', async () => {
    const text = await contractTypes(
      await parseContract(`openapi: 3.1.0
info: { title: Files, version: 1.0.0 }
security: [{ key: [] }]
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
                new: { type: string, contentMediaType: image/png }
                note: { type: string, contentMediaType: text/plain }
      responses:
        '204':
          description: Stored.
          headers: { A: { $ref: '#/components/headers/A' }, B: { $ref: '#/components/headers/B' } }
components:
  headers:
    A: { schema: { type: integer } }
    B: { required: true, schema: { type: integer } }
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key, description: Not a type. }
    unused: { type: mutualTLS }
`),
    );
    const id = text.match(/operationSecurity \{\n {4}"([^"]+)"/)?.[1];
    expect(text).toContain(`put: operations["${id}"]`);
    expect(text).toContain('old?: Binary;');
    expect(text).toContain('new?: Binary;');
    expect(text).toContain('note?: string;');
    expect(text).toContain('A?: number;');
    expect(text).toContain('B: components["headers"]["B"];');
    expect(text).toContain('"key": {"type":"apiKey","in":"header","name":"X-Key"};');
    expect(text).not.toContain('unused');
    expect(text).toContain(`"${id}": [{"key":[]}];`);
  });
});

it('the command writes a file, and checks it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'generate-'));
  const program = fileURLToPath(new URL('../../src/kit/cli/accord.ts', import.meta.url));
  const output = join(folder, 'types', 'x.d.ts');
  const run = (...options: string[]) =>
    execFileSync(
      process.execPath,
      [program, 'generate', 'openapi.yaml', '--output', output, ...options],
      {
        stdio: 'pipe',
      },
    );
  try {
    expect(() => run('--check')).toThrow('not up to date');
    run();
    run('--check');
    expect(readFileSync(output, 'utf8')).toBe(readFileSync('generated/openapi.d.ts', 'utf8'));
    writeFileSync(output, 'export {}');
    expect(() => run('--check')).toThrow('not up to date');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
