import type { SecurityScheme } from '../contract/openapi-document.ts';
import { invalid } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { kindOf } from './security-schemes.ts';

export type UserAndPassword = { readonly username: string; readonly password: string };

/** Reads what a request carries for a scheme; credentials given twice are refused, as it is not clear which are meant. */
export function credentialsIn(
  { request, query }: Exchange,
  scheme: SecurityScheme,
): { readonly value: string | UserAndPassword } | 'malformed' | undefined {
  if (scheme.type === 'apiKey') {
    const key = keyIn(request.headersDistinct, query, scheme);
    return key ? { value: key } : undefined;
  }
  const authorization = only(request.headersDistinct.authorization ?? [], '/headers/authorization');
  const [, name = '', rest = ''] = authorization?.match(/^([^ ]+) +(.*)$/s) ?? [];
  if (name.toLowerCase() !== kindOf(scheme)) return undefined;
  if (name.toLowerCase() === 'basic') return userAndPassword(rest);
  // RFC 6750, section 2.1: the characters of a token.
  return /^[A-Za-z0-9._~+/-]+=*$/.test(rest) ? { value: rest } : 'malformed';
}

type KeyScheme = Extract<SecurityScheme, { type: 'apiKey' }>;
type Headers = Exchange['request']['headersDistinct'];

/** An empty key is none. */
function keyIn(
  headers: Headers,
  query: string,
  { in: place, name }: KeyScheme,
): string | undefined {
  switch (place) {
    case 'header': {
      const lower = name.toLowerCase();
      return only(headers[lower] ?? [], `/headers/${lower}`);
    }
    case 'query':
      return only(new URLSearchParams(`?${query}`).getAll(name), `/query/${name}`);
    case 'cookie':
      return only(cookies(headers.cookie ?? [], name), `/cookies/${name}`);
  }
}

function cookies(headers: readonly string[], name: string): string[] {
  return headers
    .flatMap((header) => header.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}

function only(values: readonly string[], place: string): string | undefined {
  if (values.length > 1) throw invalid(place, 'is given more than once');
  return values[0];
}

/** RFC 7617: user and password in UTF-8, with a colon between them, in Base64. The user may be empty. */
function userAndPassword(base64: string): { readonly value: UserAndPassword } | 'malformed' {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0) return 'malformed';
  const text = decoded(Buffer.from(base64, 'base64'));
  const colon = text?.indexOf(':') ?? -1;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 7617 forbids control characters.
  if (text === undefined || colon < 0 || /[\u0000-\u001f\u007f]/.test(text)) return 'malformed';
  return { value: { username: text.slice(0, colon), password: text.slice(colon + 1) } };
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
