import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { run } from '../src/main.ts';

describe('the settings', () => {
  it('have defaults that need no thought', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: 'sqlite:data/accord.db',
      databasePool: 10,
      mayMigrate: true,
      idempotencyExpiry: 86_400,
      seedDemo: true,
      fastLane: true,
      workers: 1,
      drainGrace: 1000,
      drainDelay: 500,
      drainLongest: 20_000,
      capacity: { inFlight: 1000, connections: 10_000 },
      logLevel: 'info',
      responseSample: 0.001,
      corsOrigins: undefined,
      otlpEndpoint: undefined,
      rateLimit: undefined,
      proxies: 0,
      limits: { depth: 8, cost: 10_000, aliases: 15, tokens: 1000, directives: 8, errors: 5 },
      introspection: true,
      verification: undefined,
      coverageFolder: undefined,
    });
  });

  it.each([
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: '65535' }, { port: 65_535 }],
    [{ PORT: '' }, { port: 3000 }],
    [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
    [{ DATABASE_URL: 'sqlite::memory:' }, { databaseUrl: 'sqlite::memory:', seedDemo: false }],
    [{ DATABASE_URL: 'postgres://u:p@h/d' }, { databaseUrl: 'postgres://u:p@h/d' }],
    [{ DATABASE_URL: 'postgresql://h/d' }, { databaseUrl: 'postgresql://h/d', seedDemo: false }],
    [{ DATABASE_POOL: '3' }, { databasePool: 3 }],
    [{ WORKERS: '2' }, { workers: 2 }],
    [{ MIGRATE: 'off' }, { mayMigrate: false }],
    [{ DRAIN_GRACE: '0' }, { drainGrace: 0 }],
    [{ DRAIN_DELAY: '0' }, { drainDelay: 0 }],
    [{ DRAIN_LONGEST: '5000' }, { drainLongest: 5000 }],
    [{ MAX_IN_FLIGHT: '5' }, { capacity: { inFlight: 5 } }],
    [{ MAX_CONNECTIONS: '5' }, { capacity: { connections: 5 } }],
    [{ NODE_ENV: 'production' }, { seedDemo: false }],
    [{ NODE_ENV: 'production', SEED_DEMO: 'true' }, { seedDemo: true }],
    [{ SEED_DEMO: 'false' }, { seedDemo: false }],
    [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x:4318' }, { otlpEndpoint: 'http://x:4318' }],
    [{ CORS_ORIGINS: '*' }, { corsOrigins: 'any' }],
    [{ CORS_ORIGINS: 'https://a.example' }, { corsOrigins: ['https://a.example'] }],
    [
      { CORS_ORIGINS: 'https://a.example, http://localhost:8080' },
      { corsOrigins: ['https://a.example', 'http://localhost:8080'] },
    ],
    [{ RESPONSE_SAMPLE: '0' }, { responseSample: 0 }],
    [{ RESPONSE_SAMPLE: '.5' }, { responseSample: 0.5 }],
    [{ RESPONSE_SAMPLE: '1' }, { responseSample: 1 }],
    [{ INTROSPECTION: 'off' }, { introspection: false }],
    [{ FAST_LANE: 'off' }, { fastLane: false }],
    [{ IDEMPOTENCY_EXPIRY: '60' }, { idempotencyExpiry: 60 }],
    [{ RATE_LIMIT: '600/60' }, { rateLimit: { requests: 600, seconds: 60 } }],
    [{ RATE_LIMIT: 'off' }, { rateLimit: undefined }],
    [{ PROXIES: '2' }, { proxies: 2 }],
    [{ GRAPHQL_COST: '5' }, { limits: { cost: 5 } }],
    [{ AUTH_SECRET: 's'.repeat(32) }, { verification: { secret: 's'.repeat(32) } }],
    [{ AUTH_JWKS_URL: 'https://x/' }, { verification: { jwksUrl: 'https://x/' } }],
  ])('%j gives %j', (env, wanted) => {
    expect(readConfig(env)).toMatchObject(wanted);
  });

  it.each([
    [{ PORT: 'x' }, 'PORT takes a whole number from 0 to 65535, not "x"'],
    [{ PORT: '-1' }, 'PORT takes'],
    [{ PORT: '65536' }, 'PORT takes'],
    [{ PORT: '1e3' }, 'PORT takes'],
    [{ SEED_DEMO: 'yes' }, 'SEED_DEMO takes true or false, not "yes"'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL takes info, error or silent, not "loud"'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL takes sqlite:<file>, sqlite::memory: or'],
    [{ DATABASE_URL: 'sqlite:' }, 'DATABASE_URL takes'],
    [{ DATABASE_URL: 'postgres://' }, 'DATABASE_URL takes'],
    [{ DATABASE_URL: 'postgre://u:secret@h/d' }, 'not "postgre://***@h/d"'],
    [{ DATABASE_URL: 'sqlite::memory:', WORKERS: '2' }, 'WORKERS takes 1 with sqlite::memory:'],
    [{ WORKERS: '0' }, 'WORKERS takes'],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'x:4318' },
      'OTEL_EXPORTER_OTLP_ENDPOINT takes an http or https address',
    ],
    [{ CORS_ORIGINS: 'a.example' }, 'CORS_ORIGINS takes * or origins such as https://example.com'],
    [{ CORS_ORIGINS: 'https://a.example/' }, 'CORS_ORIGINS takes'],
    [{ CORS_ORIGINS: 'https://a.example,*' }, 'CORS_ORIGINS takes'],
    [{ CORS_ORIGINS: 'null' }, 'CORS_ORIGINS takes'],
    [{ RESPONSE_SAMPLE: '1.5' }, 'RESPONSE_SAMPLE takes a number from 0 to 1, not "1.5"'],
    [{ RESPONSE_SAMPLE: '1%' }, 'RESPONSE_SAMPLE takes'],
    [{ DATABASE_POOL: '0' }, 'DATABASE_POOL takes a whole number from 1 to 1000, not "0"'],
    [{ IDEMPOTENCY_EXPIRY: '0' }, 'IDEMPOTENCY_EXPIRY takes'],
    [{ RATE_LIMIT: '10' }, 'RATE_LIMIT takes off, or requests/seconds such as 600/60'],
    [{ RATE_LIMIT: '0/1' }, 'RATE_LIMIT takes'],
    [{ RATE_LIMIT: '1/3601' }, 'RATE_LIMIT takes'],
    [{ PROXIES: '11' }, 'PROXIES takes'],
    [{ MAX_IN_FLIGHT: '0' }, 'MAX_IN_FLIGHT takes a whole number from 1 to 1000000, not "0"'],
    [{ INTROSPECTION: 'no' }, 'INTROSPECTION takes on or off, not "no"'],
    [{ GRAPHQL_DEPTH: '0' }, 'GRAPHQL_DEPTH takes a whole number from 1 to 1000000, not "0"'],
    [{ AUTH_SECRET: 'short' }, 'AUTH_SECRET takes at least 32 characters'],
    [{ AUTH_JWKS_URL: 'ftp://x' }, 'AUTH_JWKS_URL takes an http or https address'],
    [{ AUTH_JWKS_URL: 'x' }, 'AUTH_JWKS_URL takes'],
    [{ AUTH_JWKS_URL: 'https://x/', AUTH_SECRET: 's'.repeat(32) }, 'exclude each other'],
  ])('%j is refused: %s', (env, reason) => {
    expect(() => readConfig(env)).toThrow(reason);
  });
});

describe('the start', () => {
  it('says where to look, and puts demo data into a new database', async () => {
    const lines: string[] = [];
    const env = {
      PORT: '0',
      DRAIN_DELAY: '0',
      DRAIN_GRACE: '0',
      DATABASE_URL: 'sqlite::memory:',
      SEED_DEMO: 'true',
      HOST: '::1',
    };
    const { url, stop } = await run(env, (line) => lines.push(line));
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect(lines.join('\n')).toContain(`${url}/openapi.yaml`);
    for (const path of ['/books', '/tasks', '/notes', '/items']) {
      expect(Object(await (await fetch(url + path)).json()).length).toBe(3);
    }
    await stop();
    await expect(fetch(url)).rejects.toThrow();
  });

  it('fails clearly when the port is taken', async () => {
    const env = { PORT: '0', DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent' };
    const { url, stop } = await run(env, () => {});
    const port = new URL(url).port;
    await expect(run({ ...env, PORT: port }, () => {})).rejects.toThrow('EADDRINUSE');
    await stop();
  });
});
