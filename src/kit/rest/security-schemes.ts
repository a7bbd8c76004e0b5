import type { Contract } from '../contract/contract.ts';
import type { Path } from '../contract/contract-source.ts';
import { isObject, resolve, type SecurityScheme } from '../contract/openapi-document.ts';
import type { Operation } from '../contract/operation.ts';

/** One scheme of an alternative, and what is required of it. */
export type Needed = {
  readonly name: string;
  readonly scheme: SecurityScheme;
  readonly scopes: readonly string[];
};

/** The security schemes that operations require, by name; one that is not declared is refused where it is required. */
export function schemesOf({ document, operations, fail }: Contract): Map<string, SecurityScheme> {
  const declared = document.components?.securitySchemes ?? {};
  const schemes = new Map<string, SecurityScheme>();
  for (const operation of operations) {
    for (const name of operation.security.flatMap((each) => Object.keys(each))) {
      const scheme = Object.hasOwn(declared, name) ? declared[name] : undefined;
      if (!isObject(scheme)) {
        const message = `found the security scheme "${name}", which is not declared in components`;
        return fail({ path: placeOf(operation), at: 'value', message });
      }
      // The document was validated: a component of this kind is a security scheme.
      schemes.set(name, resolve(document, scheme as SecurityScheme));
    }
  }
  return schemes;
}

function placeOf({ path, method, object }: Operation): Path {
  return object.security ? ['paths', path, method.toLowerCase(), 'security'] : ['security'];
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
