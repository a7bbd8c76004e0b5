import { describe, expect, it } from 'vitest';
import { readerOf, refusal, type Unnamed } from '../../support/parameter-reader.ts';
import { whole } from '../../support/schemas.ts';

const list = { type: 'array', items: whole };
const texts = { type: 'array', items: { type: 'string' } };
const object = { type: 'object', properties: { a: whole, b: { type: 'boolean' } } };
const some = (...type: string[]) => ({ type, items: whole, properties: { a: whole } });
const content = (type: string, schema: unknown) => ({ content: { [type]: { schema } } });

type Style = Omit<Unnamed, 'in'>;
type Case = readonly [parameter: Style, text: string, value: unknown];

/** What a text is read as; where it is refused, the only fault: its place within the parameter, and why. */
const fault = (place: string, message: string) => ({ place, message });
const check = (where: Unnamed['in'], at: string) =>
  function reads(parameter: Style, text: string, expected: unknown) {
    const read = readerOf({ in: where, ...parameter });
    const found = refusal(() => read({ [where]: text }));
    const { place, message } = Object(expected);
    expect(found).toEqual(
      message === undefined ? expected : [{ path: `/${at}/p${place}`, message }],
    );
  };
const twice = 'is given more than once';
const noInteger = 'must be an integer in decimal digits';

describe('a header', () => {
  it.each<Case>([
    [{ schema: texts }, '', []],
    [{ schema: texts }, 'a', ['a']],
    [{ schema: list }, 'x', fault('/0', noInteger)],
    [{ schema: list }, '1,x', fault('/1', noInteger)],
    [{ schema: object }, '', {}],
    [{ schema: object }, 'a,1,b,true', { a: 1, b: true }],
    [{ schema: object }, 'a,1,b', fault('', 'must be names and values in turn')],
    [{ schema: object, explode: true }, 'a=1,b=false', { a: 1, b: false }],
    [{ schema: object, explode: true }, 'a=1,b', fault('', 'must be name=value pairs')],
    [{ schema: object }, 'a,x', fault('/a', noInteger)],
    [{ schema: object }, 'a,1,a,2', fault('/a', twice)],
    // A list has no names.
    [{ schema: texts, explode: true }, 'a=1,b=2', ['a=1', 'b=2']],
    [{ schema: texts, explode: true }, 'p=1,p=2', ['p=1', 'p=2']],
    [{ schema: some('string', 'array') }, 'a', 'a'],
    [{ schema: some('string', 'array') }, '1,2', [1, 2]],
    [{ schema: some('string', 'object') }, 'a,1', { a: 1 }],
    [{ schema: some('string', 'object') }, 'abc', 'abc'],
    [{ schema: some('string', 'object') }, '', ''],
    [{ schema: some('string', 'object'), explode: true }, 'a=1', { a: 1 }],
    [{ schema: some('array', 'object') }, '1,2', [1, 2]],
    [{ schema: some('array', 'object'), explode: true }, 'a=1', { a: 1 }],
    [{ schema: some('array', 'object'), explode: true }, '1,2', [1, 2]],
    // Spaces are those of a list alone.
    [{ schema: { type: 'string' } }, 'a , b', 'a , b'],
    [content('application/json', texts), '["a , b"]', ['a , b']],
    [content('text/plain', texts), 'a,b', 'a,b'],
    [{ schema: { type: 'boolean' } }, '', ''],
    [{ schema: { type: ['string', 'null'] } }, '', ''],
    [{ schema: { type: ['boolean', 'null'] } }, '', null],
  ])('%j: %s', check('header', 'headers'));

  it('that comes as several lines is a list, or refused', () => {
    const lines = (schema: unknown, header: string[]) =>
      refusal(() => readerOf({ in: 'header', schema })({ header }));
    expect(lines(list, ['1', '2'])).toEqual([1, 2]);
    expect(lines({ type: 'string' }, ['a'])).toBe('a');
    expect(lines({ type: 'string' }, ['a', 'b'])).toEqual([{ path: '/headers/p', message: twice }]);
  });
});

