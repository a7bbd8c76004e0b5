import { describe, expect, it } from 'vitest';
import { readSettings, settingsByName } from '../../../src/kit/process/settings.ts';

/** Each setting by its name, and those of a group by both names. */
const read = (env: Record<string, string>) => {
  const flat = Object.entries(readSettings(env)).flatMap(([name, value]): [string, unknown][] => {
    if (Object(value) !== value || Array.isArray(value)) return [[name, value]];
    return Object.entries(Object(value)).map(([inner, each]) => [`${name}.${inner}`, each]);
  });
  return Object.fromEntries(flat);
};

/** The settings that are whole numbers, from the least to the most. */
const numbers: [name: string, member: string, least: number, most: number][] = [
  ['PORT', 'port', 0, 65_535],
  ['DATABASE_POOL', 'databasePool', 1, 1000],
  ['DATABASE_READ_LAG', 'replicas.lag', 100, 600_000],
  ['IDEMPOTENCY_EXPIRY', 'idempotencyExpiry', 1, 31_536_000],
  ['WORKERS', 'workers', 1, 256],
  ['DRAIN_GRACE', 'drainGrace', 0, 60_000],
  ['DRAIN_DELAY', 'drainDelay', 0, 600_000],
  ['DRAIN_LONGEST', 'drainLongest', 0, 600_000],
  ['MAX_IN_FLIGHT', 'capacity.inFlight', 1, 1_000_000],
  ['MAX_CONNECTIONS', 'capacity.connections', 1, 1_000_000],
  ['LIST_TIMEOUT', 'listTimeout', 1, 14_000],
  ['UPLOAD_LIMIT', 'uploadLimit', 1, 1_099_511_627_776],
  ['PROXIES', 'proxies', 0, 10],
  ['GRAPHQL_DEPTH', 'limits.depth', 1, 1_000_000],
  ['GRAPHQL_COST', 'limits.cost', 1, 1_000_000],
  ['GRAPHQL_ALIASES', 'limits.aliases', 1, 1_000_000],
  ['GRAPHQL_TOKENS', 'limits.tokens', 1, 1_000_000],
  ['GRAPHQL_DIRECTIVES', 'limits.directives', 1, 1_000_000],
  ['GRAPHQL_FIELDS', 'limits.fields', 1, 1_000_000],
  ['GRAPHQL_ERRORS', 'limits.errors', 1, 1_000_000],
  ['GRAPHQL_SUBSCRIPTIONS', 'subscriptions.most', 1, 1_000_000],
  ['GRAPHQL_SUBSCRIPTION_LIFE', 'subscriptions.life', 1, 86_400],
];

it.each(numbers)('%s (%s) takes whole numbers from %d to %d', (name, member, least, most) => {
  for (const value of [least, least + 1, most - 1, most]) {
    expect(read({ [name]: String(value) })[member]).toBe(value);
  }
  for (const text of [`${least - 1}`, `${most + 1}`, `${least}.5`, ` ${least}`, 'x', '1e2']) {
    const refusal = `${name} takes a whole number from ${least} to ${most}, not "${text}"`;
    expect(() => readSettings({ [name]: text })).toThrow(refusal);
  }
});

/** The settings that are one of several words. */
const words: [name: string, member: string, values: readonly [string, unknown][]][] = [
  [
    'MIGRATE',
    'mayMigrate',
    [
      ['on', true],
      ['off', false],
    ],
  ],
  [
    'SEED_DEMO',
    'seedDemo',
    [
      ['true', true],
      ['false', false],
    ],
  ],
  [
    'MOCKS',
    'mayMock',
    [
      ['allow', true],
      ['refuse', false],
    ],
  ],
  [
    'FAST_LANE',
    'fastLane',
    [
      ['on', true],
      ['off', false],
    ],
  ],
  [
    'GRAPHQL_GET',
    'graphqlGet',
    [
      ['on', true],
      ['off', false],
    ],
  ],
  [
    'INTROSPECTION',
    'introspection',
    [
      ['on', true],
      ['off', false],
    ],
  ],
  [
    'LOG_LEVEL',
    'logLevel',
    [
      ['info', 'info'],
      ['error', 'error'],
      ['silent', 'silent'],
    ],
  ],
];

