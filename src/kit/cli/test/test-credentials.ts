import type { Contract } from '../../contract/contract.ts';
import type { SecurityScheme } from '../../contract/openapi-document.ts';
import type { AnySecurity } from '../../rest/security.ts';
import { schemesOf } from '../../rest/security-schemes.ts';

const KEY = 'key';
const TOKEN = 'token';
const USER = { username: 'user', password: 'password' };

/** Security functions for a test: they admit the credentials of `credentialsConfig` alone. */
export function testSecurity(contract: Contract): AnySecurity {
  const check = (given: unknown) =>
    given === KEY || given === TOKEN || Object(given).password === USER.password || undefined;
  const named = [...schemesOf(contract)].filter(([, { type }]) => type !== 'mutualTLS');
  return Object.fromEntries(named.map(([name]) => [name, check]));
}

/** The lines of schemathesis.toml with credentials for each scheme, but for those of `except`. */
export function credentialsConfig(contract: Contract, except: object = {}): string[] {
  return [...schemesOf(contract)].flatMap(([name, scheme]) => {
    const values = Object.hasOwn(except, name) ? undefined : credentialsFor(scheme);
    return values ? [`[auth.openapi.${JSON.stringify(name)}]`, ...values] : [];
  });
}

function credentialsFor(scheme: SecurityScheme): string[] | undefined {
  if (scheme.type === 'mutualTLS') return undefined;
  if (scheme.type === 'apiKey') return [`api_key = "${KEY}"`];
  const isBasic = scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic';
  if (!isBasic) return [`bearer = "${TOKEN}"`];
  return [`username = "${USER.username}"`, `password = "${USER.password}"`];
}
