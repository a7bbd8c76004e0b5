// engines: sqlite
// slow: starts Redocly
import { describe, expect, it } from 'vitest';
import { findingLine } from '../../../src/kit/cli/contract/finding.ts';
import { undeclaredStatuses } from '../../../src/kit/cli/contract/kit-statuses.ts';
import { createPatternCheck } from '../../../src/kit/cli/contract/linear-pattern.ts';
import { lintContracts } from '../../../src/kit/cli/contract/lint.ts';
import { lintSettings } from '../../../src/kit/cli/contract/lint-settings.ts';
import type { Document } from '../../../src/kit/contract/openapi-document.ts';

const operation = (text: string) => `{ ${text}, responses: { default: { description: A. } } }`;
const openapi = `openapi: 3.1.0
info: { title: Sky, version: 1.0.0, license: { name: MIT, identifier: MIT } }
servers: [{ url: 'https://sky.test' }]
paths:
  /a/b:
    get: ${operation('operationId: get_it, summary: Words, description: Words that, tags: []')}
    put: ${operation('operationId: putIt, summary: Words., description: Words that., tags: [a, b]')}
    post: ${operation('operationId: Post, tags: [a]')}
    patch: ${operation('summary: 12345, description: 12345678901, tags: [a]')}
    head: { operationId: x, summary: Head it., description: Words that., tags: [a], responses: { 2XX: { description: A. } } }
components:
  schemas:
    Open: { type: object }
    Closed: { type: object, additionalProperties: false }
    Half: { type: object, additionalProperties: { type: string, maxLength: 3 } }
    'A/B~C': { type: object }
    Text: { type: string }
    LongText: { type: string, maxLength: 3 }
    Values: { type: string, enum: [a] }
    Number: { type: number }
    Least: { type: number, minimum: 1 }
    Most: { type: number, maximum: 1 }
    Both: { type: number, minimum: 1, maximum: 2 }
    Whole: { type: integer, minimum: 1, maximum: 2 }
    Whole32: { type: integer, format: int32, minimum: 1, maximum: 2 }
    Whole64: { type: integer, format: int64, minimum: 1 }
    Whole16: { type: [integer, 'null'], format: int16 }
    List: { type: array, items: { type: string, enum: [a] } }
    Short: { type: array, maxItems: 3, items: { type: string, enum: [a] } }
    Flag: { type: boolean }
    Slow: { type: string, maxLength: 3, pattern: '^(a|a)*$', patternProperties: { '^(b|b)*$': {}, '^c$': {} } }
    content: { type: object, additionalProperties: false, properties: { content: { type: object, properties: { text: { type: boolean } } } } }
  requestBodies:
    Without: { content: { application/json: { schema: { type: boolean } }, text/plain: {} } }
    With: { content: { application/json: { schema: { type: boolean }, examples: { a: { value: true } } } } }
`;
const sdl = `"Reads."
type Query {
  "One."
  one(a: String, "b." b: String!, c: [String], "d." d: String @bounds(maxLength: 3), e: ID): Int
  Two: Strange_Type
  three_and: Int
}
"Strange."
type Strange_Type { "It." it: Int }
enum Kind { "A." A b_c "D." D_1 }
input In { a: String }
scalar Word @form(pattern: "^(a|a)*$", other: "^(b|b)*$")
scalar Fine @form(pattern: "^a$")
interface Named { name: String }
directive @bounds("Most." maxLength: Int) on ARGUMENT_DEFINITION
"Forms."
directive @form(pattern: String!, other: String, Big: Int) on SCALAR
directive @Wrong on FIELD
`;
const contracts = { name: 'here', openapi, sdl };

// Patterns are the same in every test, and some take half a second.
const check = createPatternCheck();
const linted = async (settings: object, given = contracts) =>
  (await lintContracts(given, lintSettings(settings), check)).map(findingLine).join('');

