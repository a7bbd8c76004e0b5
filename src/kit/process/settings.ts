import { editDistance } from '../contract/edit-distance.ts';
import { defaultLimits, type Limits } from '../graphql/limits/limits.ts';
import type { Verification } from '../http/authentication.ts';
import { defaultUploadLimit } from '../http/body.ts';
import { defaultCapacity } from '../http/overload.ts';
import * as kinds from './setting-kinds.ts';
import { type Environment, either, integer, type Kind } from './setting-kinds.ts';

/** A setting: the variable's name, what it is for, what it takes, and its default. */
type Setting<T> = Kind<T> & {
  readonly name: string;
  readonly help: string;
  readonly preset: T | ((env: Environment) => T);
};

const milliseconds = integer(0, 600_000);
const many = integer(1, 1_000_000);
const onOff = either('on', 'off');
const limit = (name: keyof Limits, help: string) =>
  setting(`GRAPHQL_${name.toUpperCase()}`, help, many, defaultLimits[name]);

const declared = {
  host: setting('HOST', 'the address to listen on', kinds.text, '127.0.0.1'),
  port: setting('PORT', 'the port to listen on; 0 takes a free one', integer(0, 65_535), 3000),
  databaseUrl: setting('DATABASE_URL', 'the database', kinds.database, 'sqlite:data/accord.db'),
  databasePool: setting('DATABASE_POOL', 'connections of a process', integer(1, 1000), 10),
  replicas: {
    url: setting('DATABASE_READ_URL', 'replicas that answer reads', kinds.replicas, undefined),
    lag: setting(
      'DATABASE_READ_LAG',
      'milliseconds that a replica may be behind',
      integer(100, 600_000),
      5000,
    ),
  },
  mayMigrate: setting('MIGRATE', 'whether the start brings tables up to date', onOff, true),
  idempotencyExpiry: setting(
    'IDEMPOTENCY_EXPIRY',
    'seconds for which the reply to an Idempotency-Key is kept',
    integer(1, 31_536_000),
    86_400,
  ),
  seedDemo: setting(
    'SEED_DEMO',
    'whether a new database gets demo data',
    either('true', 'false'),
    // Only the default database gets it without being asked.
    ({ NODE_ENV, DATABASE_URL }: Environment) => NODE_ENV !== 'production' && !DATABASE_URL,
  ),
  mayMock: setting(
    'MOCKS',
    'whether what is not written may be mocked',
    either('allow', 'refuse'),
    ({ NODE_ENV }: Environment) => NODE_ENV !== 'production',
  ),
  fastLane: setting(
    'FAST_LANE',
    'whether plainly valid requests bypass Express and graphql-http',
    onOff,
    true,
  ),
  workers: setting('WORKERS', 'processes that serve', kinds.processes, 1),
  drainGrace: setting(
    'DRAIN_GRACE',
    'milliseconds for which idle connections stay open after SIGTERM',
    integer(0, 60_000),
    1000,
  ),
  drainDelay: setting('DRAIN_DELAY', 'milliseconds from /readyz 503 to drain', milliseconds, 500),
  drainLongest: setting('DRAIN_LONGEST', 'milliseconds a drain may take', milliseconds, 20_000),
  capacity: {
    inFlight: setting('MAX_IN_FLIGHT', 'requests at a time', many, defaultCapacity.inFlight),
    connections: setting('MAX_CONNECTIONS', 'connections', many, defaultCapacity.connections),
  },
  listTimeout: setting(
    'LIST_TIMEOUT',
    'milliseconds to read the lists of a request',
    // A list may begin when the time is nearly over, and connections without traffic are closed after 30 s.
    integer(1, 14_000),
    10_000,
  ),
  uploadLimit: setting(
    'UPLOAD_LIMIT',
    'bytes of a body with files, or of one that is streamed',
    integer(1, 1_099_511_627_776),
    defaultUploadLimit,
  ),
  logLevel: setting('LOG_LEVEL', 'the log', kinds.oneOf('info', 'error', 'silent'), 'info'),
  responseSample: setting('RESPONSE_SAMPLE', 'share of replies checked', kinds.share, 0.001),
  corsOrigins: setting('CORS_ORIGINS', 'origins that may read replies', kinds.origins, undefined),
  rateLimit: setting('RATE_LIMIT', 'requests that each client may make', kinds.rate, undefined),
  proxies: setting('PROXIES', 'proxies in front, for X-Forwarded-For', integer(0, 10), 0),
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'an OpenTelemetry collector, for traces',
    kinds.httpAddress,
    undefined,
  ),
  limits: {
    depth: limit('depth', 'levels of an operation'),
    cost: limit('cost', 'fields of an operation, lists counted tenfold'),
    aliases: limit('aliases', 'aliases of an operation'),
    tokens: limit('tokens', 'tokens of a document'),
    directives: limit('directives', 'directives of an operation'),
    fields: limit('fields', 'fields of an answer'),
    errors: limit('errors', 'validation errors that are reported'),
  },
  graphqlGet: setting('GRAPHQL_GET', 'whether queries may come by GET', onOff, false),
  subscriptions: {
    most: setting('GRAPHQL_SUBSCRIPTIONS', 'subscriptions at a time', many, 500),
    life: setting(
      'GRAPHQL_SUBSCRIPTION_LIFE',
      'seconds after which a subscription is to connect again',
      integer(1, 86_400),
      3600,
    ),
  },
  introspection: setting('INTROSPECTION', 'whether the contracts are public', onOff, true),
  verification: {
    secret: setting('AUTH_SECRET', 'the key of HS tokens', kinds.signingSecret, undefined),
    jwksUrl: setting('AUTH_JWKS_URL', 'the keys of tokens', kinds.httpAddress, undefined),
    issuer: setting('AUTH_ISSUER', 'the iss of tokens', kinds.text, undefined),
    audience: setting('AUTH_AUDIENCE', 'the aud of tokens', kinds.text, undefined),
  },
};

