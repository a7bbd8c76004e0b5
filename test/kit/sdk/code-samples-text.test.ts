import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import type { Document } from '../../../src/kit/contract/openapi-document.ts';
import { createExampleCalls, firstCall } from '../../../src/kit/sdk/example-call.ts';
import { modelOf } from '../../../src/kit/sdk/model.ts';
import { createTypes } from '../../../src/kit/sdk/python/python-models.ts';
import { pythonDocumentSample, pythonSample } from '../../../src/kit/sdk/python/python-sample.ts';
import { pythonRepr } from '../../../src/kit/sdk/python/text.ts';
import { shown } from '../../../src/kit/sdk/typescript/example-text.ts';
import {
  typescriptDocumentSample,
  typescriptSample,
} from '../../../src/kit/sdk/typescript/typescript-sample.ts';
import { knownContract } from '../../support/known-contract.ts';
import { sdkContract } from '../../support/sdk-contract.ts';

const { model, programs } = await programsOf(sdkContract);

describe('a program calls an operation with the examples of the contract:', () => {
  const options = "{ baseUrl: 'https://eu.example/v1' }";
  const imported = (names: string) =>
    `import { ${names} } from 'fleet-of-ships-sdk';\n\nconst fleetOfShips = new FleetOfShips(${options});\n\n`;
  const fromImport = (names: string) =>
    `from fleet_of_ships_sdk import ${names}\n\nfleet_of_ships = FleetOfShips("https://eu.example/v1")\n\n`;
  const photos = `{
  photo: new Blob(['bytes']),
  others: [new Blob(['a']), new Blob(['b'])],
}`;

  it.each([
    [
      'createShip',
      '',
      "ships.create({ name: 'Vasa' })",
      'ShipInput',
      "ships.create(ShipInput(name='Vasa'))",
    ],
    ['getShip', '', 'ships.get(7)', '', 'ships.get(7)'],
    [
      'photos/add',
      '',
      `photos.add(7, ${photos})`,
      'PhotosAddBody',
      "photos.add(7, PhotosAddBody(photo=b'bytes', others=[b'a', b'b']))",
    ],
    ['photos.get-one', '', 'photos.getOne(7)', '', 'photos.get_one(7)'],
    [
      'putV2Files',
      'MediaBody',
      "files.putV2Files(new MediaBody('application/octet-stream', new Blob(['text'])))",
      'MediaBody',
      `files.put_v2_files(MediaBody("application/octet-stream", b'text'))`,
    ],
    [
      'postV2Files',
      'MediaBody',
      `files.postV2Files(new MediaBody('text/plain', 'a "b"'))`,
      'MediaBody',
      `files.post_v2_files(MediaBody("text/plain", 'a "b"'))`,
    ],
    ['patchV2Files', '', "files.patchV2Files('<root/>')", '', "files.patch_v2_files('<root/>')"],
    ['deleteShip', '', 'ships.delete(7)', '', 'ships.delete(7)'],
    ['hasShip', '', 'ships.has(7)', '', 'ships.has(7)'],
  ])('%s', (id, type, typescript, classes, python) => {
    const isSilent = ['deleteShip', 'hasShip', 'photos/add'].includes(id);
    const call = `await fleetOfShips.${typescript};`;
    const types = [type, 'FleetOfShips'].filter(Boolean).join(', ');
    expect(programs(id).typescript).toBe(
      `${imported(types)}${isSilent ? call : `const data = ${call}\nconsole.log(data);`}`,
    );
    const names = ['FleetOfShips', classes].filter(Boolean).join(', ');
    const statement = `fleet_of_ships.${python}`;
    expect(programs(id).python).toBe(
      `${fromImport(names)}${isSilent ? statement : `print(${statement})`}`,
    );
  });

  it('listShips, with credentials and the options that are required', () => {
    expect(programs('listShips')).toEqual({
      typescript: `import { FleetOfShips } from 'fleet-of-ships-sdk';

const fleetOfShips = new FleetOfShips({ baseUrl: 'https://eu.example/v1', credentials: { token: 'my-secret' } });

const data = await fleetOfShips.ships.list({ xTrace: 'abc' });
console.log(data);`,
      python: `from fleet_of_ships_sdk import FleetOfShips

fleet_of_ships = FleetOfShips("https://eu.example/v1", credentials={"token": "my-secret"})

print(fleet_of_ships.ships.list(x_trace='abc'))`,
    });
  });

  it('a document of GraphQL, with variables where it has some', () => {
    const document = { query: 'query A($a: Int) { a(a: $a) }', variables: { a: 1 } };
    const plain = { query: '{ a }', variables: undefined };
    const last = (text: string) => text.split('\n\n').at(-1);
    expect(last(typescriptDocumentSample(model, document))).toBe(
      "const data = await fleetOfShips.graphql.execute('query A($a: Int) { a(a: $a) }', { a: 1 });\nconsole.log(data);",
    );
    expect(typescriptDocumentSample(model, plain)).toBe(
      `${imported('FleetOfShips')}const data = await fleetOfShips.graphql.execute('{ a }');\nconsole.log(data);`,
    );
    expect(last(pythonDocumentSample(model, document))).toBe(
      `print(fleet_of_ships.graphql.execute("query A($a: Int) { a(a: $a) }", {'a': 1}))`,
    );
    expect(pythonDocumentSample(model, plain)).toBe(
      `${fromImport('FleetOfShips')}print(fleet_of_ships.graphql.execute("{ a }"))`,
    );
  });
});