it.each(words)('%s (%s) takes a word', (name, member, values) => {
  for (const [text, value] of values) expect(read({ [name]: text })[member]).toBe(value);
  const all = values
    .map(([text]) => text)
    .join(', ')
    .replace(/, (\w+)$/, ' or $1');
  for (const text of ['maybe', 'ON', 'True', '1']) {
    expect(() => readSettings({ [name]: text })).toThrow(`${name} takes ${all}, not "${text}"`);
  }
});

const secret = 's'.repeat(32);
const postgres = { DATABASE_URL: 'postgres://h/d' };

describe('a setting that is neither a number nor a word', () => {
  it.each([
    [{ HOST: '::1' }, 'host', '::1'],
    [{ DATABASE_URL: 'sqlite:./a b.db' }, 'databaseUrl', 'sqlite:./a b.db'],
    [{ DATABASE_URL: 'sqlite:x' }, 'databaseUrl', 'sqlite:x'],
    [{ WORKERS: '1', DATABASE_URL: 'sqlite::memory:' }, 'workers', 1],
    [{ ...postgres, DATABASE_READ_URL: 'postgres://a/d' }, 'replicas.url', 'postgres://a/d'],
    [{ RESPONSE_SAMPLE: '0.25' }, 'responseSample', 0.25],
    [{ RESPONSE_SAMPLE: '1.00' }, 'responseSample', 1],
    [{ RATE_LIMIT: '1/3600' }, 'rateLimit.seconds', 3600],
    [{ RATE_LIMIT: '999999999/1' }, 'rateLimit.requests', 999_999_999],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c/' }, 'otlpEndpoint', 'https://c/'],
    [{ AUTH_SECRET: secret, AUTH_AUDIENCE: 'a' }, 'verification.audience', 'a'],
    [{ AUTH_SECRET: secret, AUTH_ISSUER: 'i' }, 'verification.issuer', 'i'],
    [{ NODE_ENV: 'test' }, 'seedDemo', true],
    [{ NODE_ENV: 'production', DATABASE_URL: 'sqlite:x' }, 'seedDemo', false],
    [{ NODE_ENV: 'test' }, 'mayMock', true],
  ])('%j gives %s %j', (env: Record<string, string>, member, value) => {
    expect(read(env)[member]).toBe(value);
  });

  it('leaves out what is not asked for', () => {
    expect(readSettings({ AUTH_SECRET: secret }).verification).toStrictEqual({ secret });
    const own = { AUTH_JWKS_URL: 'http://x/', AUTH_ISSUER: 'i', AUTH_AUDIENCE: 'a' };
    const claims = { issuer: 'i', audience: 'a' };
    expect(readSettings(own).verification).toStrictEqual({ jwksUrl: 'http://x/', ...claims });
  });

  const database =
    'DATABASE_URL takes sqlite:<file>, sqlite::memory: or postgres://<user>:<password>@<host>/<database>, ' +
    'with / ? # @ % in user and password percent-encoded';
  const replicas =
    'DATABASE_READ_URL takes postgres://<user>:<password>@<host>[,<host>…]/<database>, as DATABASE_URL does';
  const origins = 'CORS_ORIGINS takes * or origins such as https://example.com, with commas';
  const rate = 'RATE_LIMIT takes off, or requests/seconds such as 600/60, of at most 3600 seconds';
  it.each([
    [{ DATABASE_URL: 'mysql://s3cret' }, database],
    [{ DATABASE_URL: 'sqlite:http://s3cret' }, database],
    [{ DATABASE_URL: 'postgres://u:s3cret@h:0/d' }, 'DATABASE_URL has a port that is not a number'],
    [{ ...postgres, DATABASE_READ_URL: 's3cret' }, replicas],
    [{ ...postgres, DATABASE_READ_URL: 'sqlite:s3cret' }, replicas],
    [{ CORS_ORIGINS: 's3cret' }, origins],
    [{ CORS_ORIGINS: 'https://x, s3cret' }, origins],
    [{ AUTH_SECRET: 's3cret'.padEnd(31, '.') }, 'AUTH_SECRET takes at least 32 characters'],
    [{ AUTH_JWKS_URL: 'http:s3cret' }, 'AUTH_JWKS_URL takes an http or https address'],
    [{ AUTH_JWKS_URL: 'http://s3cret:x' }, 'AUTH_JWKS_URL takes an http or https address'],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 's3cret' },
      'OTEL_EXPORTER_OTLP_ENDPOINT takes an http or https address',
    ],
    [{ RATE_LIMIT: '1/3601' }, `${rate}, not "1/3601"`],
    [{ RATE_LIMIT: '1/0' }, `${rate}, not "1/0"`],
    [{ RATE_LIMIT: '1000000000/1' }, `${rate}, not "1000000000/1"`],
    [{ RATE_LIMIT: '600/60s' }, `${rate}, not "600/60s"`],
    [{ RESPONSE_SAMPLE: '2' }, 'RESPONSE_SAMPLE takes a number from 0 to 1, not "2"'],
    [{ RESPONSE_SAMPLE: '-0.1' }, 'RESPONSE_SAMPLE takes a number from 0 to 1, not "-0.1"'],
    [{ WORKERS: '2', DATABASE_URL: 'sqlite::memory:' }, 'WORKERS takes 1 with sqlite::memory:'],
    [{ AUTH_JWKS_URL: 'http://x/', AUTH_AUDIENCE: 'a' }, 'needs AUTH_ISSUER and AUTH_AUDIENCE'],
    [{ AUTH_JWKS_URL: 'http://u@x/' }, 'AUTH_JWKS_URL takes an http or https address without user'],
  ])('%j is refused: %s', (env: Record<string, string>, reason) => {
    let told = '';
    try {
      readSettings(env);
    } catch (error) {
      told = String(Object(error).message);
    }
    expect(told).toContain(reason);
    expect(told).not.toContain('s3cret');
  });
});

