import type { operations } from '../../generated/openapi.d.ts';
import { ApiError } from '../kit/errors.ts';
import { json } from '../kit/json-text.ts';
import type { Input } from '../kit/rest/handler.ts';

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

// Language codes are the same in any case.
const byCode = new Map(
  Object.entries(greetings).map(([lang, greeting]) => [
    lang.toLowerCase(),
    json({ lang, greeting }),
  ]),
);

export function getGreeting({ path: { lang } }: Input<operations['getGreeting']>) {
  const body = byCode.get(lang.toLowerCase());
  if (!body) {
    throw new ApiError('not-found', { detail: 'No greeting is known for this language.' });
  }
  return { status: 200, headers: {}, body } as const;
}