describe('credentials of a program are those that the first alternative needs that can be carried:', () => {
  const schemes = {
    bearer: { type: 'http', scheme: 'bearer' },
    other: { type: 'openIdConnect', openIdConnectUrl: 'https://a.example' },
    basic: { type: 'http', scheme: 'basic' },
    'api key': { type: 'apiKey', in: 'header', name: 'X-Key' },
    tls: { type: 'mutualTLS' },
    digest: { type: 'http', scheme: 'digest' },
  };
  it.each([
    [[{ bearer: [] }], ", token: async () => 'my-token'", ', token=lambda: "my-token"'],
    [
      [{ basic: [] }],
      ", credentials: { basic: { username: 'me', password: 'my-password' } }",
      ', credentials={"basic": ("me", "my-password")}',
    ],
    [
      [
        { tls: [], 'api key': [] },
        { 'api key': [], bearer: [] },
      ],
      `, credentials: { "api key": 'my-secret', bearer: 'my-secret' }`,
      ', credentials={"api key": "my-secret", "bearer": "my-secret"}',
    ],
    [
      [{ bearer: [] }, { other: [] }],
      ", credentials: { bearer: 'my-secret' }",
      ', credentials={"bearer": "my-secret"}',
    ],
    [[{ basic: [] }, {}], '', ''],
    [[{ tls: [] }, { digest: [] }], '', ''],
    [[], '', ''],
  ])('%j', async (security, typescript, python) => {
    const get = { operationId: 'a', security, responses: { 204: { description: '' } } };
    const own = await programsOf({
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      paths: { '/a': { get } },
      components: { securitySchemes: schemes },
    });
    expect(own.programs('a').typescript).toContain(
      `{ baseUrl: 'http://127.0.0.1:3000'${typescript} }`,
    );
    expect(own.programs('a').python).toContain(`T("http://127.0.0.1:3000"${python})`);
    const lacking = security
      .flatMap((each) => Object.keys(each))
      .filter((name) => /tls|dig/.test(name));
    expect(own.model.leftOut).toEqual(
      lacking.map(
        (name) =>
          `the security scheme ${name} is left out: the SDK carries keys, passwords and bearer tokens`,
      ),
    );
  });
});

