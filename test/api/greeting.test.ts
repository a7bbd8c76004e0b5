import { describe, expect, it } from 'vitest';
import { useServer } from '../support/api-server.ts';

const { api } = useServer();

describe('GET /greet/{lang}', () => {
  it.each([
    ['en', 'en', 'Hello'],
    ['EN', 'en', 'Hello'],
    ['de', 'de', 'Hallo'],
    ['ja', 'ja', 'こんにちは'],
    ['pt-br', 'pt-BR', 'Oi'],
    ['PT-BR', 'pt-BR', 'Oi'],
    ['zh-hans', 'zh-Hans', '你好'],
    ['%65n', 'en', 'Hello'],
  ])('greets in %s', async (code, lang, greeting) => {
    const { status, json } = await api({ path: `/greet/${code}` });
    expect(status).toBe(200);
    expect(json).toEqual({ lang, greeting });
  });

  it.each([
    'tlh',
    'xx',
    'english',
    'e',
    'en_US',
    'en-',
    '-',
    '%ff',
    '%00',
    '%F0%9F%98%80',
    '__proto__',
    'constructor',
    'toString',
    'en%2Fx',
    'x'.repeat(5000),
  ])('answers 404 for a language that is not in the lookup: %s', async (code) => {
    expect((await api({ path: `/greet/${code}` })).status).toBe(404);
  });

  it('knows at least thirty languages', async () => {
    const codes =
      'af ar bg bn ca cs cy da de el en es et fa fi fr he hi hr hu id it ja ko nl no pl pt ro ru sv th tr uk vi zh-Hans';
    for (const code of codes.split(' ')) {
      expect((await api({ path: `/greet/${code}` })).status).toBe(200);
    }
  });

  it('refuses a query parameter', async () => {
    expect((await api({ path: '/greet/en?x=1' })).status).toBe(400);
  });

  it.each(['/greet', '/greet/', '/greet/en/', '/Greet/en'])('%s is 404', async (path) => {
    expect((await api({ path })).status).toBe(404);
  });
});
