// engines: sqlite
import { expect, it } from 'vitest';
import { parseContract } from '../../../src/kit/contract/contract.ts';
import { createMockValues } from '../../../src/kit/mock/mock-values.ts';
import { propertiesIn } from '../../../src/kit/mock/sample.ts';
import { createRandom } from '../../../src/kit/seeded-random.ts';
import { serveContract } from '../../support/contract-server.ts';
import { text } from '../../support/schemas.ts';

const object = (properties: object) => ({ type: 'object', properties });
/** Objects within each other. */
const nested = (levels: number): object =>
  levels === 0 ? text : object({ in: nested(levels - 1) });
const around = (levels: number): unknown => (levels === 0 ? {} : { in: around(levels - 1) });

const head = { openapi: '3.1.0', info: { title: 'Samples', version: '1' } };
const contract = await parseContract(
  JSON.stringify({
    ...head,
    paths: {},
    components: {
      schemas: {
        circle: { allOf: [{ $ref: '#/components/schemas/circle' }], properties: { a: text } },
        part: object({ b: text }),
      },
    },
  }),
);
const values = createMockValues(contract);

it('objects are made on six levels, and the next is empty', () => {
  expect(values.first(nested(9), [])).toEqual({ value: around(6) });
  expect(values.first(nested(5), [])?.value).toMatchObject({
    in: { in: { in: { in: { in: 'string' } } } },
  });
});

it('what cannot be made is left out where it is not required, and lists have an item', () => {
  const none = { ...text, pattern: '^(?=a)(?!a)' };
  const schema = { ...object({ list: { type: 'array', items: text }, none }), required: ['list'] };
  expect(values.first(schema, [])).toEqual({ value: { list: ['string'] } });
});

it('each text has the pattern and the lengths of its own', () => {
  const b = { ...text, pattern: '^b+$' };
  const either = { ...text, pattern: '^(?:aa|b)$' };
  const properties = {
    ...{ a: { ...text, pattern: '^a+$' }, b, long: { ...b, minLength: 3 } },
    ...{ either, short: { ...either, maxLength: 1 } },
  };
  expect(values.first(object(properties), [])?.value).toEqual({
    ...{ a: 'a', b: 'b', long: 'bbb', either: 'aa', short: 'b' },
  });
});

it('the members of a schema are those of its parts too, though one leads back to itself', () => {
  const named = (schema: unknown) => [...propertiesIn(values.document, schema).keys()].sort();
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  expect(named({ allOf: [ref('circle'), ref('part')], ...object({ c: text }) })).toEqual([
    ...['a', 'b', 'c'],
  ]);
  for (const none of [true, undefined, {}]) expect(named(none)).toEqual([]);
});

it('a format that fails is told as a failure, and not taken for a value that cannot be made', async () => {
  const schema = { ...text, format: 'broken' };
  const content = { 'application/json': { schema } };
  const get = { operationId: 'get', responses: { 200: { description: 'One.', content } } };
  const broken = () => {
    throw new TypeError('the format is broken');
  };
  const server = await serveContract(
    JSON.stringify({ ...head, paths: { '/a': { get } } }),
    {},
    { mocks: true, formats: { broken } },
  );
  const response = await fetch(`${server.url}/a`);
  expect(response.status).toBe(500);
  expect(Object(await response.json()).detail ?? '').not.toContain('cannot make');
  expect(server.log.join()).toContain('the format is broken');
  await server.stop();
});

it('10,000 objects that differ are made, also at random', () => {
  const items = { ...object({ a: { type: 'integer' } }), required: ['a'] };
  const schema = { type: 'array', minItems: 10_000, uniqueItems: true, items };
  for (const random of [undefined, createRandom('1')]) {
    expect(values.first(schema, [], random)?.value).toHaveLength(10_000);
  }
});
