import { printSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../../../src/kit/graphql/executable-schema.ts';

const read = (sdl: string) => createSchema(sdl, {}, { onWarning: () => {} });
const link = (url: string, rest = '') =>
  `extend schema @link(url: "https://specs.apollo.dev/${url}"${rest})`;

// As https://www.apollographql.com/docs/graphos/reference/federation/directives has them.
const uses = {
  link: `${link('federation/v2.9', ', as: "fed", for: EXECUTION, import: ["@key", "FieldSet"]')} @link(url: "https://example.com") type Thing { id: ID }`,
  key: 'type Thing @key(fields: "id") @key(fields: "a b", resolvable: false) { id: ID } interface Named @key(fields: "id") { id: ID }',
  requires: 'type Thing { id: ID @requires(fields: "a { b }") }',
  provides: 'type Thing { id: ID @provides(fields: "a") }',
  external: 'type Thing @external { id: ID @external(reason: "x") }',
  extends: 'type Thing @extends { id: ID } interface Named @extends { id: ID }',
  shareable: 'type Thing @shareable @shareable { id: ID @shareable }',
  override: 'type Thing { id: ID @override(from: "a", label: "percent(5)") }',
  interfaceObject: 'type Thing @interfaceObject { id: ID }',
  composeDirective: 'extend schema @composeDirective(name: "@own") type Thing { id: ID }',
  authenticated: 'type Thing @authenticated { id: ID @authenticated } enum E @authenticated { A }',
  requiresScopes: 'type Thing { id: ID @requiresScopes(scopes: [["a", "b"], ["c"]]) }',
  policy: 'type Thing @policy(policies: [["a"]]) { id: ID }',
  context: 'type Thing @context(name: "a") @context(name: "b") { id: ID }',
  fromContext: 'type Thing { id(a: ID @fromContext(field: "$a { b }")): ID }',
  cost: 'type Thing @cost(weight: 5) { id(a: Int @cost(weight: 1)): ID }',
  listSize:
    'type Thing { id: [ID] @listSize(assumedSize: 5, slicingArguments: ["first"], sizedFields: ["a"], requireOneSlicingArgument: false) }',
  tag: 'type Thing @tag(name: "a") @tag(name: "b") { id: ID @tag(name: "c") }',
  inaccessible: 'type Thing @inaccessible { id(a: ID @inaccessible): ID @inaccessible }',
};

describe('A directive of federation is known without being declared', () => {
  it.each(Object.entries(uses))('@%s', (name, sdl) => {
    const schema = read(`type Query { a: Thing }\n${sdl}`);
    expect(schema.getDirective(name)?.name).toBe(name);
    // Only what it uses is added.
    expect(schema.getType('link__Purpose') !== undefined).toBe(name === 'link');
    expect(schema.getType('link__Import') !== undefined).toBe(name === 'link');
    const others = Object.keys(uses).filter((each) => each !== name);
    expect(others.filter((each) => schema.getDirective(each))).toEqual([]);
  });

  it.each([
    [
      'with the prefix of its specification',
      'type Thing @federation__key(fields: "id") { id: ID }',
      'federation__key',
    ],
    ['with the prefix of links', 'type Thing @link__tag(name: "a") { id: ID }', 'link__tag'],
    [
      'under another name',
      `${link('federation/v2.9', ', import: ["@tag", { name: "@key", as: "@primary" }]')} type Thing @primary(fields: "id") { id: ID }`,
      'primary',
    ],
    ['behind a space', 'type Thing @ key(fields: "id") { id: ID }', 'key'],
    ['behind a comment', 'type Thing @ # the key\n key(fields: "id") { id: ID }', 'key'],
  ])('%s', (_, sdl, name) => {
    const schema = read(`type Query { a: Thing }\n${sdl}`);
    expect(schema.getDirective(name)?.args.map((each) => each.name)[0]).toMatch(/^(fields|name)$/);
  });

  it.each([
    [
      'which is none',
      'type Thing @keys(fields: "id") @key(fields: "id") { id: ID }',
      'Unknown directive "@keys"',
    ],
    [
      'renamed to a type',
      `${link('federation/v2.9', ', import: [{ name: "Key", as: "primary" }]')} type Thing @primary { id: ID }`,
      'Unknown directive "@primary"',
    ],
    [
      'renamed without its sign',
      `${link('federation/v2.9', ', import: [{ name: "@key", as: "aprimary" }]')} type Thing @primary(fields: "id") { id: ID }`,
      'Unknown directive "@primary"',
    ],
    [
      'used wrongly',
      'type Thing { id: ID @key(fields: "id") }',
      'Directive "@key" may not be used on FIELD_DEFINITION',
    ],
    [
      'without what it needs',
      'type Thing @tag { id: ID }',
      'Argument "@tag(name:)" of type "String!" is required',
    ],
    [
      'that may not be repeated',
      'type Thing { id: ID @external @external }',
      'can only be used once',
    ],
  ])('but not one %s', (_, sdl, message) => {
    expect(() => read(`type Query { a: Thing }\n${sdl}`)).toThrow(message);
  });
});

it('A fault is told with its place in the SDL, though a directive that is added has the same name', () => {
  const sdl = 'type Query @tag(name: "a") { a(name: Int,\n name: Int): Int }';
  expect(() => read(sdl)).toThrow('schema.graphql:2:2: Argument "Query.a(name:)" can only be');
});

describe('The directive that an SDL declares itself', () => {
  it('stays as it is', () => {
    const sdl =
      'directive @key(by: Int) on OBJECT type Query @key(by: 1) @tag(name: "a") { a: Int }';
    const schema = read(sdl);
    expect(schema.getDirective('key')?.args.map(({ name }) => name)).toEqual(['by']);
    expect(schema.getDirective('tag')?.args.map(({ name }) => name)).toEqual(['name']);
  });

  it('and text that only looks like one adds nothing', () => {
    const sdl = '"""Write to me@key.com, or to @tag."""\ntype Query {\n  a: Int\n}';
    expect(printSchema(read(sdl))).toBe(sdl);
  });
});

describe('A type that is only extended', () => {
  const key = '@key(fields: "id")';

  it('is defined by its first extension in an SDL of a federated graph', () => {
    const schema = read(`
      extend type Query { a: Thing }
      extend type Query { b: Named }
      extend interface Named ${key} { id: ID }
      extend interface Named { name: Int }
      type Thing implements Named { id: ID }
      extend type Thing { name: Int }`);
    const fields = (name: string) => Object.keys(Object(schema.getType(name)).getFields());
    expect(fields('Query')).toEqual(['a', 'b']);
    expect(fields('Named')).toEqual(['id', 'name']);
    expect(fields('Thing')).toEqual(['id', 'name']);
  });

  it.each([
    ['extend type Query { a: Int }', 'type "Query"'],
    ['"See @key."\ntype A { b: Int }\nextend type Query { a: Int }', 'type "Query"'],
    [`type Query ${key} { a: Int }\nextend input I { a: Int }`, 'type "I"'],
    [`type Query ${key} { a: Int }\nextend enum E { A }`, 'type "E"'],
  ])('is refused elsewhere: %s', (sdl, name) => {
    expect(() => read(sdl)).toThrow(`Cannot extend ${name} because it is not defined`);
  });
});
