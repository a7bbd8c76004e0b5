import type { IncomingMessage } from 'node:http';
import type { JWTPayload } from 'jose';
import { ApiError } from '../errors.ts';
import { nameClient } from '../request-context.ts';
import { createKeySetVerify } from './key-set.ts';

/**
 * Who calls: issuer and subject of the token. Empty where no token is asked for; undefined for a token
 * without `sub`, whose holder cannot be told from others.
 */
export type Caller = string | undefined;

/** Resolves with the caller if it may do this. Handlers and resolvers ask before they do it. */
export type Authorize<Action> = (action: Action) => Promise<Caller>;

/** Resolves with the caller; without a valid token it rejects. Where tokens are not verified it resolves. */
export type Authenticate = () => Promise<Caller>;

/** Decides whether a request may do something: rejects, or resolves with the caller. */
export type Policy<Action> = (action: Action, authenticate: Authenticate) => Promise<Caller>;

/** Decides about a request by its Authorization header. */
export type Access<Action> = (request: Credentials) => Authorize<Action>;

type Credentials = Pick<IncomingMessage, 'headersDistinct'>;

/** How tokens are verified: with a shared secret, or with the keys that are published at an address. */
export type Verification = ({ readonly secret: string } | { readonly jwksUrl: string }) & {
  /** What a token must say in `iss`. */
  readonly issuer?: string;
  /** What a token must have in `aud`. */
  readonly audience?: string;
};

// Seconds by which the clocks of the issuer and this machine may differ.
const CLOCK_TOLERANCE = 5;
// The last second that RFC 3339 can write. A later `exp` is no date, and one in milliseconds is later.
const LAST_DATE = 253_402_300_799;

/** The policy of both protocols. Without verification it is asked about callers without a name. */
export function createAccess<Action>(
  verification: Verification | undefined,
  policy: Policy<Action>,
): Access<Action> {
  if (!verification) {
    const authorize: Authorize<Action> = (action) => policy(action, anonymous);
    return () => authorize;
  }
  const verify = createVerify(verification);
  return (request) => {
    // A token is verified when it is first needed, and once.
    let verified: Promise<Caller> | undefined;
    const authenticate = () => {
      verified ??= verify(request);
      return verified;
    };
    return (action) => policy(action, authenticate);
  };
}

const nobody = Promise.resolve('');
const anonymous: Authenticate = () => nobody;

type Verify = (request: Credentials) => Promise<Caller>;

function createVerify(verification: Verification): Verify {
  const payloadOf = createPayloadOf(verification);
  return async ({ headersDistinct: { authorization = [] } }) => {
    const token = authorization[0]?.match(/^Bearer +([^ ]+)$/i)?.[1];
    // Of two, a proxy may have judged the other.
    if (!token || authorization.length > 1) throw unauthenticated('Bearer');
    const { iss, sub } = await payloadOf(token);
    // jose does not check that `sub` is text.
    if (typeof sub !== 'string' || sub === '') return undefined;
    const caller = JSON.stringify([iss, sub]);
    nameClient(caller);
    return caller;
  };
}

/** The holder of a token. */
export type Jwt = {
  readonly subject: string | undefined;
  /** What `scope` or `scp` lists. */
  readonly scopes: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
};

/** Verifies tokens; undefined for one that is not good. */
export function createVerifyJwt(
  verification: Verification,
): (token: string) => Promise<Jwt | undefined> {
  const payloadOf = createPayloadOf(verification);
  return async (token) => {
    try {
      const claims = await payloadOf(token);
      const { sub, scope, scp } = claims;
      const subject = typeof sub === 'string' && sub !== '' ? sub : undefined;
      return { subject, scopes: scopesIn(scope ?? scp), claims };
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unauthenticated') return undefined;
      throw error;
    }
  };
}

/** RFC 8693 separates scopes by spaces; some issuers give a list. */
function scopesIn(claim: unknown): string[] {
  const texts = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return texts.filter((each) => typeof each === 'string' && each !== '');
}

function createPayloadOf(verification: Verification): (token: string) => Promise<JWTPayload> {
  // Loaded with the first token.
  let loaded: Promise<Loaded> | undefined;
  return async (token) => {
    if (!isCanonical(token)) throw invalidToken();
    loaded ??= load(verification);
    const { jose, payloadOf } = await loaded;
    const payload = await payloadOf(token).catch((error) => {
      throw refusal(jose, error);
    });
    if (Number(payload.exp) > LAST_DATE) throw invalidToken();
    return payload;
  };
}

/** Whether a token is spelled as RFC 7515 has it: jose reads padding, white space and idle bits at the end, too. */
function isCanonical(token: string): boolean {
  return token
    .split('.')
    .every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

type Jose = typeof import('jose');
type Loaded = {
  readonly jose: Jose;
  readonly payloadOf: (token: string) => Promise<JWTPayload>;
};

async function load(verification: Verification): Promise<Loaded> {
  const jose = await import('jose');
  const { issuer, audience } = verification;
  const options = {
    requiredClaims: ['exp'],
    clockTolerance: CLOCK_TOLERANCE,
    ...(issuer !== undefined && { issuer }),
    ...(audience !== undefined && { audience }),
  };
  // A key takes only the algorithms of its kind, or a public key could be used as a shared secret.
  if ('jwksUrl' in verification) {
    const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
    const curves = ['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
    const algorithms = [...asymmetric, ...curves];
    const payloadOf = createKeySetVerify(jose, verification.jwksUrl, { ...options, algorithms });
    return { jose, payloadOf };
  }
  const secret = new TextEncoder().encode(verification.secret);
  const algorithms = ['HS256', 'HS384', 'HS512'];
  const bySecret = async (token: string) =>
    (await jose.jwtVerify(token, secret, { ...options, algorithms })).payload;
  return { jose, payloadOf: bySecret };
}

// What says that the keys could not be had, rather than that the token is not good.
const KEYS_OUT_OF_REACH = ['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'];

function refusal({ errors }: Jose, error: unknown): ApiError {
  const isToken = error instanceof errors.JOSEError && !KEYS_OUT_OF_REACH.includes(error.code);
  if (isToken) return invalidToken();
  return new ApiError('unavailable', { cause: error });
}

function invalidToken(): ApiError {
  return unauthenticated('Bearer error="invalid_token"');
}

function unauthenticated(challenge: string): ApiError {
  return new ApiError('unauthenticated', { headers: { 'WWW-Authenticate': challenge } });
}
