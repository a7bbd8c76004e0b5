import { describe, expect, it } from 'vitest';
import { toDialect } from '../../../src/kit/contract/dialect.ts';

const old = { type: 'string', nullable: true };
const now = { type: ['string', 'null'] };
const info = { title: 'T', version: '1' };

describe('a reference', () => {
  const schemas = { A: { properties: { 'b c': { type: 'integer', nullable: true } } }, A_b_c: {} };

  it('leads to a component, which is made of what it leads to', () => {
    const to = (ref: string) => ({ schema: { $ref: ref, description: 'd' } });
    const parameters = [
      ...[to('#/components/schemas/A'), to('#/components/schemas/A/properties/b c')],
      ...[to('#/components/x-a/one'), to('#/components/x-a/one'), to('#/x-é/é')],
    ];
    const document = toDialect({
      ...{ openapi: '3.1.0', info, paths: { '/a': { parameters } }, 'x-é': { é: true } },
      components: {
        schemas,
        'x-a': { one: { items: { $ref: '#/components/x-a/two~1~0' } }, 'two/~': { type: 'null' } },
        headers: { a: {} },
      },
    });
    const found = Object(document.paths)['/a'].parameters;
    const refs = found.map(({ schema }: { schema: object }) => Reflect.get(schema, '$ref'));
    const names = ['A', 'properties_b_c', 'x-a_one', 'x-a_one', 'x-___'];
    expect(refs).toEqual(names.map((name) => `#/components/schemas/${name}`));
    expect(found[1].schema.description).toBe('d');
    expect(document.components).toMatchObject({
      headers: { a: {} },
      schemas: {
        ...schemas,
        properties_b_c: schemas.A.properties['b c'],
        'x-a_one': { items: { $ref: '#/components/schemas/x-a_two_' } },
        'x-a_two_': { type: 'null' },
        'x-___': true,
      },
    });
  });

  it('has a name that no other component has', () => {
    const schemas = {
      ...{ A: { not: { $ref: '#/x/y' } }, x_y: {}, x_y_2: {} },
      ...{ B: { not: { $ref: '#/%' } }, C: { not: { $ref: '#/' } } },
    };
    const document = toDialect({
      ...{ openapi: '3.0.3', info, paths: {}, x: { y: old }, '%': true, '': false },
      components: { schemas },
    });
    expect(Object(document.components).schemas).toEqual({
      ...schemas,
      ...{ A: { not: { $ref: '#/components/schemas/x_y_3' } }, x_y_3: now },
      ...{ B: { not: { $ref: '#/components/schemas/_' } }, _: true },
      ...{ C: { not: { $ref: '#/components/schemas/schema' } }, schema: false },
    });
    expect(document.openapi).toBe('3.1.0');
  });

  it('has another name than one that was made before it', () => {
    const refs = ['#/a/x/y', '#/b/x/y', '#/c/x/y'];
    const parameters = refs.map(($ref) => ({ schema: { $ref } }));
    const parts = { a: { x: { y: true } }, b: { x: { y: false } }, c: { x: { y: {} } } };
    const found = toDialect({ openapi: '3.1.0', info, paths: { '/a': { parameters } }, ...parts });
    expect(Object(found.paths)['/a'].parameters).toEqual(
      ['x_y', 'x_y_2', 'x_y_3'].map((name) => ({
        schema: { $ref: `#/components/schemas/${name}` },
      })),
    );
    expect(found.components).toEqual({ schemas: { x_y: true, x_y_2: false, x_y_3: {} } });
  });

  it('to a path item is the item itself, and what stands beside it wins', () => {
    const pathItems = {
      P: { summary: 'p', get: 1, put: 1 },
      Q: { $ref: '#/components/pathItems/P', put: 2 },
    };
    const paths = {
      '/a': { $ref: '#/components/pathItems/Q', post: 3, summary: 'a' },
      '/b': { get: 4 },
    };
    const found = toDialect({ openapi: '3.1.0', info, paths, components: { pathItems } });
    expect(found.paths).toEqual({
      '/a': { summary: 'a', get: 1, put: 2, post: 3 },
      '/b': { get: 4 },
    });
  });

  it('to a media type is the media type, wherever it stands', () => {
    const to = { $ref: '#/components/mediaTypes/M' };
    const mediaTypes = {
      M: { $ref: '#/components/mediaTypes/N' },
      N: { schema: { type: 'string' } },
    };
    const $ref = '#/components/parameters/P';
    const document = {
      ...{ openapi: '3.2.0', info, components: { mediaTypes } },
      paths: { '/a': { parameters: [{ content: { 'a/b': to } }, { $ref }] } },
    };
    expect(toDialect(document).paths).toEqual({
      '/a': { parameters: [{ content: { 'a/b': mediaTypes.N } }, { $ref }] },
    });
    // Without such components nothing refers to one.
    const { components: _, ...bare } = document;
    expect(toDialect(bare).paths).toBe(bare.paths);
  });
});
