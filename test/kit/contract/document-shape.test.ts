import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/kit/contract/contract-source.ts';
import { refuseShapeless, withoutExtensions } from '../../../src/kit/contract/document-shape.ts';
import { methods } from '../../../src/kit/contract/openapi-document.ts';

/** Places within a part, and what is expected there. */
type Places = readonly (readonly [place: string, expected: string])[];

const [O, S, L, T] = ['an object', 'an object or a boolean', 'a list', 'a string'] as const;
const within = (name: string, places: Places): Places =>
  places.map(([place, expected]) => [place === '' ? name : `${name} ${place}`, expected]);
const object = (...members: readonly Places[]): Places => [['', O], ...members.flat()];
const map = (name: string, places: Places): Places => [[name, O], ...within(`${name} b`, places)];
const list = (name: string, places: Places): Places => [[name, L], ...within(`${name} 0`, places)];
const texts = (...names: readonly string[]): Places => names.map((name) => [name, T]);

const leaf: Places = [['', S]];
const schema: Places = [
  ...leaf,
  ...['properties', 'patternProperties'].flatMap((name) => map(name, leaf)),
  ...['allOf', 'anyOf', 'oneOf'].flatMap((name) => list(name, leaf)),
  ...['items', 'not', 'additionalProperties', 'items not'].map((name) => [name, S] as const),
  ...['required', 'enum', 'items enum'].map((name) => [name, L] as const),
  ...texts('$ref', 'not $ref'),
];
const own = within('schema', schema);
const media = object(own, [['examples', O]], map('encoding', object()));
const content = map('content', media);
const header = object(own, content, texts('$ref'));
const parameter = object(own, content, texts('name', 'in', '$ref'));
const response = object(map('headers', header), content, map('links', object()), texts('$ref'));
const body = object(content, texts('$ref'));
const servers = list('servers', object(map('variables', object()), texts('url')));
const security = list('security', object([['b', L]]));
const simple = object(methods.map((method) => [method, O] as const));
const callbacks = map('callbacks', object(within('{$url}', simple)));
const parameters = list('parameters', parameter);
const operation = object(
  ...[parameters, within('requestBody', body), map('responses', response), callbacks],
  ...[security, servers, [['tags', L]] as const],
);
const item = object(
  ...[parameters, servers, texts('$ref'), within('get', operation)],
  methods.map((method) => [method, O] as const),
);
const components = object(
  ...[map('schemas', schema), map('responses', response), map('parameters', parameter)],
  ...[map('requestBodies', body), map('headers', header), map('securitySchemes', object())],
  ...[map('examples', object()), map('links', object()), map('pathItems', simple), callbacks],
);
const places = object(
  ...[within('info', object(texts('title'))), list('tags', object()), servers, security],
  ...[map('paths', item), map('webhooks', simple), within('components', components)],
).slice(1);

const found = { [O]: ['a list', []], [S]: ['a list', []], [L]: [O, {}], [T]: [O, {}] } as const;
const good = { [O]: [{}], [S]: [{}, true, false], [L]: [[]], [T]: ['a'] } as const;
/** What parts must have. */
const demanded: Readonly<Record<string, object>> = {
  ...{ parameters: { name: 'a', in: 'query' }, servers: { url: '/' } },
};

/** A document with nothing but a value at a place, and what the parts around it must have. */
function documentWith(place: string, value: unknown, around = demanded): Record<string, unknown> {
  const names = place.split(' ');
  return Object(
    names.reduceRight<unknown>((inner, name, i) => {
      const isPart = Object(inner) === inner && !Array.isArray(inner);
      const part = isPart ? { ...around[String(names[i - 1])], ...Object(inner) } : inner;
      return name === '0' ? [part] : { [name]: part };
    }, value),
  );
}
const pathOf = (place: string) => place.split(' ').map((name) => (name === '0' ? 0 : name));

function faultOf(document: Record<string, unknown>): Fault | undefined {
  const told: Fault[] = [];
  const fail = (fault: Fault): never => {
    told.push(fault);
    throw new Error(fault.message);
  };
  try {
    refuseShapeless(document, fail);
  } catch (error) {
    if (told.length === 0) throw error;
  }
  return told[0];
}

describe('a description has the kind of value that OpenAPI has there:', () => {
  it.each(Object.entries(Object.groupBy(places, ([place]) => String(place.split(' ')[0]))))(
    'in %s',
    (_, own = []) => {
      for (const [place, expected] of own) {
        const [kind, other] = found[expected as keyof typeof found];
        for (const [what, value] of [
          ['5', 5],
          ['nothing', null],
          [kind, other],
        ] as const) {
          const message = `found ${what}, expected ${expected}`;
          const fault = { path: pathOf(place), at: 'value', message };
          expect([place, faultOf(documentWith(place, value))]).toEqual([place, fault]);
        }
        for (const value of good[expected as keyof typeof good]) {
          expect([place, faultOf(documentWith(place, value))]).toEqual([place, undefined]);
        }
      }
    },
  );

  it.each([
    ['paths b parameters 0', { in: 'query' }, 'name'],
    ['components parameters b', { name: 'a' }, 'in'],
    ['servers 0', {}, 'url'],
  ])('%s %j has its %s, unless it is a reference', (place, part, name) => {
    const message = `"${name}" is missing`;
    expect(faultOf(documentWith(place, part, {}))).toEqual({
      ...{ path: pathOf(place), at: 'value', message },
    });
    expect(faultOf(documentWith(place, { $ref: '#/a' }, {}))).toBeUndefined();
  });

  it.each([
    ...['x-a', 'constructor', 'unknown', 'info constructor', 'paths x-a', 'paths b x-a'],
    ...['paths b get responses x-a', 'paths b get callbacks b x-a'],
  ])('%s may be anything', (place) => {
    expect(faultOf(documentWith(place, 5))).toBeUndefined();
  });

  it.each(['components schemas x-a', 'webhooks x-a', 'components responses x-a'])(
    '%s is a name',
    (place) => {
      expect(faultOf(documentWith(place, 5))?.path).toEqual(place.split(' '));
    },
  );

  it('a callback may be a reference with a description', () => {
    const callback = { $ref: '#/components/callbacks/c', description: 5 };
    expect(faultOf(documentWith('paths b get callbacks b', callback))).toBeUndefined();
    expect(faultOf(documentWith('paths b get responses 200', callback))).toBeUndefined();
  });
});

describe('extensions beside paths and statuses', () => {
  const done = { description: 'Done.' };
  const plain = { get: { responses: { 200: done } }, put: { summary: 'None.' }, 'x-a': 5 };

  it('are left out, and nothing else is changed', () => {
    const extended = { ...plain, put: { summary: 'Two.', responses: { 'x-b': 5, 200: done } } };
    const written = { info: { title: 'T' }, paths: { 'x-c': 5, '/a': plain, '/b': extended } };
    const read = withoutExtensions(written);
    const put = { summary: 'Two.', responses: { 200: done } };
    expect(read).toEqual({ ...written, paths: { '/a': plain, '/b': { ...plain, put } } });
    expect(Object(read.paths)['/a']).toBe(plain);
  });

  it('are looked for where there are paths and operations', () => {
    for (const document of [{}, { paths: null }, { paths: 5 }]) {
      expect(withoutExtensions(document)).toBe(document);
    }
    const paths = { '/a': null, '/b': 5, '/c': { get: 5, put: { responses: 5 } } };
    expect(withoutExtensions({ paths })).toEqual({ paths });
  });
});
