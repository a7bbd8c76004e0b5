// long: compiles the handlers of contracts that are not ours
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { contractTypes } from '../../src/kit/cli/generate/contract-types.ts';
import { readContract } from '../../src/kit/contract/contract.ts';
import { compileFiles } from '../support/compile.ts';
import { foreignHandlers } from '../support/foreign-handlers.ts';

const { resolve } = createRequire(import.meta.url);
const files = {
  galaxy: '@scalar/galaxy/3.1.yaml',
  'train-travel': '@readme/oas-examples/3.1/json/train-travel.json',
  petstore: '@readme/oas-examples/3.0/json/petstore.json',
};
type Name = keyof typeof files;

const types = new Map<Name, string>();
for (const name of ['galaxy', 'train-travel', 'petstore'] as const) {
  types.set(name, await contractTypes(await readContract(pathToFileURL(resolve(files[name])))));
}

const complaints = (name: Name, change: (text: string) => string = (text) => text) =>
  compileFiles({
    [`test/support/${name}.d.ts`]: types.get(name) ?? '',
    'test/support/foreign.ts': change(foreignHandlers[name]),
  });

it.each(['galaxy', 'train-travel', 'petstore'] as const)('handlers for %s compile', (name) => {
  expect(complaints(name)).toEqual([]);
});

type Fault = readonly [what: string, name: Name, from: string, to: string, complaint: string];
const faults: readonly Fault[] = [
  [
    'a missing handler',
    'galaxy',
    "getToken: () => ({ status: 201, type: 'application/json', body: { token: 'x' } }),",
    '',
    'getToken',
  ],
  ['an undeclared status', 'galaxy', '({ status: 204 })', '({ status: 205 })', 'deletePlanet'],
  [
    'a status that is declared otherwise than by default',
    'petstore',
    "isKnown && petId > 0 ? { status: 200, type: 'application/json', body: pet } : { status: 418 }",
    '({ status: isKnown && petId > 0 ? 418 : 404, body: undefined, ...({ status: 200 } as const) })',
    'status: 200',
  ],
  [
    'a status that is none',
    'petstore',
    'createUser: () => ({ status: 201 })',
    'createUser: () => ({ status: 1000 })',
    'createUser',
  ],
  [
    'the status default',
    'petstore',
    'createUser: () => ({ status: 201 })',
    "createUser: () => ({ status: 'default' })",
    'createUser',
  ],
  [
    'an undeclared media type',
    'galaxy',
    "type: 'application/xml', body: '<planet/>'",
    "type: 'text/plain', body: '<planet/>'",
    'text/plain',
  ],
  [
    'no media type where there are several',
    'galaxy',
    "updatePlanet: () => ({ status: 200, type: 'application/json', body: planet })",
    'updatePlanet: () => ({ status: 200, body: planet })',
    'updatePlanet',
  ],
  [
    'a value where text is declared',
    'galaxy',
    "type: 'application/xml', body: '<planet/>'",
    "type: 'application/xml', body: planet",
    'name: string; }',
  ],
  [
    'text where JSON is declared',
    'petstore',
    'body: { available: 1 }',
    "body: '{}'",
    'getInventory',
  ],
  [
    'text of JSON that is a plain string',
    'petstore',
    "body: json('session')",
    "body: 'session'",
    'loginUser',
  ],
  [
    'a body of another shape',
    'petstore',
    'body: { available: 1 }',
    "body: { available: 'one' }",
    'getInventory',
  ],
  [
    'a body with a property too many',
    'petstore',
    'json<Order>({ complete: false })',
    'json<Order>({ complete: false, colour: 1 })',
    'getOrderById',
  ],
  [
    'a body where none is declared',
    'petstore',
    'logoutUser: () => ({ status: 204 })',
    'logoutUser: () => ({ status: 204, body: {} })',
    'logoutUser',
  ],
  [
    'a header of another type',
    'petstore',
    "'X-Rate-Limit': 10",
    "'X-Rate-Limit': 'ten'",
    'loginUser',
  ],
  ['an undeclared header', 'petstore', "'X-Rate-Limit': 10", "'X-Limit': 10", 'loginUser'],
  [
    'a header where none is declared',
    'petstore',
    'logoutUser: () => ({ status: 204 })',
    "logoutUser: () => ({ status: 204, headers: { A: 'b' } })",
    'logoutUser',
  ],
  [
    'an input that may be absent',
    'galaxy',
    'await body?.image?.bytes()',
    'await body.image.bytes()',
    'body',
  ],
  [
    'a body as the wrong media type',
    'galaxy',
    "input.mediaType === 'application/json' ? input.body.name",
    "input.mediaType === 'application/xml' ? input.body.name",
    'input.body.name',
  ],
  [
    'a read-only member in a request',
    'petstore',
    "input.mediaType === 'application/xml' ? 400 : 404",
    "input.mediaType === 'application/json' && input.body.id ? 400 : 404",
    "'id' does not exist",
  ],
  ['a field as a file', 'petstore', 'file?.size', 'additionalMetadata.size', 'size'],
  [
    'a missing security function',
    'galaxy',
    'openIdConnect: (token) => token,',
    '',
    'openIdConnect',
  ],
  [
    'a security function for another scheme',
    'galaxy',
    'openIdConnect: (token) => token,',
    'openIdConnect: ({ username }) => username,',
    'username',
  ],
  ['a security function without a scheme', 'petstore', 'api_key: (key)', 'key: (key)', 'key'],
  [
    'a security function that gives false',
    'petstore',
    "key === 'x' || undefined",
    "key === 'x'",
    'api_key',
  ],
  [
    'an identity that may be absent',
    'galaxy',
    'identity.apiKeyHeader?.key',
    'identity.apiKeyHeader.key',
    'identity.apiKeyHeader',
  ],
  [
    'an identity that is never given',
    'galaxy',
    'identity.apiKeyHeader?.key',
    'identity.apiKeyCookie?.key',
    'apiKeyCookie',
  ],
  [
    'an error of another shape',
    'galaxy',
    'body: { title, status, detail }',
    'body: { title: status }',
    'title',
  ],
  [
    'an error of another media type',
    'train-travel',
    "({\n  type: 'application/problem+json'",
    "({\n  type: 'application/json'",
    'type',
  ],
];

describe('the compiler refuses', () => {
  it.each(faults)('%s in %s', (_, name, from, to, complaint) => {
    const found = complaints(name, (text) => {
      if (!text.includes(from)) throw new Error(`the handlers have no ${from}`);
      return text.replace(from, to);
    });
    expect(found.join('\n')).toContain(complaint);
  });
});