describe('a path', () => {
  const matrix = (schema: unknown, explode = false) => ({
    style: 'matrix' as const,
    schema,
    explode,
  });
  const label = (schema: unknown, explode = false) => ({
    style: 'label' as const,
    schema,
    explode,
  });
  it.each<Case>([
    [label({ type: 'string' }), '.a.b', 'a.b'],
    [label(texts), '.a,b', ['a', 'b']],
    [label(texts, true), '.a.b', ['a', 'b']],
    [label(object), '.a,1', { a: 1 }],
    [label(object, true), '.a=1.b=true', { a: 1, b: true }],
    [label({ type: 'string' }), 'a', fault('', 'must begin with "."')],
    [matrix({ type: 'string' }), ';p=a', 'a'],
    [matrix({ type: 'string' }), ';p==a', '=a'],
    [matrix({ type: 'string' }), ';p', ''],
    [matrix({ type: 'string' }, true), ';p=a', 'a'],
    [matrix({ type: 'string' }), ';px=a', fault('', 'must begin with ";p"')],
    [matrix({ type: 'string' }), 'p=a', fault('', 'must begin with ";p"')],
    [matrix(texts), ';p=a,b', ['a', 'b']],
    [matrix(texts), ';p=p=a,b', ['p=a', 'b']],
    [matrix(texts, true), ';p=a;p=b', ['a', 'b']],
    [matrix(texts, true), ';p=a;b', ['a', 'b']],
    [matrix(object), ';p=a,1', { a: 1 }],
    [matrix(object, true), ';a=1;b=true', { a: 1, b: true }],
    [matrix(object, true), 'a=1', fault('', 'must begin with ";"')],
    [{ schema: texts }, 'a,b', ['a', 'b']],
    [{ schema: object, explode: true }, 'a=1', { a: 1 }],
    [content('application/json', list), '[1]', [1]],
  ])('%j: %s', check('path', 'path'));
});

describe('a cookie', () => {
  const raw = (schema: unknown) => ({ style: 'cookie' as const, schema });
  it.each<Case>([
    [{ schema: texts }, 'p=a&p=b', ['a', 'b']],
    [{ schema: texts }, 'p=a; x=1; p=b', ['a', 'b']],
    [{ schema: texts }, 'x=1', undefined],
    [{ schema: list }, 'p=1; p=x', fault('/1', noInteger)],
    [{ schema: some('string', 'array') }, 'p=a', 'a'],
    [{ schema: some('string', 'array') }, 'p=1; p=2', [1, 2]],
    // It has no members.
    [{ schema: some('string', 'array') }, 'a=1', undefined],
    [{ schema: texts, explode: false }, 'p=a,b', ['a', 'b']],
    [{ schema: object }, 'a=1; b=true; x=1', { a: 1, b: true }],
    [{ schema: object }, 'a=1&b=true', { a: 1, b: true }],
    [{ schema: object }, 'a=1; a=2', fault('/a', twice)],
    [{ schema: object }, 'x=1', undefined],
    [{ schema: object }, 'p=x', 'x'],
    [{ schema: object, explode: false }, 'p=a,1', { a: 1 }],
    [{ schema: some('string', 'object') }, 'p=x', 'x'],
    [{ schema: some('string', 'object') }, 'p=x; p=y', fault('', twice)],
    [{ schema: some('string', 'object') }, 'a=1', { a: 1 }],
    [{ schema: { type: 'object', properties: { '': whole } } }, '=1', { '': 1 }],
    [content('application/json', list), 'p=[1]', [1]],
    [content('application/json', object), 'a=1', undefined],
    [{ schema: { type: 'string' } }, 'p', undefined],
    [{ schema: { type: 'string' } }, 'px', undefined],
    [{ schema: { type: 'string' } }, ' p = a ', 'a'],
    [{ schema: { type: 'string' } }, 'p="', '"'],
    [{ schema: { type: 'string' } }, 'p=""', ''],
    [{ schema: { type: 'string' } }, 'p="%41"', 'A'],
    [{ schema: { type: 'string' } }, 'p=a&b', 'a&b'],
    // The style `cookie` takes values as they are.
    [raw({ type: 'string' }), 'p="%41"', '"%41"'],
    [raw(texts), 'p=a&p=b', ['a&p=b']],
    [raw(texts), 'p=%41; p=b', ['%41', 'b']],
  ])('%j: %s', check('cookie', 'cookies'));
});

