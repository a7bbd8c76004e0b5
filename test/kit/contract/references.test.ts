import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/kit/contract/contract-source.ts';
import { checkReferences, refuseCircular } from '../../../src/kit/contract/references.ts';

const response = { description: '' };
const media = { schema: {} };
const parameter = { name: 'q', in: 'query', schema: {} };
const operation = { responses: { 200: response } };

/** One component of each kind. */
const components = {
  schemas: { schemas: {} },
  responses: { responses: response },
  parameters: { parameters: parameter },
  examples: { examples: { value: 1 } },
  requestBodies: { requestBodies: { content: { 'a/b': media } } },
  headers: { headers: { schema: {} } },
  securitySchemes: { securitySchemes: { type: 'http', scheme: 'basic' } },
  links: { links: { operationId: 'a' } },
  callbacks: { callbacks: {} },
  pathItems: { pathItems: {} },
  mediaTypes: { mediaTypes: media },
};
const to = (kind: string) => ({ $ref: `#/components/${kind}/${kind}` });
const answering = (more: object) => ({ get: { responses: { 200: { ...response, ...more } } } });
const typed = (more: object) => answering({ content: { 'a/b': { ...media, ...more } } });
const schema = (value: object) => typed({ schema: value });

/** The item of a path with a reference, by the kind of component that it must lead to. */
const places: readonly (readonly [kind: string, item: (ref: object) => object])[] = [
  ['parameters', (ref) => ({ parameters: [ref], get: operation })],
  ['parameters', (ref) => ({ get: { ...operation, parameters: [ref] } })],
  ['responses', (ref) => ({ get: { responses: { 200: ref } } })],
  ['responses', (ref) => ({ get: { responses: { default: ref } } })],
  ['headers', (ref) => answering({ headers: { 'X-A': ref } })],
  ['headers', (ref) => answering({ headers: { value: ref } })],
  ['links', (ref) => answering({ links: { a: ref } })],
  ['mediaTypes', (ref) => answering({ content: { 'a/b': ref } })],
  ['examples', (ref) => typed({ examples: { a: ref } })],
  ['examples', (ref) => typed({ examples: { default: ref } })],
  ['requestBodies', (ref) => ({ post: { ...operation, requestBody: ref } })],
  ['callbacks', (ref) => ({ get: { ...operation, callbacks: { a: ref } } })],
  ['pathItems', (ref) => ({ get: { ...operation, callbacks: { a: { '{$url}': ref } } } })],
  ['pathItems', (ref) => ref],
  ['schemas', schema],
  ['schemas', (ref) => schema({ properties: { a: ref, example: ref } })],
  ['schemas', (ref) => schema({ properties: { a: { properties: { requestBody: ref } } } })],
  ['schemas', (ref) => schema({ properties: { default: { items: ref } } })],
  ['schemas', (ref) => schema({ properties: { headers: ref } })],
  ['schemas', (ref) => schema({ properties: { responses: { items: ref } } })],
  ['schemas', (ref) => schema({ properties: { components: { items: ref } } })],
  ['schemas', (ref) => schema({ $defs: { properties: { not: ref } } })],
  ['schemas', (ref) => schema({ patternProperties: { const: ref } })],
  ['schemas', (ref) => schema({ $defs: { enum: ref } })],
  ['schemas', (ref) => schema({ allOf: [ref] })],
  ['schemas', (ref) => schema({ not: { additionalProperties: ref } })],
  ['schemas', (ref) => ({ get: { ...operation, parameters: [{ ...parameter, schema: ref }] } })],
];

function check(item: object, more: object = {}): void {
  checkReferences({ paths: { '/a': item }, components, ...more }, ({ message }: Fault) => {
    throw new Error(message);
  });
}

