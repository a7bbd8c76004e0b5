import { describe, expect, it } from 'vitest';
import { useServer } from '../support/api-server.ts';

const { api } = useServer();

const greetings = {
  af: 'Hallo',
  ar: 'مرحبا',
  bg: 'Здравей',
  bn: 'নমস্কার',
  ca: 'Hola',
  cs: 'Ahoj',
  cy: 'Helo',
  da: 'Hej',
  de: 'Hallo',
  'de-AT': 'Servus',
  'de-CH': 'Grüezi',
  el: 'Γεια σου',
  en: 'Hello',
  'en-AU': "G'day",
  es: 'Hola',
  et: 'Tere',
  eu: 'Kaixo',
  fa: 'سلام',
  fi: 'Hei',
  fr: 'Bonjour',
  ga: 'Dia duit',
  gl: 'Ola',
  he: 'שלום',
  hi: 'नमस्ते',
  hr: 'Bok',
  hu: 'Szia',
  id: 'Halo',
  is: 'Halló',
  it: 'Ciao',
  ja: 'こんにちは',
  ko: '안녕하세요',
  la: 'Salve',
  lt: 'Labas',
  lv: 'Sveiki',
  mt: 'Bonġu',
  nl: 'Hallo',
  no: 'Hei',
  pl: 'Cześć',
  pt: 'Olá',
  'pt-BR': 'Oi',
  ro: 'Salut',
  ru: 'Привет',
  sk: 'Ahoj',
  sl: 'Živjo',
  sv: 'Hej',
  sw: 'Habari',
  th: 'สวัสดี',
  tr: 'Merhaba',
  uk: 'Привіт',
  vi: 'Xin chào',
  'zh-Hans': '你好',
  'zh-Hant': '你好',
  zu: 'Sawubona',
};

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

  it.each(Object.entries(greetings))('knows the greeting of %s', async (lang, greeting) => {
    const { status, json } = await api({ path: `/greet/${lang}` });
    expect([status, json]).toEqual([200, { lang, greeting }]);
  });

  it('refuses a query parameter', async () => {
    expect((await api({ path: '/greet/en?x=1' })).status).toBe(400);
  });

  it.each(['/greet', '/greet/', '/greet/en/', '/Greet/en'])('%s is 404', async (path) => {
    expect((await api({ path })).status).toBe(404);
  });
});