describe('a query', () => {
  const deep = (schema: unknown) => ({ style: 'deepObject' as const, explode: true, schema });
  const members = { type: 'object', additionalProperties: whole };
  const inner = {
    type: 'object',
    properties: {
      ids: list,
      texts: { type: ['string', 'array'], items: { type: 'string' } },
      all: { type: 'array', items: object },
      named: members,
    },
  };
  const joined = (style: 'form' | 'spaceDelimited' | 'pipeDelimited', schema: unknown) => ({
    ...{ style, schema, explode: false },
  });
  it.each<Case>([
    [{ schema: some('string', 'array') }, 'p=a,b', 'a,b'],
    [{ schema: { type: 'string' } }, '&p=a&&', 'a'],
    [{ schema: some('string', 'array') }, 'p=1&p=2', [1, 2]],
    [{ schema: some('string', 'object') }, 'p=a%3D1', 'a=1'],
    [{ schema: some('string', 'object') }, 'a=1', { a: 1 }],
    [{ schema: some('string', 'object') }, 'p=a&p=b', fault('', twice)],
    [{ schema: list }, 'p=x', fault('/0', noInteger)],
    [joined('form', list), 'p=1,2', [1, 2]],
    [joined('form', object), 'p=a,1', { a: 1 }],
    [joined('spaceDelimited', list), 'p=1%202', [1, 2]],
    [joined('pipeDelimited', list), 'p=1|2', [1, 2]],
    [joined('pipeDelimited', object), 'p=a|1', { a: 1 }],
    [content('application/json', list), 'p=[1]', [1]],
    [content('application/json', list), 'p=[1]&p=[2]', fault('', twice)],
    [content('text/plain', texts), 'p=a,b', 'a,b'],
    [content('application/json', object), 'p={"a":1}', { a: 1 }],
    // Members that are names of their own.
    [{ schema: members }, 'a=1&b=2', { a: 1, b: 2 }],
    [{ schema: members }, '=1', { '': 1 }],
    // One of them may have the name of the parameter.
    [{ schema: { type: 'object', properties: { p: whole } } }, 'p=1', { p: 1 }],
    [{ schema: members }, 'p=1&a=2', { p: 1, a: 2 }],
    [{ schema: { type: ['array', 'object'], items: whole } }, 'p=1&p=2', [1, 2]],
    [{ schema: inner }, 'ids=1&ids=2&texts=a', { ids: [1, 2], texts: 'a' }],
    [{ schema: inner }, 'ids=1&texts=a&texts=b', { ids: [1], texts: ['a', 'b'] }],
    [{ schema: inner }, 'ids=x', fault('/ids/0', noInteger)],
    [{ schema: object }, 'a=1&a=2', fault('/a', twice)],
    // Names with brackets.
    [deep(texts), 'p=a', ['a']],
    [deep(texts), 'p=a&p=b', ['a', 'b']],
    [deep(object), 'p=a', 'a'],
    [deep(members), 'p[0]=1', { 0: 1 }],
    [deep(inner), 'p[ids]=x', fault('/ids/0', noInteger)],
    [deep(inner), 'p[ids][x]=1', { ids: { x: '1' } }],
    [deep(inner), 'p[ids][0]=1&p[ids][0]=2', fault('/ids/0', twice)],
    [deep(inner), 'p[ids][10]=3&p[ids][9]=2&p[ids][]=1', { ids: [1, 2, 3] }],
    [deep(inner), 'p[texts]=a', { texts: 'a' }],
    [deep(inner), 'p[all][1][b]=true&p[all][0][a]=1', { all: [{ a: 1 }, { b: true }] }],
    [deep(inner), 'p[all][][a]=1', { all: [{ a: 1 }] }],
    [deep(inner), 'p[named][0]=1', { named: { 0: 1 } }],
    [deep(inner), 'p[named][x]=y', fault('/named/x', noInteger)],
    [deep(whole), 'p[a]=5', { a: '5' }],
  ])('%j: %s', check('query', 'query'));

  it.each([
    [{ schema: object }, 'p=1'],
    [{ schema: { type: 'string' } }, 'p[a]=1'],
    [content('application/json', object), 'p[a]=1'],
    [{ schema: object }, 'x=1'],
    [deep(object), 'q[a]=1'],
    [deep(object), 'p[a]x=1'],
    [{ schema: { ...object, additionalProperties: false } }, 'x=1'],
    [content('application/json', object), 'a=1'],
    [joined('form', object), 'a=1'],
  ])('%j: %s names no parameter', (parameter, query) => {
    const name = query.split('=')[0];
    const message = 'is not a parameter of this operation';
    const read = readerOf({ in: 'query', ...parameter });
    expect(refusal(() => read({ query }))).toEqual([{ path: `/query/${name}`, message }]);
  });

  it.each(['header', 'cookie', 'path'] as const)('has no parameter of the place %s', (place) => {
    const read = readerOf({ in: place, schema: { type: 'string' } });
    const message = 'is not a parameter of this operation';
    expect(refusal(() => read({ query: 'p=a' }))).toEqual([{ path: '/query/p', message }]);
  });

  it('gives a member that two objects name to the first', () => {
    const parameters = ['p', 'q'].map((name) => ({ name, in: 'query', schema: object }));
    const read = readerOf({ in: 'query', schema: object }, { parameters });
    expect(read({ query: 'a=1&b=true' })).toEqual({ a: 1, b: true });
  });
});
