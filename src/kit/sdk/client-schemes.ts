import { type Document, resolve, type SecurityScheme } from '../contract/openapi-document.ts';
import type { Operation } from '../contract/operation.ts';
import { kindOf } from '../rest/security-schemes.ts';

/** A security scheme that operations require, as a client carries it. */
export type Scheme = { readonly name: string } & (
  | { readonly kind: 'key'; readonly in: 'header' | 'query' | 'cookie'; readonly key: string }
  | { readonly kind: 'basic' | 'bearer' }
);

export function schemesOf(
  document: Document,
  operations: readonly Operation[],
  told: (line: string) => void,
): Scheme[] {
  const required = operations.flatMap(({ security }) =>
    security.flatMap((each) => Object.keys(each)),
  );
  return [...new Set(required)].flatMap((name): Scheme[] => {
    const found = document.components?.securitySchemes?.[name];
    if (!found) return [];
    // The document was checked: a name that is required is declared, as a security scheme.
    const scheme = resolve(document, found as SecurityScheme);
    const kind = kindOf(scheme);
    if (scheme.type === 'apiKey') return [{ name, kind: 'key', in: scheme.in, key: scheme.name }];
    if (kind === 'basic' || kind === 'bearer') return [{ name, kind }];
    told(
      `the security scheme ${name} is left out: the SDK carries keys, passwords and bearer tokens`,
    );
    return [];
  });
}

/** Whether the option `token` is all that they need. */
export function isTokenAlone(schemes: readonly Scheme[]): boolean {
  return schemes.length < 2 && schemes.every(({ kind }) => kind === 'bearer');
}

/** What a call must carry: nothing where it may carry none, else the first alternative that the SDK can carry whole. */
export function neededSchemes(
  schemes: readonly Scheme[],
  security: readonly (readonly string[])[],
): Scheme[] {
  const known = new Map(schemes.map((each) => [each.name, each]));
  if (security.some((names) => names.length === 0)) return [];
  const names = security.find((each) => each.every((name) => known.has(name))) ?? [];
  return names.flatMap((name) => known.get(name) ?? []);
}
