import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../errors.ts';
import type { Jwt } from '../http/authentication.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { UserAndPassword } from './credentials.ts';

/** What a security function may ask about the request beyond its credentials. */
export type SecurityContext = {
  /** What the operation requires of the scheme; the function judges whether the caller has them. */
  readonly scopes: readonly string[];
  readonly request: {
    readonly id: string;
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
  };
  /** Verifies a token by the AUTH_* settings; undefined where it is not good. */
  readonly verifyJwt: (token: string) => Promise<Jwt | undefined>;
};

/** Who calls. Not `false`, which a comparison gives that is meant as a refusal. */
type Identity = object | string | number | bigint | true;

/**
 * One function for each security scheme of a contract: it is given the credentials and says who calls, or undefined,
 * which is 401. `new ApiError('forbidden')` is 403.
 */
export type Security<Schemes> = {
  readonly [Name in keyof Schemes]: Check<CredentialsOf<Schemes[Name]>> | ByPolicy;
};

type Check<Credentials> = (
  credentials: Credentials,
  context: SecurityContext,
) => MaybePromise<Identity | undefined>;

type CredentialsOf<Scheme> = Scheme extends { type: 'http'; scheme: 'basic' }
  ? UserAndPassword
  : Scheme extends { type: 'mutualTLS' }
    ? never
    : string;

/** The security functions of an API, whatever its contract. */
export type AnySecurity = Readonly<
  Record<string, ((credentials: never, context: SecurityContext) => unknown) | ByPolicy>
>;

/**
 * For each operation who may call it, by scheme. `Map` is the type of the API's functions, `Requirements` the
 * generated `operationSecurity`.
 */
export type Identities<Map, Requirements> = {
  readonly [Id in keyof Requirements]: Requirements[Id] extends readonly []
    ? Record<never, never>
    : Requirements[Id] extends readonly (infer Alternative)[]
      ? Satisfied<Map, Alternative, NameIn<Alternative>>
      : never;
};

type NameIn<Alternative> = Alternative extends unknown ? keyof Alternative : never;

type Satisfied<Map, Alternative, Names extends PropertyKey> = Alternative extends unknown
  ? {
      readonly [Name in keyof Alternative]: Name extends keyof Map ? IdentityBy<Map[Name]> : never;
    } & { readonly [Name in Exclude<Names, keyof Alternative>]?: undefined }
  : never;

type IdentityBy<Function> = Function extends (...given: never) => infer Given
  ? Exclude<Awaited<Given>, undefined>
  : undefined;

/**
 * Instead of a function: the API's `policy` asks for these credentials, inside handlers. Only where they are optional
 * (`{}` among the alternatives): nothing else would make sure that they are asked for.
 */
export const byPolicy = 'by policy';
export type ByPolicy = typeof byPolicy;

/** Whether functions verify credentials, so that the caller is known before its handler runs. */
export function hasFunctions(security: AnySecurity): boolean {
  return Object.values(security).some((check) => check !== byPolicy);
}

/** Verifies a JWT by the AUTH_* settings, and that its `scope` or `scp` has what the operation requires. */
export async function jwtBearer(
  token: string,
  { scopes, verifyJwt }: SecurityContext,
): Promise<Jwt | undefined> {
  const jwt = await verifyJwt(token);
  if (jwt && !scopes.every((scope) => jwt.scopes.includes(scope))) throw new ApiError('forbidden');
  return jwt;
}
