// engines: sqlite
import { describe, expect, it } from 'vitest';
import { graphqlOf } from '../../../src/kit/cli/sdk/graphql-operations.ts';
import { pythonFiles } from '../../../src/kit/cli/sdk/python/python-files.ts';
import { readme as pythonReadme } from '../../../src/kit/cli/sdk/python/python-readme.ts';
import { type Sources, sourcesOf } from '../../../src/kit/cli/sdk/sdk-sources.ts';
import { typescriptFiles } from '../../../src/kit/cli/sdk/typescript/typescript-files.ts';
import { readme } from '../../../src/kit/cli/sdk/typescript/typescript-readme.ts';
import { contractDigest, emptyContract } from '../../../src/kit/contract/contract.ts';
import { readSdl } from '../../../src/kit/graphql/sdl-check.ts';
import { modelOf } from '../../../src/kit/sdk/model.ts';
import { createTypes } from '../../../src/kit/sdk/python/python-models.ts';
import { sdkContract } from '../../support/sdk-contract.ts';
import { buoy, closed, harbour, motto, ports } from '../../support/sdk-contracts.ts';

const ships = { openapi: JSON.stringify(sdkContract), sdl: '', operations: '' };
const contracts = { ports, harbour, buoy, motto, closed, ships };

async function sourcesIn({ openapi, sdl, operations }: typeof ports): Promise<Sources> {
  if (openapi !== '') return sourcesOf({ name: 'here', openapi, sdl }, operations);
  const { document } = await emptyContract();
  const { schema } = readSdl(sdl, 'schema.graphql');
  return { openapi, sdl, schema, operations, document, digest: contractDigest(openapi, sdl) };
}

function together(files: Readonly<Record<string, string>>): string {
  return Object.entries(files)
    .map(([name, text]) => `=== ${name}\n${text}`)
    .join('\n');
}

describe.each(Object.entries(contracts))('the SDK of %s is as written', (name, contract) => {
  const called = contract.openapi === '' ? 'Sea' : undefined;

  it('in TypeScript', async () => {
    const sources = await sourcesIn(contract);
    const model = modelOf(sources, called);
    const graphql = graphqlOf(sources);
    const files = {
      ...(await typescriptFiles(model, sources, graphql)),
      'README.md': readme(model, sources, graphql),
    };
    await expect(together(files)).toMatchFileSnapshot(`expected/sdk-${name}-typescript.txt`);
  });

  it('in Python', async () => {
    const sources = await sourcesIn(contract);
    const model = modelOf(sources, called);
    const types = createTypes(model);
    const files = {
      ...pythonFiles(model, sources, types),
      'README.md': pythonReadme(model, sources, types),
    };
    await expect(together(files)).toMatchFileSnapshot(`expected/sdk-${name}-python.txt`);
  });
});

