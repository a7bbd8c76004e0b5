// long: starts a process for each command
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { readContract } from '../../../src/kit/contract/contract.ts';
import { readSource } from '../../../src/kit/contract/contract-source.ts';
import { refuseShapeless } from '../../../src/kit/contract/document-shape.ts';

const program = fileURLToPath(new URL('../../../src/kit/cli/accord.ts', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'accord-contract-files-'));
afterAll(() => rmSync(root, { recursive: true }));

function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(join(root, 'project-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

function accord(cwd: string, ...args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { cwd }, (_, out, errors) =>
      resolve(`${out}${errors}`),
    );
  });
}

const first = `openapi: 3.1.0
info: { title: T, version: 1.0.0 }
paths:
  /a:
    get:
      operationId: a
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: { $ref: 'second.yaml#/A' }
`;

describe('what is wrong in a second file of a contract is told with its name and line:', () => {
  it.each<[string, string | Buffer, RegExp]>([
    [
      'what is no YAML',
      'A:\n  properties:\n    x: [1, 2\n  bad: 1\n',
      /^second\.yaml:4:\d+: not YAML/,
    ],
    [
      'a reference that leads back to itself',
      'B:\n  type: object\n  properties:\n    c: { $ref: "#/C" }\nC: { $ref: "#/D" }\nD: { $ref: "#/C" }\nA: { $ref: "#/B" }\n',
      /^second\.yaml:4:16: found "#\/C", expected one that does not lead back to itself$/,
    ],
    [
      'bytes that are not UTF-8',
      Buffer.from('A:\n  type: string\n  description: café\n', 'latin1'),
      /^second\.yaml:3:19: found bytes that are not UTF-8$/,
    ],
  ])('%s', async (_, second, line) => {
    const folder = folderWith({ 'openapi.yaml': first, 'second.yaml': second });
    const said = await accord(folder, 'lint');
    expect(said.replace(/^accord lint: /, '').trimEnd()).toMatch(line);
    const started = readContract(pathToFileURL(join(folder, 'openapi.yaml')));
    await expect(started).rejects.toThrow(line);
  });
});

describe('a reference to what is no file is refused at its place:', () => {
  it.each<[string, string, (folder: string) => void]>([
    ['a folder', 'second', (folder) => mkdirSync(join(folder, 'second'))],
    [
      'a pipe',
      'second.yaml',
      (folder) => void execFileSync('mkfifo', [join(folder, 'second.yaml')]),
    ],
    [
      'a link to itself',
      'second.yaml',
      (folder) => symlinkSync('second.yaml', join(folder, 'second.yaml')),
    ],
    ['a name that is too long', `${'a'.repeat(300)}.yaml`, () => {}],
  ])('%s', async (_, name, make) => {
    const folder = folderWith({ 'first.yaml': first.replace('second.yaml', name) });
    make(folder);
    await expect(readContract(pathToFileURL(join(folder, 'first.yaml')))).rejects.toThrow(
      `first.yaml:12:31: found "${name}#/A", expected a file that can be read`,
    );
  });
});

