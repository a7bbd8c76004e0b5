import { hash } from 'node:crypto';
import { execute, parse, printSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { CheckEntry, CheckSubject } from '../../../src/kit/contract/check-cache.ts';
import { createSchema, type SchemaOptions } from '../../../src/kit/graphql/executable-schema.ts';
import { readSdl, sdlError } from '../../../src/kit/graphql/sdl-check.ts';

const file = 'my.graphql';

/** What is told of an SDL, warnings first. */
function told(sdl: string, isLenient: boolean): string[] {
  const lines: string[] = [];
  try {
    readSdl(sdl, file, isLenient ? (line) => lines.push(line) : undefined);
  } catch (error) {
    lines.push(`refused: ${String(error).replace('Error: ', '')}`);
  }
  return lines.map((line) => line.replace('my.graphql:', ''));
}

describe('A fault of an SDL is told with its place', () => {
  it.each([
    ['type Query {', '1:13: Syntax Error: Expected Name, found <EOF>.'],
    ['type Query {\n  a: Unheardof\n}', '2:6: Unknown type "Unheardof".'],
    ['type Query { a: Int @nope }', '1:22: Unknown directive "@nope".'],
    [
      'type Query { a: Int }\ntype A { b: Int }\ntype A { c: Int }',
      '3:6: There can be only one type named "A".',
    ],
    [
      'type Query { a: Int }\ndirective @d on FIELD\ndirective @d on FIELD',
      '3:12: There can be only one directive named "@d".',
    ],
    [
      'type Query { f(x: Int, y: Int\n x: Int): Int }',
      '2:2: Argument "Query.f(x:)" can only be defined once.',
    ],
    [
      'directive @d(x: Int) on OBJECT\ntype Query @d(unfit: 1) { a: Int }',
      '2:15: Unknown argument "unfit" on directive "@d".',
    ],
    [
      'type Query { a: Int }\nextend type Gone { b: Int }',
      '2:13: Cannot extend type "Gone" because it is not defined.',
    ],
    ['type A { a: Int }', '1:1: Query root type must be provided.'],
    ['type Query { a: Int }\nunion U', '2:1: Union type U must define one or more member types.'],
    [
      'interface I { a: Int }\ntype Query implements I { b: Int }',
      '1:15: Interface field I.a expected but Query does not provide it.',
    ],
  ])('%s', (sdl, line) => {
    expect(told(sdl, false)).toEqual([`refused: ${line}`]);
    expect(told(sdl, true)).toEqual([`refused: ${line}`]);
  });

  it('also where the one who throws tells none', () => {
    const ast = parse('type Query {\n  a: Int\n}');
    const line = (error: unknown) => sdlError(file, ast, error).message;
    expect(line(new Error('something is wrong\nhere'))).toBe('my.graphql:1:1: something is wrong');
    expect(line(new Error('wrong is "Query.a".'))).toBe('my.graphql:2:3: wrong is "Query.a".');
    expect(line(new Error('wrong is Query.a(b:)'))).toBe('my.graphql:2:3: wrong is Query.a(b:)');
    expect(line(new Error('wrong is "Query.none".'))).toBe(
      'my.graphql:1:6: wrong is "Query.none".',
    );
    expect(line(new Error('wrong is "none".'))).toBe('my.graphql:1:1: wrong is "none".');
    expect(line('text')).toBe('my.graphql:1:1: text');
    expect(sdlError(file, undefined, new Error('"a"')).message).toBe('my.graphql:1:1: "a"');
    // The first of that name, unless there are too many.
    const twice = parse('type Query {\n  a: Int\n}\ntype A {\n  a: Int\n}');
    const place = (message: string) => sdlError(file, twice, new Error(message)).message;
    expect(place('wrong is "A.a".')).toBe('my.graphql:2:3: wrong is "A.a".');
    expect(place('there is already an "A.a".')).toBe('my.graphql:5:3: there is already an "A.a".');
  });
});

describe('What leaves a single meaning is refused, and a warning where an SDL is only read', () => {
  const repeat = (name: string) => `"${name}" can only be defined once.`;
  it.each([
    ['type Query { a: Int\na: Int }', [`2:1: Field ${repeat('Query.a')}`]],
    ['type Query { a: Int\n"Again."\na: Int }', [`3:1: Field ${repeat('Query.a')}`]],
    [
      'type Query { a: Int b: Int\na: Int\nb: Int\na: Int }',
      [
        `2:1: Field ${repeat('Query.a')}`,
        `3:1: Field ${repeat('Query.b')}`,
        `4:1: Field ${repeat('Query.a')}`,
      ],
    ],
    ['interface I { a: Int\na: Int } type Query { a: Int }', [`2:1: Field ${repeat('I.a')}`]],
    ['input I { a: Int = 1\na: Int = 1 } type Query { a: Int }', [`2:1: Field ${repeat('I.a')}`]],
    ['enum E { A B\nA } type Query { a: Int }', [`2:1: Enum value ${repeat('E.A')}`]],
    [
      'type Query { a: Int }\ndirective @defer on FIELD',
      ['2:1: found @defer or @stream, expected neither: incremental delivery is not supported'],
    ],
    [
      'type Query { a: Int }\ndirective @stream on FIELD\ndirective @defer on FIELD',
      ['2:1: found @defer or @stream, expected neither: incremental delivery is not supported'],
    ],
    [
      'interface I { a: Int }\ntype Query implements I { a: Int @deprecated }',
      [
        '2:34: Interface field I.a is not deprecated, so implementation field Query.a must not be deprecated.',
      ],
    ],
  ])('%s', (sdl, lines) => {
    expect(told(sdl, true)).toEqual(lines);
    expect(told(sdl, false)).toEqual([`refused: ${lines[0]}`]);
    const schema = createSchema(sdl, {}, { onWarning: () => {} });
    expect(execute({ schema, document: parse('{ a }') })).toEqual({ data: { a: null } });
    expect(schema.getDirective('defer') ?? schema.getDirective('stream')).toBeUndefined();
  });

  it.each([
    ['type Query { a: Int\na: String }', `2:1: Field ${repeat('Query.a')}`],
    ['interface I { a: Int\na(b: Int): Int } type Query { a: Int }', `2:1: Field ${repeat('I.a')}`],
    ['input I { a: Int = 1\na: Int = 2 } type Query { a: Int }', `2:1: Field ${repeat('I.a')}`],
    ['enum E { A B\nA @deprecated } type Query { a: Int }', `2:1: Enum value ${repeat('E.A')}`],
  ])('but not %s', (sdl, line) => {
    expect(told(sdl, true)).toEqual([`refused: ${line}`]);
  });

  it('nor a part of the same name elsewhere', () => {
    const sdl = 'type Query { a: Int } type A { a: Int } enum E { a } directive @deferred on FIELD';
    expect(told(sdl, false)).toEqual([]);
    expect(told(sdl, true)).toEqual([]);
  });
});

describe('An SDL that is known from an earlier start', () => {
  const sdl = 'type Query { a: Int\na: Int }\ndirective @defer on FIELD';
  const warnings = told(sdl, true).map((line) => `my.graphql:${line}`);

  /** Reads the SDL with what is known of it; what it was asked, and what was kept. */
  function reading(known: CheckEntry['warnings'], options: SchemaOptions = {}, text = sdl) {
    const asked: CheckSubject[] = [];
    const kept: (readonly string[])[] = [];
    const lines: string[] = [];
    const checks = (subject: CheckSubject) => {
      asked.push(subject);
      return { warnings: known, keep: (found: readonly string[]) => void kept.push(found) };
    };
    const onWarning = (line: string) => lines.push(line);
    const schema = () => createSchema(text, {}, { file, onWarning, checks, ...options });
    return { schema, asked, kept, lines };
  }

  it('is checked, and its warnings are kept, where nothing is known', () => {
    const { schema, asked, kept, lines } = reading(undefined);
    schema();
    expect(lines).toEqual(warnings);
    expect(kept).toEqual([warnings]);
    const digest = hash('sha256', sdl);
    expect(asked).toEqual([{ kind: 'sdl', digest, file, lenient: true }]);
    const strict = reading(
      undefined,
      { onWarning: undefined, mockSeed: 1 },
      'type Query { a: Int }',
    );
    strict.schema();
    expect(strict.asked).toMatchObject([{ lenient: false }]);
    expect(strict.kept).toEqual([[]]);
  });

  it('is only read, and its warnings are told again', () => {
    const first = reading(undefined).schema();
    const { schema, kept, lines } = reading(warnings);
    expect(printSchema(schema())).toBe(printSchema(first));
    expect(lines).toEqual(warnings);
    expect(kept).toEqual([]);
    // What is known to be valid is not looked at.
    const invalid = 'interface I { a: Int } type Query implements I { b: Int }';
    expect(() => reading([], {}, invalid).schema()).not.toThrow();
    expect(() => reading(undefined, {}, invalid).schema()).toThrow('1:15: Interface field I.a');
  });

  it('tells the place where its resolvers do not fit, and its warnings once', () => {
    const plain = 'type Query {\n  a: Int\n  b: Int\n}';
    const { schema, lines } = reading([], { onWarning: undefined }, plain);
    expect(schema).toThrow('my.graphql:2:3: no resolver for Query.a, Query.b');
    expect(lines).toEqual([]);
    const bounded = `${sdl}\ndirective @bounds(maxLength: Int) on ARGUMENT_DEFINITION\nextend type Query {\n  c(d: Int @bounds(maxLength: 1)): Int\n}`;
    const lenient = reading(['one'], {}, bounded);
    expect(lenient.schema).toThrow('my.graphql:6:5: @bounds on Query.c(d:) wants a String');
    expect(lenient.lines).toEqual(['one']);
  });
});
