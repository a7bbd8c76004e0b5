import { defaultLimits, type Limits } from '../graphql/limits/limits.ts';
import type { Verification } from '../http/authentication.ts';
import type { Origins } from '../http/cors.ts';
import { type Capacity, defaultCapacity } from '../http/overload.ts';
import type { Rate } from '../http/rate-limit.ts';
import type { LogLevel } from '../observe/log.ts';
import { meantBy } from './misspelt-setting.ts';

/** The server's settings, read from the environment. */
export type Settings = {
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: string;
  /** How many connections to the database a process may hold. */
  readonly databasePool: number;
  /** Whether the server brings the tables up to date when it starts. */
  readonly mayMigrate: boolean;
  /** For how many seconds the answer to a request with an Idempotency-Key is kept. */
  readonly idempotencyExpiry: number;
  readonly seedDemo: boolean;
  /** Whether plainly valid requests are answered before Express. */
  readonly fastLane: boolean;
  /** How many processes serve. */
  readonly workers: number;
  /** For how many milliseconds idle connections stay open when the server stops. */
  readonly drainGrace: number;
  /** For how many milliseconds readiness is refused before anything else changes. */
  readonly drainDelay: number;
  /** After how many milliseconds of draining what is still under way is cut off. */
  readonly drainLongest: number;
  readonly capacity: Capacity;
  readonly logLevel: LogLevel;
  /** Which share of the responses is held against the contract, from 0 to 1. */
  readonly responseSample: number;
  /** Which pages of other origins may read the answers. */
  readonly corsOrigins: Origins | undefined;
  /** How many requests each client may make; any number when it is not said. */
  readonly rateLimit: Rate | undefined;
  /** How many proxies stand before the server and name the client. */
  readonly proxies: number;
  /** The address of a collector that takes traces. */
  readonly otlpEndpoint: string | undefined;
  readonly limits: Limits;
  readonly introspection: boolean;
  readonly verification: Verification | undefined;
  /** Where to write how much of the contracts was exercised. */
  readonly coverageFolder: string | undefined;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of this process. */
export const environment: Environment = process.env;

/**
 * Reads the settings. A wrong value is refused with a line that names the setting and says what it takes,
 * and so is a name that is nearly a setting's.
 */
export function readSettings(env: Environment): Settings {
  const known = new Set<string>();
  const config = parseSettings(
    new Proxy(env, {
      get(_, name) {
        known.add(String(name));
        return env[String(name)];
      },
    }),
  );
  refuseMisspelt(env, known);
  return config;
}

function refuseMisspelt(env: Environment, known: ReadonlySet<string>): void {
  for (const name of Object.keys(env)) {
    if (!env[name] || known.has(name)) continue;
    const meant = meantBy(name, known);
    // On Windows `port` is `PORT`.
    if (meant === undefined || env[meant] === env[name]) continue;
    throw new Error(`${name} is not a setting; did you mean ${meant}?`);
  }
}

function parseSettings(env: Environment): Settings {
  const { NODE_ENV, DATABASE_URL } = env;
  return {
    host: env.HOST || '127.0.0.1',
    port: integer(env, 'PORT', 3000, 0, 65_535),
    databaseUrl: databaseUrl(env),
    databasePool: integer(env, 'DATABASE_POOL', 10, 1, 1000),
    mayMigrate: oneOf(env, 'MIGRATE', ['on', 'off']) === 'on',
    idempotencyExpiry: integer(env, 'IDEMPOTENCY_EXPIRY', 86_400, 1, 31_536_000),
    // Demo data is for a first look, so only the database that nobody chose gets it unasked.
    seedDemo: boolean(env, 'SEED_DEMO', NODE_ENV !== 'production' && !DATABASE_URL),
    fastLane: oneOf(env, 'FAST_LANE', ['on', 'off']) === 'on',
    workers: workers(env),
    drainGrace: integer(env, 'DRAIN_GRACE', 1000, 0, 60_000),
    drainDelay: integer(env, 'DRAIN_DELAY', 500, 0, 600_000),
    drainLongest: integer(env, 'DRAIN_LONGEST', 20_000, 0, 600_000),
    capacity: {
      inFlight: integer(env, 'MAX_IN_FLIGHT', defaultCapacity.inFlight, 1, 1_000_000),
      connections: integer(env, 'MAX_CONNECTIONS', defaultCapacity.connections, 1, 1_000_000),
    },
    logLevel: oneOf(env, 'LOG_LEVEL', ['info', 'error', 'silent']),
    responseSample: share(env, 'RESPONSE_SAMPLE', 0.001),
    corsOrigins: corsOrigins(env),
    rateLimit: rateLimit(env),
    proxies: integer(env, 'PROXIES', 0, 0, 10),
    otlpEndpoint: httpAddress(env, 'OTEL_EXPORTER_OTLP_ENDPOINT'),
    limits: limits(env),
    introspection: oneOf(env, 'INTROSPECTION', ['on', 'off']) === 'on',
    verification: verification(env),
    coverageFolder: env.CONTRACT_COVERAGE || undefined,
  };
}

function refuse(name: string, takes: string, value: string): Error {
  return new Error(`${name} takes ${takes}, not ${JSON.stringify(value)}`);
}

/** For a setting that may hold a secret: its value is not repeated, not even in part. */
function refuseSecret(name: string, takes: string): Error {
  return new Error(`${name} takes ${takes}`);
}

function integer(
  env: Environment,
  name: string,
  preset: number,
  least: number,
  most: number,
): number {
  const text = env[name];
  if (!text) return preset;
  const value = Number(text);
  if (/^[0-9]+$/.test(text) && value >= least && value <= most) return value;
  throw refuse(name, `a whole number from ${least} to ${most}`, text);
}

function share(env: Environment, name: string, preset: number): number {
  const text = env[name];
  if (!text) return preset;
  if (/^(0|1|0?\.[0-9]+|1\.0+)$/.test(text)) return Number(text);
  throw refuse(name, 'a number from 0 to 1', text);
}

function boolean(env: Environment, name: string, preset: boolean): boolean {
  const text = env[name];
  if (!text) return preset;
  if (text === 'true' || text === 'false') return text === 'true';
  throw refuse(name, 'true or false', text);
}

function oneOf<T extends string>(env: Environment, name: string, values: readonly [T, ...T[]]): T {
  const text = env[name];
  if (!text) return values[0];
  const value = values.find((each) => each === text);
  if (value) return value;
  throw refuse(name, values.join(', ').replace(/, ([^,]*)$/, ' or $1'), text);
}

function corsOrigins({ CORS_ORIGINS: text }: Environment): Origins | undefined {
  if (!text) return undefined;
  if (text === '*') return 'any';
  const origins = text.split(',').map((each) => each.trim());
  // As a browser writes it, or it would never be met.
  if (origins.every((each) => URL.canParse(each) && new URL(each).origin === each)) return origins;
  throw refuseSecret('CORS_ORIGINS', '* or origins such as https://example.com, with commas');
}

function limits(env: Environment): Limits {
  const limit = (name: keyof Limits) =>
    integer(env, `GRAPHQL_${name.toUpperCase()}`, defaultLimits[name], 1, 1_000_000);
  return {
    depth: limit('depth'),
    cost: limit('cost'),
    aliases: limit('aliases'),
    tokens: limit('tokens'),
    directives: limit('directives'),
    fields: limit('fields'),
    errors: limit('errors'),
  };
}

function rateLimit(env: Environment): Rate | undefined {
  const { RATE_LIMIT: text } = env;
  if (!text || text === 'off') return undefined;
  const [, requests, seconds] = (text.match(/^([1-9]\d{0,8})\/([1-9]\d{0,4})$/) ?? []).map(Number);
  if (requests && seconds && seconds <= 3600) return { requests, seconds };
  throw refuse(
    'RATE_LIMIT',
    'off, or requests/seconds such as 600/60, of at most 3600 seconds',
    text,
  );
}

function verification(env: Environment): Verification | undefined {
  const { AUTH_SECRET: secret, AUTH_JWKS_URL, AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience } = env;
  if (secret && AUTH_JWKS_URL) throw new Error('AUTH_SECRET and AUTH_JWKS_URL exclude each other');
  // HS256 wants a key as long as its hash.
  if (secret && secret.length < 32) throw refuseSecret('AUTH_SECRET', 'at least 32 characters');
  const jwksUrl = jwksAddress(env);
  // An identity provider signs tokens for many applications with the same keys.
  if (jwksUrl && !(issuer && audience)) {
    throw new Error(
      'AUTH_JWKS_URL needs AUTH_ISSUER and AUTH_AUDIENCE: whose tokens, and for whom',
    );
  }
  const claims = { ...(issuer && { issuer }), ...(audience && { audience }) };
  if (secret) return { secret, ...claims };
  if (jwksUrl) return { jwksUrl, ...claims };
  const [alone] = Object.keys(claims);
  if (alone) throw new Error(`AUTH_${alone.toUpperCase()} needs AUTH_JWKS_URL or AUTH_SECRET`);
  return undefined;
}

function jwksAddress(env: Environment): string | undefined {
  const address = httpAddress(env, 'AUTH_JWKS_URL');
  // `fetch` refuses such an address, and repeats it.
  if (address === undefined || !hasCredentials(address)) return address;
  throw refuseSecret('AUTH_JWKS_URL', 'an http or https address without user and password');
}

function hasCredentials(address: string): boolean {
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}

function httpAddress(env: Environment, name: string): string | undefined {
  const text = env[name];
  if (!text || (URL.canParse(text) && /^https?:\/\//.test(text))) return text || undefined;
  throw refuseSecret(name, 'an http or https address');
}

function workers(env: Environment): number {
  const count = integer(env, 'WORKERS', 1, 1, 256);
  if (count === 1 || env.DATABASE_URL !== 'sqlite::memory:') return count;
  throw new Error('WORKERS takes 1 with sqlite::memory:, which processes cannot share');
}

function databaseUrl(env: Environment): string {
  const text = env.DATABASE_URL || 'sqlite:data/accord.db';
  if (isDatabaseUrl(text)) return text;
  throw refuseSecret(
    'DATABASE_URL',
    'sqlite:<file>, sqlite::memory: or postgres://<user>:<password>@<host>/<database>, ' +
      'with / ? # @ % in user and password percent-encoded',
  );
}

/** Whether a store can be opened there. */
export function isDatabaseUrl(text: string): boolean {
  // A file whose name holds the address of something else is a mistake, and may hold a password.
  if (/^sqlite:./.test(text)) return !text.includes('://');
  if (!/^postgres(ql)?:\/\/./.test(text) || !URL.canParse(text)) return false;
  // After a password with / ? or # in it, part of the password passes for the host's port.
  const { pathname, search, hash } = new URL(text);
  return !`${pathname}${search}${hash}`.includes('@');
}
