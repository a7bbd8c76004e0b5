// engines: sqlite
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveValues } from '../../support/value-server.ts';

const list = (minItems: number, items: unknown = { type: 'integer' }) => ({
  type: 'array',
  ...{ minItems, items },
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const within = {
  'a list': list(10_000),
  'a text': { type: 'string', minLength: 1_000_000 },
  ...Object.fromEntries(
    ['example', 'default', 'const'].map((key) => [
      `a bound as ${key}`,
      { [key]: { minItems: 1e10 } },
    ]),
  ),
  ...Object.fromEntries(
    ['examples', 'enum'].map((key) => [`a bound in ${key}`, { [key]: [{ minLength: 1e10 }] }]),
  ),
  'a list of few': list(2, { type: 'string', maxLength: 3 }),
};
const beyond = {
  'a longer list': list(10_001),
  'a list without end': list(1e10),
  'a longer text': { type: 'string', minLength: 1_000_001 },
  'a text without end': { type: 'string', minLength: 1e12 },
  'more members': { type: 'object', minProperties: 10_001 },
  'a list in a part': { allOf: [{ properties: { a: ref('much') } }] },
  'lists of such lists': ref('lists'),
};

describe('a mock', () => {
  let server: Awaited<ReturnType<typeof serveValues>>;
  beforeAll(async () => {
    const components = { lists: list(2, ref('lists')), much: { not: {}, ...list(20_000) } };
    server = await serveValues({ ...within, ...beyond }, true, components);
  });
  afterAll(() => server.stop());

  it.each(Object.keys(within))('makes %s', async (name) => {
    for (const prefer of ['', 'dynamic=true']) {
      expect([prefer, (await server.get(name, prefer)).status]).toEqual([prefer, 200]);
    }
  });

  it.each(Object.keys(beyond))('does not try to make %s', async (name) => {
    for (const prefer of ['', 'dynamic=true']) {
      const { status, json } = await server.get(name, prefer);
      expect([prefer, status]).toEqual([prefer, 500]);
      expect(json.detail).toMatch(/^The mock cannot make a body/);
    }
  });
});
