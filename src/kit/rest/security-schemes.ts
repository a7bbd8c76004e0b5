import type { Contract } from '../contract/contract.ts';
import { resolve, type SecurityScheme } from '../contract/openapi-document.ts';

/** One scheme of an alternative, and what is required of it. */
export type Needed = {
  readonly name: string;
  readonly scheme: SecurityScheme;
  readonly scopes: readonly string[];
};

/** The security schemes that operations require, by name. */
export function schemesOf({ document, operations }: Contract): Map<string, SecurityScheme> {
  const names = operations.flatMap(({ security }) => security.flatMap((each) => Object.keys(each)));
  return new Map(
    [...new Set(names)].map((name) => {
      // The document was checked: a name that is required is declared, and as a security scheme.
      const scheme = document.components?.securitySchemes?.[name] as SecurityScheme;
      return [name, resolve(document, scheme)];
    }),
  );
}

/** What a scheme carries: a key, user and password, or a token; undefined where the kit cannot read it. */
export function kindOf(scheme: SecurityScheme): 'key' | 'basic' | 'bearer' | undefined {
  if (scheme.type === 'apiKey') return 'key';
  if (scheme.type === 'oauth2' || scheme.type === 'openIdConnect') return 'bearer';
  if (scheme.type !== 'http') return undefined;
  // RFC 9110, section 11.1: the name of a scheme is case-insensitive.
  const name = scheme.scheme.toLowerCase();
  return name === 'basic' || name === 'bearer' ? name : undefined;
}