it('no command fetches what a contract refers to by its address', async () => {
  const asked: unknown[] = [];
  const elsewhere = createServer(({ url }, response) => {
    asked.push(url);
    response.end('{}');
  });
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${Object(elsewhere.address()).port}/a.json`;
  const folder = folderWith({ 'openapi.yaml': first.replace('second.yaml#/A', address) });
  const line = `openapi.yaml:12:31: found "${address}", expected a file: addresses are not fetched, copy what is there beside the contract\n`;
  for (const args of [
    ...[['lint'], ['generate'], ['diff', '.'], ['mock', '--port', '0'], ['sdk'], ['init', 'new']],
    ...[['proxy', address], ['test'], ['review', '.']],
  ]) {
    const from = args[0] === 'init' ? ['--openapi', 'openapi.yaml'] : [];
    expect(await accord(folder, ...args, ...from), args[0]).toContain(line);
  }
  // Here it is data.
  const data = first
    .replace("$ref: 'second.yaml#/A'", `example: { $ref: '${address}' }`)
    .concat(`components: { examples: { E: { externalValue: '${address}' } } }\n`);
  const said = await accord(folderWith({ 'openapi.yaml': data }), 'lint');
  expect(said).toContain('operation-4xx-response');
  expect(said).not.toContain(address);
  expect(said).not.toContain('no-unresolved-refs');
  expect(asked).toEqual([]);
  elsewhere.close();
});

it('a file that refers to what is no file is told with its own place', async () => {
  const folder = folderWith({ 'first.yaml': first, 'second.yaml': 'A: { $ref: third.yaml }\n' });
  symlinkSync('third.yaml', join(folder, 'third.yaml'));
  await expect(readContract(pathToFileURL(join(folder, 'first.yaml')))).rejects.toThrow(
    'second.yaml:1:12: found "third.yaml", expected a file that can be read',
  );
});

it('bytes that are not UTF-8 are told of a contract of one file too', async () => {
  const text = Buffer.from(first.replace('description: ok', 'description: café'), 'latin1');
  const folder = folderWith({ 'openapi.yaml': text });
  expect(await accord(folder, 'lint')).toBe(
    'accord lint: openapi.yaml:9:27: found bytes that are not UTF-8\n',
  );
});

describe('what mocks do not serve is neither compared nor linted:', () => {
  it.each([
    ["swagger: '2.0'", '1:10: found Swagger 2.0, expected OpenAPI 3'],
    ['openapi: 3.1', '1:10: found 3.1, expected text with a version such as 3.1.0'],
    ['openapi: 4.0.0', '1:10: found "4.0.0", expected a version such as 3.1.0'],
  ])('%s', async (version, reason) => {
    const text = `${version}\ninfo: { title: A, version: 1.0.0 }\npaths: {}\n`;
    const [before, after] = [
      folderWith({ 'openapi.yaml': text }),
      folderWith({ 'openapi.yaml': text }),
    ];
    for (const args of [['lint'], ['diff', before], ['review', before]]) {
      expect(await accord(after, ...args)).toContain(`openapi.yaml:${reason}`);
    }
    const started = readContract(pathToFileURL(join(after, 'openapi.yaml')));
    await expect(started).rejects.toThrow(reason);
  });
});

describe('a description with other than objects and lists is refused by name and place:', () => {
  it.each([
    ['info:\npaths: {}', '2:6: found nothing, expected an object'],
    ['paths: [1, 2]', '2:8: found a list, expected an object'],
    ['paths: { /a: 1 }', '2:14: found 1, expected an object'],
    ['paths: { /a: { get: now } }', '2:21: found "now", expected an object'],
    ['components: []', '2:13: found a list, expected an object'],
    ['components: { schemas: { A: } }', '2:29: found nothing, expected an object or a boolean'],
    ['components: { responses: { A: 1 } }', '2:31: found 1, expected an object'],
    ['servers: 3', '2:10: found 3, expected a list'],
    ['info: { title: {} }', '2:16: found an object, expected a string'],
    ['servers: [{ url: }]', '2:18: found nothing, expected a string'],
    ['servers: [{}]', '2:11: "url" is missing'],
    [
      'paths: { /a: { parameters: [{ name: {}, in: b }] } }',
      '2:37: found an object, expected a string',
    ],
    ['components: { parameters: { A: { in: query } } }', '2:32: "name" is missing'],
    ['components: { schemas: { A: { $ref: 3 } } }', '2:37: found 3, expected a string'],
    ['servers: [null]', '2:11: found nothing, expected an object'],
    ['security: hello', '2:11: found "hello", expected a list'],
    ['tags: [a]', '2:8: found "a", expected an object'],
    ['paths: { /a: { parameters: 4 } }', '2:28: found 4, expected a list'],
    ['paths: { /a: { get: { parameters: [null] } } }', '2:36: found nothing, expected an object'],
    ['paths: { /a: { get: { tags: A } } }', '2:29: found "A", expected a list'],
    ['paths: { /a: { get: { responses: { 200: } } } }', '2:41: found nothing, expected an object'],
    [
      'paths: { /a: { get: { responses: { 200: { headers: { x-a: } } } } } }',
      '2:59: found nothing, expected an object',
    ],
    [
      'paths: { /a: { post: { requestBody: { content: { a/b: 5 } } } } }',
      '2:55: found 5, expected an object',
    ],
    [
      'components: { schemas: { A: { properties: { b: { allOf: {} } } } } }',
      '2:57: found an object, expected a list',
    ],
    [
      'components: { schemas: { A: { items: { required: b } } } }',
      '2:50: found "b", expected a list',
    ],
    [
      'paths: { /a: { get: { callbacks: { b: { "{c}": { put: 6 } } } } } }',
      '2:55: found 6, expected an object',
    ],
  ])('%s', (members, reason) => {
    const { value, fail } = readSource(`openapi: 3.1.0\n${members}\n`, 'openapi.yaml');
    expect(() => refuseShapeless(Object(value), fail)).toThrow(`openapi.yaml:${reason}`);
  });

  it('unless it is a reference or an extension', () => {
    const { value, fail } = readSource(
      `openapi: 3.1.0
paths:
  x-a: 1
  /a:
    get:
      callbacks: { b: { $ref: "#/components/callbacks/B", description: C }, d: { x-e: 2 } }
      responses: { x-f: 3, '200': { $ref: "#/components/responses/G" } }
components: { schemas: { H: true, I: { items: false } }, callbacks: { B: { $ref: "#/components/callbacks/J" } } }
`,
      'openapi.yaml',
    );
    expect(() => refuseShapeless(Object(value), fail)).not.toThrow();
  });

  it('by every command that reads one', async () => {
    const files = { 'openapi.yaml': 'openapi: 3.1.0\npaths: { /a: { get: now } }\n' };
    const [before, after] = [folderWith(files), folderWith(files)];
    for (const args of [['lint'], ['diff', before], ['review', before]]) {
      const told = 'openapi.yaml:2:21: found "now", expected an object';
      expect(await accord(after, ...args)).toContain(told);
    }
  });
});

it('extensions beside paths and statuses are none', async () => {
  const text = (members: string, answers: string) => ({
    'openapi.yaml': `openapi: 3.1.0
info: { title: A, version: 1.0.0 }
paths: { ${members} /a: { get: { operationId: a, responses: { ${answers} '204': { description: B } } } } }
`,
  });
  const plain = folderWith(text('', ''));
  const extended = folderWith(text('x-n: null, x-o: { get: {} },', 'x-r: null, x-s: { a: 1 },'));
  expect(await accord(extended, 'diff', plain)).toContain('Nothing has changed');
  expect(await accord(plain, 'diff', extended)).toContain('Nothing has changed');
  expect(await accord(extended, 'review', plain)).toMatch(/^SAFE/);
  const { operations } = await readContract(pathToFileURL(join(extended, 'openapi.yaml')));
  expect(operations.map(({ id }) => id)).toEqual(['a']);
});

it('a schema that refers to itself is told of, and not followed', async () => {
  const circular = `${first.replace('second.yaml#/A', '#/components/schemas/A')}
components: { schemas: { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } } }
`;
  const files = { 'openapi.yaml': circular };
  const [before, after] = [folderWith(files), folderWith(files)];
  for (const command of ['diff', 'review']) {
    expect(await accord(after, command, before)).toContain(
      'expected one that does not lead back to itself',
    );
  }
});

it('a folder that is named as a contract or an output is told with its name', async () => {
  const folder = folderWith({ 'openapi.yaml': first });
  for (const args of [
    ['lint', '--openapi', '.'],
    ['diff', '.', '--output', '.'],
  ]) {
    expect(await accord(folder, ...args)).toContain('. is a folder, expected a file');
  }
});

describe('an empty contract is no contract in which nothing changed:', () => {
  const sdl = 'type Query { a: Int }';
  it.each([
    ['openapi.yaml', '', 'openapi.yaml has no "openapi", which every OpenAPI description has'],
    [
      'openapi.yaml',
      '# later\n',
      'openapi.yaml has no "openapi", which every OpenAPI description has',
    ],
    ['openapi.yaml', '{}', 'openapi.yaml has no "openapi", which every OpenAPI description has'],
    ['schema.graphql', ' \n', 'schema.graphql is empty'],
  ])('%s with %j', async (name, text, reason) => {
    const [before, after] = [folderWith({ [name]: text }), folderWith({ [name]: text })];
    for (const command of ['diff', 'review']) {
      expect(await accord(after, command, before)).toBe(
        `accord ${command}: the working tree: ${reason}\n`,
      );
    }
    writeFileSync(join(after, name), name === 'openapi.yaml' ? '{"openapi":"3.1.0"}' : sdl);
    expect(await accord(after, 'diff', before)).toBe(`accord diff: ${before}: ${reason}\n`);
  });
});
