import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Contract, readContract } from '../../../src/kit/contract/contract.ts';

const root = mkdtempSync(join(tmpdir(), 'file-check-'));
const asked: unknown[] = [];
const elsewhere = createHttpServer(({ url }, response) => {
  asked.push(url);
  response.end('type: string\n');
});
let address = '';

beforeAll(async () => {
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
  address = `http://127.0.0.1:${Object(elsewhere.address()).port}`;
});
afterAll(() => {
  elsewhere.close();
  rmSync(root, { recursive: true });
});

type Files = Readonly<Record<string, string>>;

function folderWith(files: Files): string {
  const folder = mkdtempSync(join(root, 'contract-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** A contract with a schema, and what stands beside its schemas. */
const yaml = (schema: string, more = '') => `openapi: 3.1.0
info: { title: T, version: '1' }
paths: {}
components:
  schemas:
    S: ${schema}
${more}`;

const json = (schema: unknown) => `{ "openapi": "3.1.0",
"info": { "title": "T", "version": "1" },
"paths": {},
"components": { "schemas": {
"S": ${JSON.stringify(schema)} } } }`;

const to = (ref: string) => `{ $ref: ${JSON.stringify(ref)} }`;

function read(folder: string, name = 'openapi.yaml'): Promise<Contract> {
  return readContract(pathToFileURL(join(folder, name)));
}

/** The line with which a contract is refused. */
function refusal(text: string, files: Files = {}, name = 'openapi.yaml'): Promise<unknown> {
  return lineOf(folderWith({ ...files, [name]: text }), name);
}

function lineOf(folder: string, name = 'openapi.yaml'): Promise<unknown> {
  return read(folder, name).then(
    () => 'accepted',
    ({ message }) => message,
  );
}

function schemasOf({ document }: Contract): unknown {
  return document.components?.schemas;
}

const ADDRESS =
  'expected a file: addresses are not fetched, copy what is there beside the contract';
const MISSING = 'which is not there; expected a file';
const UNREADABLE = 'expected a file that can be read';
const CIRCULAR = 'expected one that does not lead back to itself';

describe('an address is not fetched, and refused at its place:', () => {
  it.each([
    'http://127.0.0.1:1/x.yaml',
    'HTTPS://a.example/x.yaml#/A',
    '//a.example/x.yaml',
    'ftp://a.example/x.yaml',
    'file:///etc/passwd',
    'urn:a:b',
    'data:application/json,{}',
    'h2+x-1.y:z',
  ])('%s', async (ref) => {
    const line = `found "${ref}", ${ADDRESS}`;
    expect(await refusal(yaml(to(ref)))).toBe(`openapi.yaml:6:16: ${line}`);
    expect(await refusal(json({ $ref: ref }), {}, 'openapi.json')).toBe(
      `openapi.json:5:14: ${line}`,
    );
  });

  const mapped = (ref: string) =>
    yaml(
      `{ oneOf: [${to('b.yaml')}], discriminator: { propertyName: a, mapping: { b: ${JSON.stringify(ref)} } } }`,
    );
  it.each<[string, (ref: string) => string, string]>([
    [
      'in place of a path',
      (ref) => yaml('{}', `x-a: 1\n`).replace('{}', `{ /a: ${to(ref)} }`),
      '3:22',
    ],
    ['in a list of examples', (ref) => yaml(`{ examples: [${to(ref)}] }`), '6:29'],
    ['in an extension', (ref) => yaml(`{ x-a: ${to(ref)} }`), '6:23'],
    ['in an unknown keyword', (ref) => yaml(`{ a: ${to(ref)} }`), '6:21'],
    ['as a map', (ref) => yaml(`{ properties: ${to(ref)} }`), '6:30'],
    ['in a mapping', mapped, '6:87'],
  ])('%s', async (_, text, place) => {
    const ref = `${address}/x.yaml`;
    expect(await refusal(text(ref), { 'b.yaml': 'type: object' })).toBe(
      `openapi.yaml:${place}: found "${ref}", ${ADDRESS}`,
    );
    expect(asked).toEqual([]);
  });

  it('in a further file', async () => {
    const files = { 'b.yaml': `B:\n  not: ${to(`${address}/x.yaml`)}\n` };
    expect(await refusal(yaml(to('b.yaml#/B')), files)).toBe(
      `b.yaml:2:16: found "${address}/x.yaml", ${ADDRESS}`,
    );
    expect(asked).toEqual([]);
  });

  it.each(['example', 'default', 'const'])('unless it is data: %s', async (name) => {
    const folder = folderWith({ 'openapi.yaml': yaml(`{ ${name}: ${to(`${address}/x.yaml`)} }`) });
    expect(schemasOf(await read(folder))).toEqual({ S: { [name]: { $ref: `${address}/x.yaml` } } });
    expect(asked).toEqual([]);
  });

  it('unless an example has its value there', async () => {
    const more = `  examples: { E: { externalValue: '${address}/e.json' } }`;
    const folder = folderWith({
      'openapi.yaml': yaml(to('b.yaml'), more),
      'b.yaml': 'type: string',
    });
    const { document } = await read(folder);
    expect(document.components?.examples).toEqual({ E: { externalValue: `${address}/e.json` } });
    expect(asked).toEqual([]);
  });
});

describe('what is no file is refused where it is referred to, and not waited for:', () => {
  const makers: readonly (readonly [string, string, (path: string) => unknown])[] = [
    ['a pipe', 'p.yaml', (path) => execFileSync('mkfifo', [path])],
    ['a pipe of text', 'p.txt', (path) => execFileSync('mkfifo', [path])],
    ['a folder', 'p.json', (path) => mkdirSync(path)],
    ['a socket', 'p.yml', (path) => once(createServer().listen(path).unref(), 'listening')],
    ['a link to itself', 'p.yaml', (path) => symlinkSync(path, path)],
    ['a name of 300 letters', `${'a'.repeat(300)}.yaml`, () => {}],
    ['a name with a NUL', 'a\0.yaml', () => {}],
  ];
  it.each(makers)('%s', async (_, name, make) => {
    const folder = folderWith({ 'openapi.yaml': yaml(to(name)), 'a.json': json({ $ref: name }) });
    await make(join(folder, name));
    const line = `found ${JSON.stringify(name)}, ${UNREADABLE}`;
    expect(await lineOf(folder)).toBe(`openapi.yaml:6:16: ${line}`);
    expect(await lineOf(folder, 'a.json')).toBe(`a.json:5:14: ${line}`);
  });

  it.skipIf(!existsSync('/proc/kmsg'))('a file of the kernel that waits', async () => {
    expect(await refusal(yaml(to('/proc/kmsg')))).toBe(
      `openapi.yaml:6:16: found "/proc/kmsg", ${UNREADABLE}`,
    );
  });

  const examples = "  examples: { E: { externalValue: 'p.yaml' } }";
  it.each([
    ['as an example', yaml('{ example: { $ref: p.yaml } }'), '6:27'],
    ['as an extension', yaml('{ x-a: { $ref: p.yaml } }'), '6:23'],
    ['as the properties', yaml('{ properties: { $ref: p.yaml } }'), '6:30'],
    ['in a member of a map', yaml('{ properties: { default: { $ref: p.yaml } } }'), '6:41'],
    ['as the value of an example', yaml(to('b.yaml'), examples), '7:18'],
    [
      'in a mapping',
      yaml(
        '{ oneOf: [{ $ref: b.yaml }], discriminator: { propertyName: a, mapping: { b: p.yaml } } }',
      ),
      '6:85',
    ],
  ])('a pipe %s', async (_, text, place) => {
    const folder = folderWith({ 'openapi.yaml': text, 'b.yaml': 'type: object' });
    expect(await lineOf(folder)).toBe(`openapi.yaml:${place}: found "p.yaml", ${MISSING}`);
    execFileSync('mkfifo', [join(folder, 'p.yaml')]);
    expect(await lineOf(folder)).toBe(`openapi.yaml:${place}: found "p.yaml", ${UNREADABLE}`);
  });

  it('a pipe that only data name is not read', async () => {
    const folder = folderWith({
      'openapi.yaml': yaml(`{ allOf: [${to('b.yaml#/B')}], default: ${to('p.yaml')}, minimun: 1 }`),
      'b.yaml': `B: { const: ${to('p.yaml')} }`,
    });
    execFileSync('mkfifo', [join(folder, 'p.yaml')]);
    expect(await lineOf(folder)).toMatch(/^openapi\.yaml:6:\d+: unknown keyword "minimun"/);
  });
});

describe('a reference that leads nowhere is told at its place:', () => {
  type Row = [what: string, schema: string, files: Files, line: string];
  it.each<Row>([
    ['a file', to('b.yaml'), {}, `openapi.yaml:6:16: found "b.yaml", ${MISSING}`],
    [
      'a file among examples',
      `{ examples: [${to('b.yaml')}] }`,
      {},
      `openapi.yaml:6:29: found "b.yaml", ${MISSING}`,
    ],
    [
      'a part',
      to('b.yaml#/B/c'),
      { 'b.yaml': 'B: { toString: {} }' },
      'openapi.yaml:6:16: found "b.yaml#/B/c", which is not there; expected a part of b.yaml',
    ],
    [
      'a part that is nearly there',
      to('b.yaml#/Pett'),
      { 'b.yaml': 'Pet: {}' },
      'openapi.yaml:6:16: found "b.yaml#/Pett", which is not there; did you mean "Pet"?',
    ],
    [
      'what every object has',
      to('x/b.yaml#/constructor'),
      { 'x/b.yaml': 'Something: {}' },
      'openapi.yaml:6:16: found "x/b.yaml#/constructor", which is not there; expected a part of x/b.yaml',
    ],
    [
      'what every object has, in its own file',
      to('b.yaml'),
      { 'b.yaml': `not: ${to('#/__proto__')}` },
      'b.yaml:1:14: found "#/__proto__", which is not there; expected a part of this document',
    ],
    [
      'what every object has, as an example',
      `{ example: ${to('b.yaml#/constructor')} }`,
      { 'b.yaml': 'Something: {}' },
      'openapi.yaml:6:27: found "b.yaml#/constructor", which is not there; expected a part of b.yaml',
    ],
    [
      'the length of a list',
      to('b.yaml#/B/length'),
      { 'b.yaml': 'B: [1]' },
      'openapi.yaml:6:16: found "b.yaml#/B/length", which is not there; expected a part of b.yaml',
    ],
    [
      'a part of text',
      to('b.txt#/a'),
      { 'b.txt': 'a: 1' },
      'openapi.yaml:6:16: found "b.txt#/a", which is not there; expected a part of b.txt',
    ],
    [
      'a name instead of a path',
      to('b.yaml#B'),
      { 'b.yaml': '$anchor: B' },
      'openapi.yaml:6:16: found "b.yaml#B", expected the path of a part, such as #/B',
    ],
    [
      'a name in the same file',
      to('b.yaml#/B'),
      { 'b.yaml': `B: ${to('#C')}\nC: { $anchor: C }` },
      'b.yaml:1:12: found "#C", expected the path of a part, such as #/C',
    ],
    [
      'nothing',
      to(''),
      {},
      'openapi.yaml:6:16: found "", expected a reference within this document, such as #/components/schemas/Name',
    ],
    [
      'itself',
      to('b.yaml'),
      { 'b.yaml': '$ref: b.yaml' },
      `openapi.yaml:6:16: found "b.yaml", ${CIRCULAR}`,
    ],
    [
      'itself, by its own part',
      to('b.yaml#/A'),
      { 'b.yaml': `A: ${to('#/A/x')}` },
      `openapi.yaml:6:16: found "b.yaml#/A", ${CIRCULAR}`,
    ],
    [
      'itself, as an example',
      `{ example: ${to('b.yaml')} }`,
      { 'b.yaml': '$ref: "#"' },
      `openapi.yaml:6:27: found "b.yaml", ${CIRCULAR}`,
    ],
    [
      'itself, where only the bundler looks',
      `{ properties: ${to('b.yaml')} }`,
      { 'b.yaml': `default: ${to('#/default')}` },
      'openapi.yaml:1:1: Self-referencing circular pointer',
    ],
    [
      'a file, behind another reference',
      to('b.yaml#/A'),
      { 'b.yaml': `A: ${to('c.yaml')}` },
      `b.yaml:1:12: found "c.yaml", ${MISSING}`,
    ],
    [
      'a file, behind the path of another reference',
      to('b.yaml#/A/x'),
      { 'b.yaml': `A: ${to('c.yaml')}` },
      `b.yaml:1:12: found "c.yaml", ${MISSING}`,
    ],
  ])('%s', async (_, schema, files, line) => {
    expect(await refusal(yaml(schema), files)).toBe(line);
  });

  it('unless no reference leads to where it stands', async () => {
    const unused = `C: ${to('none.yaml')}\nD: ${to('#/D')}\nE: ${to('http://a.example')}`;
    const folder = folderWith({
      'openapi.yaml': yaml(to('b.yaml#/A')),
      'b.yaml': `A: { type: string }\n${unused}`,
    });
    expect(schemasOf(await read(folder))).toEqual({
      S: { $ref: '#/components/schemas/A' },
      A: { type: 'string' },
    });
  });
});

describe('a reference names a file as RFC 3986 says, or as the file is called:', () => {
  it.each([
    ['./my%20file.yaml', 'my file.yaml', 'my-file'],
    ['./my file.yaml', 'my file.yaml', 'my-file'],
    ['a%23b.yaml', 'a#b.yaml', 'a-b'],
    ['%C3%A4.yaml', 'ä.yaml', '-'],
    ['100%.yaml', '100%.yaml', '100-'],
    ['100%25.yaml', '100%.yaml', '100-'],
    ['x%2Fa.b_c-1.YAML', 'x/a.b_c-1.YAML', 'a.b_c-1'],
    ['b.yaml#', 'b.yaml', 'b'],
  ])('%s', async (ref, file, name) => {
    const folder = folderWith({ 'openapi.yaml': yaml(to(ref)), [file]: 'type: string' });
    expect(schemasOf(await read(folder))).toEqual({
      S: { $ref: `#/components/schemas/${name}` },
      [name]: { type: 'string' },
    });
    const broken = folderWith({ 'openapi.yaml': yaml(to(ref)), [file]: '\nminimun: 1' });
    expect(await lineOf(broken)).toMatch(`${file}:2:1: unknown keyword "minimun"`);
  });

  it('and a part of it', async () => {
    const folder = folderWith({
      'openapi.yaml': yaml(to('b.yaml#/my%20parts/a~1b/~0c/C')),
      'b.yaml': 'my parts: { a/b: { "~c": { C: { type: string } } } }',
    });
    expect(schemasOf(await read(folder))).toMatchObject({ C: { type: 'string' } });
  });

  it('and files whose names differ only in what a component cannot be called stay apart', async () => {
    const folder = folderWith({
      'openapi.yaml': yaml(
        `{ allOf: [${['a b', 'a-b', 'a+b'].map((each) => to(`${each}.yaml`))}] }`,
      ),
      'a b.yaml': `properties: { a: ${to('a b.yaml')} }`,
      'a-b.yaml': 'type: string',
      'a+b.yaml': 'type: integer',
    });
    const { S, ...others } = Object(schemasOf(await read(folder)));
    const named = (ref: unknown) => others[String(ref).replace('#/components/schemas/', '')];
    const refs = S.allOf.map((each: { $ref: unknown }) => each.$ref);
    expect(refs.map(named)).toEqual([
      { properties: { a: { $ref: refs[0] } } },
      { type: 'string' },
      { type: 'integer' },
    ]);
  });
});

describe('what a further file holds is refused with its place there:', () => {
  const nested = (levels: number) => `${'{"not":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const deep = (levels: number) => `a:\n ${'['.repeat(levels)}${']'.repeat(levels)}`;
  const aliases = Array.from({ length: 9 }, (_, i) => {
    const inner = i === 0 ? 'x' : `*l${i - 1}`;
    return `l${i}: &l${i} [${Array.from({ length: 9 }, () => inner)}]`;
  });
  it.each<[string, string, string, string | RegExp]>([
    [
      '20,000 levels of YAML',
      'b.yaml',
      deep(20_000),
      /^b\.yaml:2:\d+: found too many levels, expected fewer$/,
    ],
    [
      '20,000 levels of JSON',
      'b.json',
      nested(20_000),
      'b.json:1:1401: found more than 200 levels, expected fewer',
    ],
    [
      '201 levels of JSON',
      'b.json',
      nested(201),
      'b.json:1:1401: found more than 200 levels, expected fewer',
    ],
    // The value at the end of all of them is reached.
    [
      '200 levels of JSON',
      'b.json',
      nested(200),
      'b.json:1:1401: found 1, expected an object or a boolean',
    ],
    [
      '201 levels of YAML',
      'b.yaml',
      `not:\n ${nested(200)}`,
      'b.yaml:2:1395: found more than 200 levels, expected fewer',
    ],
    [
      '200 levels of YAML',
      'b.yaml',
      `not:\n ${nested(199)}`,
      'b.yaml:2:1395: found 1, expected an object or a boolean',
    ],
    [
      'a name twice in JSON',
      'b.json',
      '{ "a": 1,\n "a": 2 }',
      'b.json:2:2: not YAML: Map keys must be unique; found "\\"a\\": 2 }"',
    ],
    [
      'aliases that multiply',
      'b.yaml',
      aliases.join('\n'),
      'b.yaml:1:1: found aliases that stand for very many values, expected fewer',
    ],
  ])('%s', async (_, name, text, line) => {
    const files = { [name]: text };
    for (const told of [
      await refusal(yaml(to(name)), files),
      await refusal(json({ $ref: name }), files, 'openapi.json'),
    ]) {
      expect(told).toStrictEqual(typeof line === 'string' ? line : expect.stringMatching(line));
    }
  });

  it('what only the bundler does not read, with the place of the reference too', async () => {
    const files = { 'b.yaml': 'type: string\nx-a: !unknown 1\n' };
    expect(await refusal(yaml(to('b.yaml')), files)).toMatch(
      /^openapi\.yaml:6:\d+: .*b\.yaml:2:6: not YAML: unknown .*tag/,
    );
  });

  it('and so is the first file', async () => {
    const deepest = json({ $ref: 'b.yaml' }).replace('{ "title"', `{ "a": ${nested(200)}, "title"`);
    expect(await refusal(deepest, {}, 'openapi.json')).toMatch(
      /^openapi\.json:2:\d+: found more than 200 levels, expected fewer$/,
    );
    expect(
      await refusal(yaml(to('b.yaml')).replace('{}', '!unknown {}'), { 'b.yaml': '{}' }),
    ).toMatch(/^openapi\.yaml:3:8: not YAML: unknown .*tag/);
  });
});

it('text and more than a hundred levels may be in further files', async () => {
  const levels = 150;
  const folder = folderWith({
    'openapi.yaml': yaml(to('b.yaml')).replace('title: T', 'title: { $ref: t.md }'),
    't.md': 'A [title]: of &text {',
    'b.yaml': `${'{"not":'.repeat(levels)}{}${'}'.repeat(levels)}`,
  });
  const { document } = await read(folder);
  expect(document.info.title).toBe('A [title]: of &text {');
});

it('schemas of which each leads to the next may be too many to be bundled, which is told', async () => {
  const next = (_: unknown, i: number) => `S${i}: { properties: { a: { $ref: '#/S${i + 1}' } } }\n`;
  const chain = `${Array.from({ length: 5000 }, next).join('')}S5000: { type: string }\n`;
  const folder = folderWith({ 'openapi.yaml': yaml(to('./x.yaml#/S0')), 'x.yaml': chain });
  await expect(read(folder)).rejects.toThrow(
    /^openapi\.yaml:1:1: found references that lead from one to the next too often, expected fewer$/,
  );
});
