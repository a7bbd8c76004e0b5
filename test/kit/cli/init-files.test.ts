// engines: sqlite
// long: compiles the handlers of several contracts
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { afterAll, describe, expect, it } from 'vitest';
import { contractTypes } from '../../../src/kit/cli/generate/contract-types.ts';
import { copyOpenapi } from '../../../src/kit/cli/init/contract-copy.ts';
import { exampleHandler } from '../../../src/kit/cli/init/example-handler.ts';
import { exampleResolver } from '../../../src/kit/cli/init/example-resolver.ts';
import { literalText } from '../../../src/kit/cli/init/literal-text.ts';
import { projectFiles } from '../../../src/kit/cli/init/project-files.ts';
import { readContract } from '../../../src/kit/contract/contract.ts';
import { distinctContracts } from '../../../tools/support/foreign-contracts.ts';
import { compileFiles } from '../../support/compile.ts';

const folder = mkdtempSync(join(tmpdir(), 'accord-init-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Each is in the suite of others' contracts; these have many kinds of bodies. */
const compiled =
  /galaxy\/3\.1|train-travel|petstore\.json|star-trek|readme-legacy|discriminators|3\.1\/json\/(webhooks|callbacks)/;

describe('the handler that accord init writes', () => {
  it.each(distinctContracts().filter(({ name }) => compiled.test(name)))(
    'compiles, for $name',
    async ({ file }) => {
      const contract = await readContract(file, { lenient: true });
      const handler = exampleHandler(contract);
      const files = projectFiles({
        name: 'a',
        contracts: { openapi: 'openapi.yaml' },
        handler,
        resolver: undefined,
        doubts: [],
      });
      const text = String(files['src/handlers.ts']).replace("'accord'", "'../src/kit/public.ts'");
      const types = await contractTypes(contract);
      expect(
        compileFiles({ 'init/generated/openapi.d.ts': types, 'init/handlers.ts': local(text) }),
      ).toEqual([]);
    },
  );

  const local = (text: string) => text.replace("'../generated/", "'./generated/");

  it('is one that belongs to no collection, where there is one', async () => {
    const galaxy = distinctContracts().find(({ name }) => /galaxy\/3\.1/.test(name));
    if (!galaxy) throw new Error('there is no galaxy');
    expect(exampleHandler(await readContract(galaxy.file))).toMatch(/^ {2}createUser: /);
  });
});

describe('the resolver that accord init writes', () => {
  it.each([
    [
      'type Query { things: [Thing!]! motto: String! } type Thing { id: ID! }',
      "motto: () => 'Hello'",
    ],
    [
      'type Query { me: Me } type Me { id: ID! friend: Me all: [Me!]! }',
      "me: () => ({ id: '1', friend: null, all: [] })",
    ],
    ['type Query { any: Any me: Int } union Any = A type A { a: Int }', 'me: () => 1'],
  ])('answers %s', (sdl, text) => {
    expect(exampleResolver(buildSchema(sdl))).toContain(text);
  });

  it('is none where no value can be made', () => {
    const endless = buildSchema('type Query { me: Me } type Me { mother: Me! }');
    expect(exampleResolver(endless)).toBe(undefined);
  });
});

it('values are written as TypeScript', () => {
  const value = {
    a: 'it\'s "so"',
    'b-c': [1, null, true],
    __proto: {},
    ['__proto__']: 1,
    d: '\n\\',
  };
  const text = literalText(value);
  expect(Object.entries(new Function(`return ${text}`)())).toEqual(Object.entries(value));
});

describe('accord init', () => {
  const cli = new URL('../../../src/kit/cli/accord.ts', import.meta.url).pathname;
  const init = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'init', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };

  it('writes a project, keeps a README that is there, and refuses to overwrite anything', () => {
    mkdirSync(join(folder, 'one'));
    writeFileSync(join(folder, 'one/README.md'), 'mine');
    const { status, stdout } = init('one');
    expect(status).toBe(0);
    expect(stdout).toContain('one/README.md was there already and stays as it is.');
    expect(readFileSync(join(folder, 'one/README.md'), 'utf8')).toBe('mine');
    for (const name of ['generated/openapi.d.ts', 'generated/graphql.d.ts', 'codegen.ts']) {
      expect(existsSync(join(folder, 'one', name)), name).toBe(true);
    }
    const again = init('one');
    expect(again.status).toBe(2);
    expect(again.stderr).toContain('one/package.json is there already');
  });

  it('copies all files of a contract, and says what is doubtful in it', () => {
    mkdirSync(join(folder, 'from/api'), { recursive: true });
    writeFileSync(
      join(folder, 'from/port.json'),
      JSON.stringify({ type: 'object', properties: {} }),
    );
    writeFileSync(join(folder, 'from/api/root.yaml'), doubtful);
    expect(Object.keys(copyOpenapi(join(folder, 'from/api/root.yaml')).files).sort()).toEqual([
      'openapi/api/root.yaml',
      'openapi/port.json',
    ]);
    const { status, stderr } = init('two', '--openapi', 'from/api/root.yaml');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(existsSync(join(folder, 'two/openapi/port.json'))).toBe(true);
    const api = readFileSync(join(folder, 'two/src/api.ts'), 'utf8');
    expect(api).toMatch(/\/\/ root\.yaml:\d+:\d+: .*\n {2}lenient: true,/);
    expect(api).toContain("new URL('../openapi/api/root.yaml', import.meta.url)");
    expect(existsSync(join(folder, 'two/codegen.ts'))).toBe(false);
  });

  it.each([
    [[], 'takes a folder'],
    [['x', '--openapi', 'none.yaml'], 'there is no file none.yaml'],
    [['x', '--kit', 'none.tgz'], 'there is no file none.tgz'],
    [['x', '--openapi', 'from/port.json'], 'port.json:1:1: '],
  ])('refuses %j with one line', (args, line) => {
    const { status, stderr } = init(...args);
    expect(status).toBe(2);
    expect(stderr).toContain(line);
    expect(existsSync(join(folder, 'x'))).toBe(false);
  });
});

const doubtful = `openapi: 3.1.0
info: { title: Several, version: 1.0.0 }
paths:
  /ports/{id}:
    get:
      operationId: getPort
      security: [{ absent: [] }]
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer } }
      responses:
        "200":
          description: The port.
          content: { application/json: { schema: { $ref: ../port.json } } }
`;