it.each([
  ['has examples of a collection that is complete', 'version: 1.2.0', 'version: 1.2.1', true],
  [
    'has examples of the first collection that is complete',
    /tags: \[(.*)\]\npaths:\n/,
    "tags: [{ name: anchors }, $1]\npaths:\n  /anchors: { get: { operationId: listAnchors, tags: [anchors], responses: { '204': { description: None. } } } }\n",
    true,
  ],
  [
    'has none without an id',
    'schema: { type: integer }, example: 1',
    'schema: { type: integer }',
    false,
  ],
  [
    'has none without a limit',
    'schema: { type: integer }, example: 2',
    'schema: { type: integer }',
    false,
  ],
  [
    'has none without a word on what is missing',
    ', example: { detail: There is no such port. }',
    '',
    false,
  ],
  ['has none without a list', /example: \[\{.*/, '', false],
  [
    'has none without a number to count',
    /piers: \{ type: integer/g,
    'piers: { type: string',
    false,
  ],
  ['has none without a delete', / {4}delete:[\s\S]*?(?=components:)/, '', false],
  ['has none without a create', / {4}post:[\s\S]*?(?= {2}\/ports\/)/, '', false],
  ['has none without pages', '{ name: after,', '{ name: before,', false],
  [
    'has none without a way to write back',
    '$response.header.ETag',
    '$response.header.Other',
    false,
  ],
  [
    'has none without a name of what is created',
    "schema: { $ref: '#/components/schemas/PortInput' }\n            example",
    'schema: { type: object }\n            example',
    false,
  ],
  [
    'has none without a name of what is given back',
    "schema: { $ref: '#/components/schemas/Port' }\n              example: { id: 3",
    'schema: { type: object }\n              example: { id: 3',
    false,
  ],
  [
    'has none without a name of what is read',
    /\$ref: '#\/components\/schemas\/Port'(?= \}\n {14}example: \{ id: 1| \} \} \})/g,
    'type: object, properties: { piers: { type: integer } }',
    false,
  ],
  [
    'has none without a name of what replaces',
    "schema: { $ref: '#/components/schemas/PortInput' } } } }",
    'schema: { type: object } } } }',
    false,
  ],
  [
    'has none where only a part of the path says where to create',
    '    post:\n',
    '  /seas/{sea}:\n    parameters: [{ name: sea, in: path, required: true, schema: {} }]\n    post:\n',
    false,
  ],
  [
    'has those of the create that takes a body',
    '  /ports:\n',
    "  /close: { post: { tags: [ports], responses: { '204': { description: Done. } } } }\n  /ports:\n",
    true,
  ],
  [
    'has those of a page of one',
    'type: integer }, example: 2',
    'type: integer }, example: 1',
    true,
  ],
  ['has none of no page', 'type: integer }, example: 2', 'type: integer }, example: 0', false],
  ['has none of the id 0', 'type: integer }, example: 1', 'type: integer }, example: 0', false],
])('a README %s', async (_, from, to, isFull) => {
  const openapi = ports.openapi.replace(from, to);
  expect(openapi).not.toBe(ports.openapi);
  const sources = await sourcesIn({ ...ports, openapi });
  const model = modelOf(sources);
  const text = readme(model, sources, graphqlOf(sources));
  expect(text.includes('## Changing what others change too')).toBe(isFull);
  const types = createTypes(model);
  expect(pythonReadme(model, sources, types).includes('if_match=reply')).toBe(isFull);
});