it('a security scheme that is not declared is none', async () => {
  const get = {
    operationId: 'a',
    security: [{ none: [] }],
    responses: { 204: { description: '' } },
  };
  const contract = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { '/a': { get } },
  };
  const { document } = await parseContract(JSON.stringify(contract), 'a.json', { lenient: true });
  const own = programsIn(document);
  expect([own.model.schemes, own.model.leftOut]).toEqual([[], []]);
  expect(own.programs('a').typescript).toContain("{ baseUrl: 'http://127.0.0.1:3000' }");
});

describe('a value of a program', () => {
  it.each([
    [null, 'null', 'None'],
    [true, 'true', 'True'],
    [false, 'false', 'False'],
    [1.5, '1.5', '1.5'],
    ['a', "'a'", "'a'"],
    ["it's", `"it's"`, `"it's"`],
    [`it's "a"`, '`it\'s "a"`', `'it\\'s "a"'`],
    ['say "a"', `'say "a"'`, `'say "a"'`],
    ['a\nb\\', "'a\\nb\\\\'", "'a\\nb\\\\'"],
    [[], '[]', '[]'],
    [[1, 'a'], "[1, 'a']", "[1, 'a']"],
    [{}, '{}', '{}'],
    [{ a: [{ 'b-c': null }] }, '{ a: [{ "b-c": null }] }', "{'a': [{'b-c': None}]}"],
  ])('%j is written as the language has it', (value, typescript, python) => {
    expect([shown(value), pythonRepr(value)]).toEqual([typescript, python]);
  });

  it('has a line for each member where 72 characters do not hold it', () => {
    const [fits, long] = [
      ['a'.repeat(33), 'b'.repeat(31)],
      ['a'.repeat(33), 'b'.repeat(32)],
    ];
    expect(shown(fits)).toBe(`['${fits[0]}', '${fits[1]}']`);
    expect(shown(fits)).toHaveLength(72);
    expect(shown(long)).toBe(`[\n  '${long[0]}',\n  '${long[1]}',\n]`);
    expect(shown({ of: long })).toBe(`{\n  of: [\n    '${long[0]}',\n    '${long[1]}',\n  ],\n}`);
  });
});

it('the call that shows an SDK best is a read that takes little and gives JSON', () => {
  const calls = model.groups.flatMap((group) => group.calls);
  const best = (...ids: string[]) =>
    firstCall(ids.map((id) => calls.find((each) => each.operationId === id) ?? expect.fail(id)))
      ?.operationId;
  // Each beats the next: what a call lacks weighs more than what it takes.
  expect(best('listShips', 'getShip')).toBe('getShip');
  expect(best('getV2Files', 'listShips')).toBe('listShips');
  expect(best('createShip', 'photos.get-one')).toBe('photos.get-one');
  expect(best('putV2Files', 'replaceShip')).toBe('replaceShip');
  expect(best('putV2Files', 'deleteShip')).toBe('deleteShip');
  expect(best('photos/add', 'putV2Files')).toBe('putV2Files');
  expect(best('optionsV2Files', 'getV2Files')).toBe('getV2Files');
  expect(best('photos.get-one', 'getV2Files')).toBe('getV2Files');
  expect(firstCall([])).toBeUndefined();
});

async function programsOf(contract: object) {
  return programsIn((await knownContract(contract)).document);
}

function programsIn(document: Document) {
  const model = modelOf({ document, schema: undefined, digest: '' });
  const types = createTypes(model);
  const exampleOf = createExampleCalls({ document });
  const programs = (id: string) => {
    for (const group of model.groups) {
      const call = group.calls.find(({ operationId }) => operationId === id);
      if (!call) continue;
      const example = exampleOf(call);
      return {
        typescript: typescriptSample(model, group, call, example),
        python: pythonSample(model, types, group, call, example),
      };
    }
    return expect.fail(id);
  };
  return { model, programs };
}