type Declared = typeof declared;
type Value<S> = S extends Setting<infer T> ? T : { readonly [N in keyof S]: Value<S[N]> };

/** The server's settings, read from the environment. */
export type Settings = Value<Omit<Declared, 'verification'>> & {
  readonly verification: Verification | undefined;
};

/** Every setting by its name. */
export const settingsByName: ReadonlyMap<string, Setting<unknown>> = new Map(
  Object.values(declared)
    .flatMap((each) => ('name' in each ? [each] : Object.values(each)))
    .map((each) => [each.name, each]),
);

/**
 * Reads the settings. A wrong value is refused with a line that names the setting and says what it takes,
 * and so is a name that is nearly a setting's.
 */
export function readSettings(env: Environment): Settings {
  const { verification, ...others } = declared;
  const settings = { ...readAll(others, env), verification: readVerification(verification, env) };
  const known = ['NODE_ENV', ...settingsByName.keys()];
  for (const name of Object.keys(env)) {
    if (!env[name] || known.includes(name)) continue;
    const meant = meantBy(name, known);
    // On Windows `port` is `PORT`.
    if (meant === undefined || env[meant] === env[name]) continue;
    throw new Error(`${name} is not a setting; did you mean ${meant}?`);
  }
  return settings;
}

function setting<T, D extends T | undefined>(
  name: string,
  help: string,
  kind: Kind<T>,
  preset: D | ((env: Environment) => D),
): Setting<T | D> {
  return { ...kind, name, help, preset };
}

function read<T>({ name, takes, isSecret, off, parse, preset }: Setting<T>, env: Environment): T {
  const text = env[name];
  if (!text || text === off) return preset instanceof Function ? preset(env) : preset;
  const value = parse(text, env);
  if (value !== undefined) return value;
  throw new Error(`${name} takes ${takes}${isSecret ? '' : `, not ${JSON.stringify(text)}`}`);
}

type Group = { readonly [name: string]: Setting<unknown> | Group };

function readAll<G extends Group>(group: G, env: Environment): Value<G> {
  const values = Object.entries(group).map(([name, each]) => [
    name,
    isSetting(each) ? read(each, env) : readAll(each, env),
  ]);
  // Object.fromEntries forgets which value belongs to which name.
  return Object.fromEntries(values) as Value<G>;
}

function isSetting(each: Setting<unknown> | Group): each is Setting<unknown> {
  return typeof each.parse === 'function';
}

function readVerification(
  group: Declared['verification'],
  env: Environment,
): Verification | undefined {
  if (env.AUTH_SECRET && env.AUTH_JWKS_URL) {
    throw new Error('AUTH_SECRET and AUTH_JWKS_URL exclude each other');
  }
  const { secret, jwksUrl, issuer, audience } = readAll(group, env);
  // `fetch` refuses such an address, and repeats it.
  const { username, password } = new URL(jwksUrl ?? 'http://none');
  if (username || password) {
    throw new Error('AUTH_JWKS_URL takes an http or https address without user and password');
  }
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
  // A script gives it so where a variable of its own is not set.
  const empty = ['AUTH_SECRET', 'AUTH_JWKS_URL'].find((name) => env[name] === '');
  if (empty) throw new Error(`${empty} is empty, so that everybody could write: leave it out`);
  return undefined;
}

/**
 * The known name that `name` was probably meant to be: the same in another case, or up to two edits away. Of
 * names of four letters, which are near many words, only another case and swapped neighbours count.
 */
function meantBy(name: string, known: readonly string[]): string | undefined {
  const upper = name.toUpperCase();
  // Kubernetes sets `<SERVICE>_PORT` and the like for every service.
  if (/_(HOST|PORT)$/.test(upper)) return undefined;
  const near = known.filter((each) => Math.abs(each.length - upper.length) <= 2);
  return near.find((each) =>
    each.length > 4
      ? editDistance(upper, each) <= 2
      : editDistance(upper, each) <= 1 && sorted(upper) === sorted(each),
  );
}

const sorted = (name: string) => [...name].sort().join();
