import type { Contract } from '../contract/contract.ts';
import type { SecurityScheme } from '../contract/openapi-document.ts';
import type { Operation, SecurityRequirement } from '../contract/operation.ts';
import { ApiError, present } from '../errors.ts';
import { createVerifyJwt, type Verification } from '../http/authentication.ts';
import type { Exchange } from '../http/exchange.ts';
import { nameClient } from '../request-context.ts';
import { challenges, insufficientScope } from './challenge.ts';
import { credentialsIn } from './credentials.ts';
import { type AnySecurity, byPolicy, jwtBearer, type SecurityContext } from './security.ts';
import { kindOf, type Needed, schemesOf } from './security-schemes.ts';

type Parts = {
  readonly contract: Contract;
  readonly security: AnySecurity;
  /** Whether a scheme without a function admits whatever has its form. */
  readonly mocks: boolean;
  /** The AUTH_* settings. */
  readonly verification: Verification | undefined;
};

type Check = (credentials: never, context: SecurityContext) => unknown;
type Rule = { readonly alternatives: readonly (readonly Needed[])[]; readonly isOptional: boolean };

/** Puts the identity of the caller on the exchange, or rejects with 401 or 403; undefined where nothing is asked. */
export type Secure = (exchange: Exchange) => Promise<void> | undefined;

/**
 * Asks for credentials as the contract requires: all schemes of one of the alternatives. It comes before
 * parameters and body are looked at, so that a stranger learns nothing of them.
 */
export function createSecurity(parts: Parts): Secure {
  const { contract, security, verification } = parts;
  const schemes = requireFunctions(parts);
  const rules = new Map<Operation, Rule>();
  for (const operation of contract.operations) {
    const rule = ruleOf(parts, operation, schemes);
    if (rule.alternatives.length > 0) rules.set(operation, rule);
  }
  const realm = contract.document.info.title;
  const verifyJwt = verification ? createVerifyJwt(verification) : withoutSettings;

  async function identify(exchange: Exchange, rule: Rule): Promise<void> {
    const refused = new Set<string>();
    let forbidden: ApiError | undefined;
    for (const alternative of rule.alternatives) {
      try {
        const identity = await satisfied(alternative, exchange, refused);
        if (!identity) continue;
        exchange.identity = identity;
        return;
      } catch (error) {
        const { code } = Object(error);
        if (!(error instanceof ApiError) || !/^(forbidden|unauthenticated)$/.test(code))
          throw error;
        if (code === 'forbidden') forbidden ??= insufficientScope(error, alternative, realm);
      }
    }
    if (rule.isOptional) return;
    throw forbidden ?? unauthenticated(challenges(rule.alternatives.flat(), refused, realm));
  }

  /** Who calls, by scheme; undefined where one of the schemes refuses. */
  async function satisfied(
    alternative: readonly Needed[],
    exchange: Exchange,
    refused: Set<string>,
  ): Promise<object | undefined> {
    // The server ends no TLS, so it never sees a certificate: mocks do not ask for one.
    const asked = alternative.filter(({ scheme }) => scheme.type !== 'mutualTLS');
    const given = asked.map((needed) => [needed, credentialsIn(exchange, needed.scheme)] as const);
    if (given.some(([, credentials]) => credentials === undefined)) return undefined;
    const identities: [string, unknown][] = [];
    for (const [{ name, scopes }, credentials] of given) {
      const { id, method, path, request } = exchange;
      const about = { scopes, request: { id, method, path, headers: request.headers }, verifyJwt };
      refused.add(name);
      if (credentials === 'malformed' || credentials === undefined) return undefined;
      // Functions alone are left, and the scheme decides about what they are given.
      const check = (security[name] ?? admitted) as Check;
      const identity = await check(credentials.value as never, about);
      if (identity === undefined || identity === null || identity === false) return undefined;
      refused.delete(name);
      identities.push([name, identity]);
    }
    if (given.length > 0) nameClient(JSON.stringify(given.map(([, credentials]) => credentials)));
    return Object.fromEntries(identities);
  }

  return (exchange) => {
    const rule = exchange.operation && rules.get(exchange.operation);
    return rule && identify(exchange, rule);
  };
}

/** The schemes that are required; a missing function, one too many and a scheme that cannot be served are errors. */
function requireFunctions({
  contract,
  security,
  mocks,
  verification,
}: Parts): Map<string, SecurityScheme> {
  const schemes = schemesOf(contract);
  for (const [name, scheme] of schemes) {
    const path = ['components', 'securitySchemes', name];
    const refuse = (message: string) => contract.fail({ path, at: 'key', message });
    if (kindOf(scheme) === undefined && !(mocks && scheme.type === 'mutualTLS')) {
      const type = scheme.type === 'http' ? `http ${scheme.scheme}` : scheme.type;
      refuse(`the security scheme "${name}" is of the type ${type}, which is not supported`);
    }
    const check = Object.hasOwn(security, name) ? security[name] : undefined;
    if (check === undefined && !mocks) refuse(`no function for the security scheme "${name}"`);
    if (check === jwtBearer && !verification) {
      throw new Error(`the security scheme "${name}" needs AUTH_JWKS_URL or AUTH_SECRET`);
    }
  }
  const declared = Object.keys(contract.document.components?.securitySchemes ?? {});
  const extra = Object.keys(security).filter((name) => !declared.includes(name));
  if (extra.length > 0) throw new Error(`no security scheme for the function ${extra.join(', ')}`);
  return schemes;
}

function ruleOf(
  { contract, security }: Parts,
  { security: required, path, method }: Operation,
  schemes: ReadonlyMap<string, SecurityScheme>,
): Rule {
  const alternatives = required.filter((each) => Object.keys(each).length > 0);
  const isOptional = alternatives.length < required.length;
  const asked = alternatives.filter((each) =>
    Object.keys(each).every((name) => security[name] !== byPolicy),
  );
  if (asked.length < alternatives.length && !isOptional) {
    const message =
      'the policy asks only for credentials that are optional; expected {} in "security"';
    contract.fail({ path: ['paths', path, method.toLowerCase(), 'security'], at: 'key', message });
  }
  return { alternatives: asked.map((each) => neededBy(each, schemes)), isOptional };
}

function neededBy(
  requirement: SecurityRequirement,
  schemes: ReadonlyMap<string, SecurityScheme>,
): Needed[] {
  return Object.entries(requirement).map(([name, scopes]) => ({
    name,
    scheme: present(schemes.get(name)),
    scopes,
  }));
}

function unauthenticated(challenge: string): ApiError {
  return new ApiError('unauthenticated', {
    detail: 'This needs valid credentials; the WWW-Authenticate header says of which kind.',
    headers: { 'WWW-Authenticate': challenge },
  });
}

function admitted(): true {
  return true;
}

async function withoutSettings(): Promise<never> {
  throw new Error('AUTH_JWKS_URL or AUTH_SECRET must be set to verify tokens');
}