describe('accord lint', () => {
  it('finds what each rule says', async () => {
    await expect(await linted({ '*': 'error' })).toMatchFileSnapshot('expected/lint-errors.txt');
  });

  it('says less where nobody asks for more', async () => {
    await expect(await linted({})).toMatchFileSnapshot('expected/lint-default.txt');
  });

  it('takes what a project says of a rule, everywhere or at places', async () => {
    const settings = {
      '*': 'off: for now',
      'closed-object': { '#/components/schemas/Open': 'warning' },
      'sdl-name': { Strange_Type: 'error', Query: 'off: it is old', 'Query.Two': 'error' },
      'sdl-bounds': { 'Query.one': 'warning' },
      'operation-one-tag': 'error',
      'info-license': 'warning',
      'schema-bounds': { '#/components/schemas/Nu': 'error' },
    };
    await expect(await linted(settings)).toMatchFileSnapshot('expected/lint-settings.txt');
  });

  it.each([
    ['error', 'error'],
    ['warning', 'warning'],
  ])('applies a rule of Redocly that nobody has asked for before: %s', async (severity, told) => {
    const rule = 'paths-kebab-case';
    const given = { ...contracts, openapi: openapi.replace('/a/b:', '/a/bigPath:') };
    expect(await linted({}, given)).not.toContain(rule);
    expect(await linted({ [rule]: severity }, given)).toContain(
      `openapi.yaml:5:3: ${told} ${rule}: `,
    );
  });

  it.each([
    ['null', null, 'must be an object'],
    [
      'a reason that is empty',
      { 'closed-object': 'off:  ' },
      'closed-object is off without a reason: write "off: <reason>"',
    ],
    [
      'offline',
      { 'closed-object': 'offline' },
      'closed-object takes "error", "warning" or "off: <reason>"',
    ],
    ['at a place', { 'closed-object': { '#/a': 'loud' } }, 'closed-object at #/a takes "error"'],
  ])('refuses settings: %s', (_, settings, message) => {
    expect(() => lintSettings(settings)).toThrow(message);
  });

  it('knows its own rules and those of Redocly', async () => {
    for (const rule of ['sdl-valid', 'sdl-name', 'body-example', 'no-unused-components']) {
      await linted({ [rule]: 'warning' }, { ...contracts, sdl: '' });
    }
    await expect(linted({ 'no-such': 'error' })).rejects.toThrow('there is no rule no-such');
  });

  it('holds what is no OpenAPI 3 to no rule of its own, and an SDL alone to its own', async () => {
    expect(
      await linted({ '*': 'error' }, { ...contracts, openapi: '', sdl: 'type Query { a: Nope }' }),
    ).toBe('schema.graphql:1:17: error sdl-valid: Unknown type "Nope".\n  schema\n');
    expect(await linted({}, { ...contracts, openapi: '' })).toContain('sdl-name');
  });
});

describe('the statuses that the kit may answer with', () => {
  const missing = (given: object, { path = '/a', security = [] as object[] } = {}) =>
    undeclaredStatuses(
      // As much of a document as is looked at.
      { security } as unknown as Document,
      path,
      { responses: {}, ...given } as Parameters<typeof undeclaredStatuses>[2],
    ).join(' ');
  const key = [{ key: [] }];

  it.each([
    ['nothing more', {}, {}, '400 405 500 503'],
    ['a body', { requestBody: {} }, {}, '400 405 413 500 503'],
    ['credentials', { security: key }, {}, '400 401 405 500 503'],
    ['credentials of all', {}, { security: key }, '400 401 405 500 503'],
    ['credentials of all but it', { security: [] }, { security: key }, '400 405 500 503'],
    ['credentials that may lack', { security: [{}, { key: ['a'] }] }, {}, '400 405 500 503'],
    ['scopes', { security: [{ key: [] }, { oauth: ['a'] }] }, {}, '400 401 403 405 500 503'],
    ['a probe', {}, { path: '/healthz' }, '400 405 500'],
    ['what it has', { responses: { 400: {}, '5XX': {} } }, {}, '405'],
    ['a default', { responses: { default: {} } }, {}, ''],
    ['a range', { responses: { '4XX': {} }, requestBody: {} }, {}, '500 503'],
  ])('of an operation with %s', (_, given, more, statuses) => {
    expect(missing(given, more)).toBe(statuses);
  });
});
