import { ApiError } from '../errors.ts';
import { kindOf, type Needed } from './security-schemes.ts';

/** `WWW-Authenticate` for all schemes that would do, each once (RFC 9110, section 11.6.1). */
export function challenges(
  needed: readonly Needed[],
  refused: ReadonlySet<string>,
  realm: string,
): string {
  const all = needed.map((each) => {
    const error = refused.has(each.name) ? 'invalid_token' : undefined;
    return challenge(each, realm, error);
  });
  return [...new Set(all)].join(', ');
}

/** A refusal for lack of scopes says which ones were needed (RFC 6750, section 3.1). */
export function insufficientScope(
  error: ApiError,
  alternative: readonly Needed[],
  realm: string,
): ApiError {
  const bearer = alternative.find(({ scheme }) => kindOf(scheme) === 'bearer');
  if (!bearer || 'WWW-Authenticate' in error.headers) return error;
  const value = challenge(bearer, realm, 'insufficient_scope');
  const { detail, errors, cause, headers } = error;
  return new ApiError('forbidden', {
    ...(detail !== undefined && { detail }),
    ...(errors && { errors }),
    cause,
    headers: { ...headers, 'WWW-Authenticate': value },
  });
}

function challenge({ scheme, scopes }: Needed, realm: string, error: string | undefined): string {
  if (scheme.type === 'apiKey') {
    return `ApiKey ${parameters({ realm, in: scheme.in, name: scheme.name })}`;
  }
  if (kindOf(scheme) === 'basic') return `Basic ${parameters({ realm, charset: 'UTF-8' })}`;
  const scope = scopes.length > 0 ? scopes.join(' ') : undefined;
  return `Bearer ${parameters({ realm, scope, error })}`;
}

function parameters(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${quoted(value)}"`]))
    .join(', ');
}

/** As a quoted string of RFC 9110, in ASCII, because clients do not agree about other characters. */
function quoted(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, '\\$&');
}