describe('a reference leads to a part of the kind that its place asks for:', () => {
  it.each(places.map(([kind, item]) => [kind, JSON.stringify(item({})), item] as const))(
    '%s in %s',
    (kind, _, item) => {
      check(item(to(kind)));
      const other = kind === 'schemas' ? 'responses' : 'schemas';
      expect(() => check(item(to(other)))).toThrow(
        `found "#/components/${other}/${other}", expected a reference to #/components/${kind}/…`,
      );
      expect(() => check(item({ $ref: '#/nowhere' }))).toThrow(
        'found "#/nowhere", which is not there; expected a part of this document',
      );
    },
  );

  it.each(Object.entries(components))('%s among themselves', (kind, own) => {
    const having = (ref: object) => ({
      components: { ...components, [kind]: { ...own, example: ref } },
    });
    check({}, having(to(kind)));
    const other = kind === 'schemas' ? 'responses' : 'schemas';
    expect(() => check({}, having(to(other)))).toThrow(
      `expected a reference to #/components/${kind}/…`,
    );
  });

  it('the fault is told at the reference', () => {
    const told: Fault[] = [];
    const at = { paths: { '/a': { get: { responses: { 200: { $ref: '#/nowhere' } } } } } };
    const fail = (fault: Fault): never => {
      told.push(fault);
      throw new Error(fault.message);
    };
    expect(() => checkReferences(at, fail)).toThrow();
    expect(told).toMatchObject([
      { path: ['paths', '/a', 'get', 'responses', '200', '$ref'], at: 'value' },
    ]);
  });

  it('webhooks too, and the same part once more in another place', () => {
    check({}, { webhooks: { a: to('pathItems') } });
    expect(() => check({}, { webhooks: { a: to('schemas') } })).toThrow('/pathItems/…');
    const twice = { get: { parameters: [to('parameters')], responses: { 200: to('parameters') } } };
    expect(() => check(twice)).toThrow('expected a reference to #/components/responses/…');
  });

  it('a component may be called as another part of a document is', () => {
    const names = ['parameters', 'responses', 'headers', 'examples', 'links', 'callbacks'];
    for (const name of ['paths', 'webhooks', 'content', ...names]) {
      const own = { [name]: { not: to('schemas') } };
      for (const schemas of [own, { a: { properties: own } }]) {
        check(
          {},
          { components: { ...components, schemas: { ...components.schemas, ...schemas } } },
        );
      }
      check(schema({ properties: own }));
      check(typed({ itemSchema: { properties: own } }));
      check({ parameters: [{ name: 'a', in: 'query', schema: { properties: own } }] });
    }
  });

  it('what is no schema may be called so', () => {
    for (const name of ['schema', 'itemSchema']) {
      const responses = { 200: { headers: { [name]: to('headers') } } };
      check({ responses });
      check(
        {},
        {
          components: { ...components, headers: { ...components.headers, [name]: to('headers') } },
        },
      );
      const examples = { [name]: to('examples') };
      check(typed({ examples }));
      const links = { [name]: to('links') };
      check({ responses: { 200: { links } } });
      check({ callbacks: { [name]: to('callbacks') } });
      check({ responses: { [name]: to('responses') } });
      check(answering({ content: { [name]: to('mediaTypes') } }));
      check(typed({ encoding: { [name]: { headers: { 'X-A': to('headers') } } } }));
      check({}, { webhooks: { [name]: to('pathItems') } });
      for (const kind of Object.keys(components)) {
        check({}, { components: { ...components, [kind]: { [kind]: {}, [name]: to(kind) } } });
      }
    }
  });

  it('a component has parts of other kinds', () => {
    const having = (more: object) => check({}, { components: { ...components, ...more } });
    having({ responses: { a: { headers: { 'X-A': to('headers') } } } });
    having({ parameters: { a: { schema: { properties: { links: { not: to('schemas') } } } } } });
  });

  it('an extension may have references, too', () => {
    check({}, { 'x-a': { b: to('schemas') } });
    check({ 'x-b': to('schemas') });
  });

  it('a part of a component may be anywhere', () => {
    check(schema({ properties: { paths: { not: to('schemas') } } }));
    check(schema({ $ref: '#/components/requestBodies/requestBodies/content/a~1b/schema' }));
    check(schema({ $ref: '#/components/parameters/parameters/schema' }));
  });
});

describe('what looks like a reference is none', () => {
  const data = { $ref: '#/nowhere' };
  it.each([
    typed({ example: data }),
    typed({ examples: { a: { value: data } } }),
    schema({ default: data }),
    schema({ const: data }),
    schema({ enum: [data] }),
    schema({ properties: { $ref: { type: 'string' } } }),
  ])('in %j', (item) => {
    check(item);
  });

  it.each(['example', 'default', 'const', 'enum'])('in %s of a component', (key) => {
    check({}, { components: { schemas: { a: { [key]: data } } } });
  });
});

describe('a reference that leads nowhere', () => {
  it.each([
    ['#/components/schemas/schema', 'which is not there; did you mean "schemas"?'],
    ['#/component/schemas/Far', 'which is not there; expected a part of this document'],
    ['#/components/schemas/schemas/a', 'which is not there; expected a part of this document'],
    ['#top', 'expected a reference within this document, such as #/components/schemas/Name'],
  ])('%s: %s', ($ref, message) => {
    expect(() => check(schema({ $ref }))).toThrow(`found "${$ref}", ${message}`);
  });

  it('or to what is no object is refused', () => {
    const more = { info: { title: 'T', isFine: true, nothing: null }, tags: [{ name: 'a' }] };
    const led = (item: object) => () => check(item, more);
    for (const $ref of ['#/info/title', '#/info/nothing', '#/tags']) {
      expect(led(schema({ $ref }))).toThrow(`"${$ref}", expected one that leads to a schema`);
    }
    expect(led(schema({ $ref: '#/tags/length' }))).toThrow('which is not there');
    expect(led(schema({ $ref: '#/tags/1' }))).toThrow('which is not there');
    led(schema({ $ref: '#/tags/0' }))();
    led(schema({ $ref: '#/info/isFine' }))();
    for (const $ref of ['#/info/title', '#/info/isFine', '#/tags']) {
      const parameters = { get: { ...operation, parameters: [{ $ref }] } };
      expect(led(parameters)).toThrow(`"${$ref}", expected one that leads to an object`);
    }
  });

  it('or back to itself is refused', () => {
    const loop = (schemas: object) => check({}, { components: { schemas } });
    const [a, b] = ['#/components/schemas/a', '#/components/schemas/b'];
    const line = `found "${b}", expected one that does not lead back to itself`;
    expect(() => loop({ a: { $ref: b }, b: { $ref: a } })).toThrow(line);
    loop({ a: { $ref: b }, b: { allOf: [{ $ref: a }] } });
  });

  it('is told of a document that is otherwise not looked at, where it leads back', () => {
    const told: unknown[] = [];
    const fail = (fault: {
      readonly path: readonly unknown[];
      readonly message: string;
    }): never => {
      told.push([fault.path, fault.message]);
      throw new Error(fault.message);
    };
    const [a, b] = [{ $ref: '#/a' }, { $ref: '#/b' }];
    refuseCircular({ a: b, b: { c: 1 }, d: a, e: a, f: { $ref: 'other.yaml#/f' } }, fail);
    expect(told).toEqual([]);
    expect(() => refuseCircular({ c: { $ref: '#/d' }, d: {}, a: b, b: a }, fail)).toThrow();
    expect(told).toEqual([
      [['a', '$ref'], 'found "#/b", expected one that does not lead back to itself'],
    ]);
  });
});
