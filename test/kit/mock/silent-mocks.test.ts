// engines: sqlite
import { expect, it, vi } from 'vitest';
import { serveValues } from '../../support/value-server.ts';

const time = { type: 'string', format: 'date-time' };
/** What openapi-sampler warns of. */
const schemas = {
  'a long time': { ...time, minLength: 30 },
  'a short time': { ...time, maxLength: 3 },
  'a time in parts': { type: 'object', properties: { a: { ...time, maxLength: 3 } } },
  'two types': { allOf: [{ type: 'integer' }, { type: 'number' }] },
  'two kinds': { oneOf: [{ type: 'object' }], anyOf: [{ type: 'object' }] },
  'parts of a list': { allOf: [{ type: 'array' }, { type: 'array' }] },
};

it('a mock says nothing on the console, and leaves it to others', async () => {
  const lines = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { warn } = console;
  const server = await serveValues(schemas);
  try {
    for (const name of Object.keys(schemas)) {
      const { status } = await server.get(name);
      expect([name, status]).toEqual([name, /^a (long|short) time$/.test(name) ? 500 : 200]);
    }
    expect(lines.mock.calls).toEqual([]);
    expect(console.warn).toBe(warn);
  } finally {
    await server.stop();
    lines.mockRestore();
  }
});