describe('a name beside the settings', () => {
  it.each([
    ['MOCK', 'MOCKS'],
    ['MCOKS', 'MOCKS'],
    ['AUTH_ISSUERSS', 'AUTH_ISSUER'],
    ['AUTH_ISSU', 'AUTH_ISSUER'],
    ['DATABASE_POLO', 'DATABASE_POOL'],
    ['GRAPHQL_GTE', 'GRAPHQL_GET'],
    ['HOTS', 'HOST'],
    ['Host', 'HOST'],
  ])('%s is taken for %s', (name, meant) => {
    const line = `${name} is not a setting; did you mean ${meant}?`;
    expect(() => readSettings({ [name]: 'x' })).toThrow(line);
  });

  it.each(['OPTR', 'SHOT', 'PORTS', 'COST', 'MOCKERY', 'AUTH_ISSUERSSS', 'POTR_HOST', 'MY_PORT'])(
    '%s is another’s',
    (name) => {
      expect(readSettings({ [name]: 'x' })).toEqual(readSettings({}));
    },
  );

  it('is none of the settings that are tested here', () => {
    const others = `HOST DATABASE_URL DATABASE_READ_URL RESPONSE_SAMPLE CORS_ORIGINS RATE_LIMIT
      OTEL_EXPORTER_OTLP_ENDPOINT AUTH_SECRET AUTH_JWKS_URL AUTH_ISSUER AUTH_AUDIENCE`;
    const tested = [...numbers, ...words].map(([name]) => name);
    expect([...settingsByName.keys()].sort()).toEqual([...tested, ...others.split(/\s+/)].sort());
  });
});