it('a README has none without a query that has variables and an answer', async () => {
  for (const [from, to] of [
    ['# variables {"id": "1"}\n', ''],
    [/# answers .*\n/, ''],
  ] as const) {
    const sources = await sourcesIn({ ...ports, operations: ports.operations.replace(from, to) });
    const model = modelOf(sources);
    expect(readme(model, sources, graphqlOf(sources))).not.toContain('## Changing what others');
  }
});

it.each([
  ['plain', { ...ports, operations: ports.operations.replace(/# answers .*\n/, '') }],
  ['graphql', { ...ports, openapi: '' }],
])('a README of %s operations is as written', async (name, contract) => {
  const sources = await sourcesIn(contract);
  const model = modelOf(sources, 'Sea');
  const text = together({
    typescript: readme(model, sources, graphqlOf(sources)),
    python: pythonReadme(model, sources, createTypes(model)),
  });
  await expect(text).toMatchFileSnapshot(`expected/sdk-readme-${name}.txt`);
});

it('a README shows the first query that has variables', async () => {
  const others = `# variables {"id": "1", "name": "Ur"}
mutation First($id: ID!, $name: String!) { rename(id: $id, name: $name) { id } }

query Second { motto }

`;
  const sources = await sourcesIn({ ...ports, operations: others + ports.operations });
  const text = readme(modelOf(sources), sources, graphqlOf(sources));
  expect(text).toContain("await ports.graphql.getPort({ id: '1' });");
});

it('operations that are called as a part of their class are given another name', async () => {
  const operations = `query Execute { ports { id } }
query Constructor { ports { id } }
query execute_operation { ports { id } }
`;
  const sources = await sourcesIn({ ...ports, operations });
  const files = await typescriptFiles(modelOf(sources), sources, graphqlOf(sources));
  const methods = Object.values(files).flatMap((text) => [
    ...text.matchAll(/^ {2}(\w+)\(\.\.\.given: .*\n +return this\.execute\((\w+), /gm),
  ]);
  expect(methods.map(([, name, document]) => [name, document])).toEqual([
    ['executeOperation', 'ExecuteDocument'],
    ['constructorOperation', 'ConstructorDocument'],
    ['executeOperationOperation', 'execute_operationDocument'],
  ]);
});

it('operations have names, and are in the schema', async () => {
  const of = async (operations: string) => graphqlOf(await sourcesIn({ ...ports, operations }));
  await expect(of('{ motto }')).rejects.toThrow(
    'operations.graphql has an operation without a name',
  );
  await expect(of('query A { none }')).rejects.toThrow(
    'operations.graphql:1:11: Cannot query field "none"',
  );
  expect((await of(' \n'))?.operations).toEqual([]);
  const behind = await of('fragment F on Port { id }\nquery A { ports { ...F } }');
  expect(behind?.operations.map(({ kind }) => kind)).toEqual(['query']);
  expect(graphqlOf(await sourcesIn(buoy))).toBe(undefined);
});

it('the errors of a Python package import what their problems take', async () => {
  const ref = (name: string) => `#/components/schemas/${name}`;
  const kind = (name: string) => ({ properties: { kind: { const: name } }, required: ['kind'] });
  const schema = {
    oneOf: [{ $ref: ref('Late') }, { $ref: ref('Lost') }],
    discriminator: { propertyName: 'kind', mapping: { late: ref('Late'), lost: ref('Lost') } },
  };
  const refused = { description: 'No.', content: { 'application/json': { schema } } };
  const get = { responses: { 204: { description: 'Yes.' }, 409: refused } };
  const contract = {
    ...{ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: { '/a': { get } } },
    components: { schemas: { Late: kind('late'), Lost: kind('lost') } },
  };
  const sources = await sourcesIn({ ...buoy, openapi: JSON.stringify(contract) });
  const text = pythonFiles(modelOf(sources), sources)['errors.py'];
  expect(text).toContain('from typing import Annotated, Any, Literal\n');
  expect(text).toContain(
    'from ._wire import Discriminator, decode\nfrom .models import Late, Lost\n',
  );
  expect(text).toMatch(/ problem: Annotated\[Late \| Lost, .*\] \| None\n\n\n_CLASSES/);
});

it('the classes of Python have what some of the selected types have, and what is selected at times, as optional', async () => {
  const sdl = `type Query { one(say: String!): It! found: Either! named: Named! }
union Either = A | B
interface Named { name: String! }
type It implements Named { name: String! size: Int! }
type A implements Named { name: String! p: P! }
type B implements Named { name: String! q: Q! }
type P { n: Int! }
type Q { m: Int! }
`;
  const operations = `fragment First on Named { first: name }
query Only($deep: Boolean!) {
  one(say: """a""") { ... @include(if: $deep) { size } name ... { again: name } }
  found { ... on A { x: p { n } } ... on B { x: q { m } } }
  named { ... { name } ...First ... on A { p { n } } }
}
`;
  const enumeration = { properties: { code: { enum: ['NOT_FOUND'] } } };
  const contract = {
    ...{ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} },
    components: { schemas: { GraphqlError: { properties: { extensions: enumeration } } } },
  };
  const sources = await sourcesIn({ openapi: JSON.stringify(contract), sdl, operations });
  const text = pythonFiles(modelOf(sources), sources)['graphql.py'];
  await expect(text).toMatchFileSnapshot('expected/sdk-selections-python.txt');
});

it.each([
  ['a user', { type: 'http', scheme: 'basic' }, 'Scheme, UserAndPassword'],
  ['a key', { type: 'apiKey', in: 'header', name: 'X-Key' }, 'Scheme, Secret'],
])('a client that is given %s imports no more for it', async (_, scheme, types) => {
  const get = { security: [{ one: [] }], responses: { 204: { description: 'Yes.' } } };
  const contract = {
    ...{ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: { '/a': { get } } },
    components: { securitySchemes: { one: scheme } },
  };
  const sources = await sourcesIn({ ...buoy, openapi: JSON.stringify(contract) });
  const files = await typescriptFiles(modelOf(sources), sources, undefined);
  expect(files['client.ts']).toContain(
    `import type { ${types} } from './runtime/credentials.js';\n`,
  );
});
