import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { api } from '../../../src/api/api.ts';
import { createLog } from '../../../src/kit/observe/log.ts';
import { startProcesses } from '../../../src/kit/process/run.ts';
import { readSettings, settingsByName } from '../../../src/kit/process/settings.ts';

describe('the settings', () => {
  it('have defaults that need no thought', () => {
    expect(readSettings({})).toEqual({
      graphqlGet: false,
      subscriptions: { most: 500, life: 3600 },
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: 'sqlite:data/accord.db',
      databasePool: 10,
      replicas: { url: undefined, lag: 5000 },
      mayMigrate: true,
      mayMock: true,
      idempotencyExpiry: 86_400,
      seedDemo: true,
      fastLane: true,
      workers: 1,
      drainGrace: 1000,
      drainDelay: 500,
      drainLongest: 20_000,
      capacity: { inFlight: 1000, connections: 10_000 },
      listTimeout: 10_000,
      uploadLimit: 10_485_760,
      logLevel: 'info',
      responseSample: 0.001,
      corsOrigins: undefined,
      otlpEndpoint: undefined,
      rateLimit: undefined,
      proxies: 0,
      limits: {
        depth: 8,
        cost: 10_000,
        aliases: 15,
        tokens: 1000,
        directives: 8,
        fields: 100_000,
        errors: 5,
      },
      introspection: true,
      verification: undefined,
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
    [
      { DATABASE_URL: 'postgres://h/d', DATABASE_READ_URL: 'postgres://a,b/d' },
      { replicas: { url: 'postgres://a,b/d', lag: 5000 } },
    ],
    [{ DATABASE_READ_LAG: '100' }, { replicas: { url: undefined, lag: 100 } }],
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
    [{ NODE_ENV: 'production' }, { mayMock: false }],
    [{ NODE_ENV: 'production', MOCKS: 'allow' }, { mayMock: true }],
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
    [{ GRAPHQL_FIELDS: '7' }, { limits: { fields: 7 } }],
    [{ AUTH_SECRET: 's'.repeat(32) }, { verification: { secret: 's'.repeat(32) } }],
    [
      { AUTH_JWKS_URL: 'https://x/', AUTH_ISSUER: 'https://i/', AUTH_AUDIENCE: 'accord' },
      { verification: { jwksUrl: 'https://x/', issuer: 'https://i/', audience: 'accord' } },
    ],
    [
      { AUTH_SECRET: 's'.repeat(32), AUTH_ISSUER: 'https://i/', AUTH_AUDIENCE: '' },
      { verification: { secret: 's'.repeat(32), issuer: 'https://i/' } },
    ],
    [
      { AUTH_SECRET: 's'.repeat(32), AUTH_JWKS_URL: '' },
      { verification: { secret: 's'.repeat(32) } },
    ],
  ])('%j gives %j', (env, wanted) => {
    expect(readSettings(env)).toMatchObject(wanted);
  });

  it.each([
    [{ AUTH_SECRET: '' }, 'AUTH_SECRET is empty, so that everybody could write: leave it out'],
    [{ AUTH_JWKS_URL: '' }, 'AUTH_JWKS_URL is empty'],
    [{ AUTH_SECRET: '', AUTH_JWKS_URL: '' }, 'AUTH_SECRET is empty'],
    [{ PORT: 'x' }, 'PORT takes a whole number from 0 to 65535, not "x"'],
    [{ PORT: '-1' }, 'PORT takes'],
    [{ PORT: '65536' }, 'PORT takes'],
    [{ PORT: '1e3' }, 'PORT takes'],
    [{ SEED_DEMO: 'yes' }, 'SEED_DEMO takes true or false, not "yes"'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL takes info, error or silent, not "loud"'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL takes sqlite:<file>, sqlite::memory: or'],
    [{ DATABASE_URL: 'sqlite:' }, 'DATABASE_URL takes'],
    [{ DATABASE_URL: 'postgres://' }, 'DATABASE_URL takes'],
    [{ DATABASE_URL: 'postgre://u:secret@h/d' }, 'DATABASE_URL takes'],
    [{ DATABASE_URL: 'sqlite::memory:', WORKERS: '2' }, 'WORKERS takes 1 with sqlite::memory:'],
    [{ DATABASE_READ_URL: 'postgres://h/d' }, 'DATABASE_READ_URL needs a DATABASE_URL of Postgre'],
    [
      { DATABASE_URL: 'sqlite:a.db', DATABASE_READ_URL: 'postgres://h/d' },
      'DATABASE_READ_URL needs a DATABASE_URL of PostgreSQL',
    ],
    [
      { DATABASE_URL: 'postgres://h/d', DATABASE_READ_URL: 'sqlite:a.db' },
      'DATABASE_READ_URL takes postgres://<user>:<password>@<host>[,<host>…]/<database>',
    ],
    [
      { DATABASE_URL: 'postgres://h/d', DATABASE_READ_URL: 'postgres://h:0/d' },
      'DATABASE_READ_URL has a port that is not a number from 1 to 65535',
    ],
    [
      {
        DATABASE_URL: 'postgres://h/d',
        DATABASE_READ_URL: 'postgres://h/d?target_session_attrs=prefer-standby',
      },
      'DATABASE_READ_URL takes no target_session_attrs',
    ],
    [{ DATABASE_READ_LAG: '99' }, 'DATABASE_READ_LAG takes a whole number from 100 to 600000'],
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
    [{ AUTH_JWKS_URL: 'https://x/' }, 'AUTH_JWKS_URL needs AUTH_ISSUER and AUTH_AUDIENCE'],
    [{ AUTH_JWKS_URL: 'https://x/', AUTH_ISSUER: 'i' }, 'AUTH_JWKS_URL needs'],
    [{ AUTH_JWKS_URL: 'https://x/', AUTH_AUDIENCE: 'a' }, 'AUTH_JWKS_URL needs'],
    [{ AUTH_ISSUER: 'i' }, 'AUTH_ISSUER needs AUTH_JWKS_URL or AUTH_SECRET'],
    [{ AUTH_AUDIENCE: 'a' }, 'AUTH_AUDIENCE needs AUTH_JWKS_URL or AUTH_SECRET'],
    [{ AUTH_JWKS_URL: 'https://x/', AUTH_SECRET: 's'.repeat(32) }, 'exclude each other'],
  ])('%j is refused: %s', (env, reason) => {
    expect(() => readSettings(env)).toThrow(reason);
  });
});

it('every setting is in the README', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  expect([...settingsByName.keys()].filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

describe('a name that is nearly a setting’s', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['DATA_BASE_URL', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['databse_url', 'DATABASE_URL'],
    ['AUTH_SECERT', 'AUTH_SECRET'],
    ['AUTH_JWK_URL', 'AUTH_JWKS_URL'],
    ['AUTH_ISSUERS', 'AUTH_ISSUER'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['GRAPHQL_DEPHT', 'GRAPHQL_DEPTH'],
    ['NODE_EVN', 'NODE_ENV'],
    ['WORKER', 'WORKERS'],
    ['PROT', 'PORT'],
    ['port', 'PORT'],
    ['HSOT', 'HOST'],
  ])('stops the start: %s is not %s', (name, meant) => {
    const line = `${name} is not a setting; did you mean ${meant}?`;
    expect(() => readSettings({ [name]: 's3cret' })).toThrow(line);
  });

  it('does not stop it where both mean the same, as on Windows, or where it has no value', () => {
    expect(readSettings({ port: '1', PORT: '1' }).port).toBe(1);
    expect(readSettings({ DATABSE_URL: '' }).databaseUrl).toBe('sqlite:data/accord.db');
  });

  it('is none of the names that ordinary environments have', () => {
    const env = Object.fromEntries(ordinary.map((name) => [name, 'x']));
    expect(ordinary.length).toBeGreaterThan(250);
    expect(readSettings(env)).toEqual(readSettings({}));
  });

  const ordinary = `
    PATH HOME USER LOGNAME SHELL PWD OLDPWD LANG LANGUAGE LC_ALL LC_CTYPE LC_TIME TERM COLORTERM TMPDIR TMP
    TEMP TZ MAIL EDITOR VISUAL PAGER DISPLAY HOSTNAME HOSTTYPE MACHTYPE OSTYPE SHLVL _ LINES COLUMNS PS1 IFS
    OPTARG OPTIND UID EUID GROUPS PPID RANDOM SECONDS HISTFILE HISTSIZE INPUTRC LS_COLORS LESSOPEN LESSCLOSE
    MANPATH INFOPATH XDG_RUNTIME_DIR XDG_SESSION_ID XDG_CONFIG_HOME XDG_DATA_DIRS DBUS_SESSION_BUS_ADDRESS
    SSH_AUTH_SOCK SSH_CLIENT SSH_CONNECTION SSH_TTY SUDO_USER SUDO_UID SUDO_GID SUDO_COMMAND GPG_AGENT_INFO
    DEBIAN_FRONTEND http_proxy https_proxy no_proxy all_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY
    PROXY FTP_PROXY SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE PYTHONPATH VIRTUAL_ENV
    PYTHONUNBUFFERED JAVA_HOME GOPATH GOROOT CARGO_HOME RUSTUP_HOME GEM_HOME RUBYOPT CC CXX CFLAGS LDFLAGS
    MAKEFLAGS LD_LIBRARY_PATH LD_PRELOAD PKG_CONFIG_PATH NODE NODE_PATH NODE_OPTIONS NODE_EXTRA_CA_CERTS
    NODE_VERSION NODE_DEBUG NODE_NO_WARNINGS NODE_CHANNEL_FD NODE_UNIQUE_ID NODE_TLS_REJECT_UNAUTHORIZED
    NODE_APP_INSTANCE NODE_REPL_HISTORY NODE_V8_COVERAGE UV_THREADPOOL_SIZE NO_COLOR FORCE_COLOR DEBUG
    NVM_DIR NVM_BIN NVM_INC YARN_VERSION INIT_CWD COLOR npm_config_cache npm_config_loglevel
    npm_config_local_prefix npm_config_noproxy npm_config_user_agent npm_config_userconfig npm_config_node_gyp
    npm_config_prefix npm_config_registry npm_execpath npm_node_execpath npm_lifecycle_event
    npm_lifecycle_script npm_package_json npm_package_name npm_package_version npm_command
    npm_package_engines_node npm_config_globalconfig npm_config_init_module npm_config_npm_version
    npm_config_global_prefix npm_config_audit npm_config_fund npm_config_update_notifier VITEST VITEST_MODE
    VITEST_POOL_ID VITEST_WORKER_ID TEST JEST_WORKER_ID MODE DEV PROD SSR BASE_URL CI CI_COMMIT_SHA
    CI_JOB_ID CI_PIPELINE_ID CI_PROJECT_DIR CI_REGISTRY GITLAB_CI GITHUB_ACTIONS GITHUB_ACTOR GITHUB_ENV
    GITHUB_EVENT_NAME GITHUB_JOB GITHUB_PATH GITHUB_REF GITHUB_REPOSITORY GITHUB_RUN_ID GITHUB_SHA
    GITHUB_TOKEN GITHUB_WORKSPACE GITHUB_GRAPHQL_URL GITHUB_API_URL RUNNER_OS RUNNER_TEMP RUNNER_ARCH
    RUNNER_TRACKING_ID JENKINS_URL JENKINS_HOME BUILD_ID BUILD_NUMBER BUILD_TAG BUILD_URL JOB_NAME WORKSPACE
    EXECUTOR_NUMBER TRAVIS CIRCLECI CIRCLE_SHA1 BUILDKITE TEAMCITY_VERSION TF_BUILD AGENT_ID
    container DOCKER_HOST DOCKER_CONFIG DOCKER_BUILDKIT COMPOSE_PROJECT_NAME INVOCATION_ID JOURNAL_STREAM
    NOTIFY_SOCKET LISTEN_FDS LISTEN_PID MAINPID MANAGERPID SYSTEMD_EXEC_PID STATE_DIRECTORY CACHE_DIRECTORY
    RUNTIME_DIRECTORY LOGS_DIRECTORY CONFIGURATION_DIRECTORY CREDENTIALS_DIRECTORY MEMORY_PRESSURE_WATCH
    KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_SERVICE_PORT_HTTPS KUBERNETES_PORT
    KUBERNETES_PORT_443_TCP KUBERNETES_PORT_443_TCP_ADDR KUBERNETES_PORT_443_TCP_PORT
    KUBERNETES_PORT_443_TCP_PROTO ACCORD_PORT ACCORD_SERVICE_HOST ACCORD_SERVICE_PORT ACCORD_PORT_3000_TCP
    POSTGRES_PORT POSTGRES_SERVICE_HOST POSTGRES_SERVICE_PORT DATABASE_PORT DATABASE_HOST DATABASE_USER
    DATABASE_NAME DATABASE_PASSWORD DATABASE_SERVICE_HOST DATABASE_PORT_5432_TCP GRAPHQL_PORT GRAPHQL_HOST
    GRAPHQL_SERVICE_HOST GRAPHQL_SERVICE_PORT GRAPHQL_PATH AUTH_PORT AUTH_SERVICE_HOST AUTH_SERVICE_PORT
    AUTH_PORT_80_TCP AUTH_URL AUTH_TOKEN AUTH_DOMAIN AUTH_CLIENT_ID MIGRATE_PORT POD_NAME POD_IP
    POD_NAMESPACE NODE_NAME NODE_IP SERVICE_ACCOUNT NAMESPACE HOST_IP PGHOST PGPORT PGUSER PGPASSWORD
    PGDATABASE PGDATA PGSSLMODE PGAPPNAME POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB POSTGRES_INITDB_ARGS
    REDIS_URL MONGO_URL AMQP_URL MYSQL_HOST MYSQL_PWD SENTRY_DSN DYNO WEB_CONCURRENCY
    WEB_MEMORY MEMORY_AVAILABLE AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
    AWS_PROFILE AWS_LAMBDA_FUNCTION_NAME GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_PROJECT K_SERVICE
    K_REVISION K_CONFIGURATION AZURE_CLIENT_ID WEBSITE_SITE_NAME FLY_APP_NAME FLY_REGION RENDER
    RAILWAY_ENVIRONMENT VERCEL VERCEL_URL NETLIFY OTEL_SERVICE_NAME OTEL_RESOURCE_ATTRIBUTES
    OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_PROTOCOL OTEL_EXPORTER_OTLP_TIMEOUT
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT OTEL_EXPORTER_OTLP_METRICS_ENDPOINT OTEL_EXPORTER_OTLP_LOGS_ENDPOINT
    OTEL_TRACES_SAMPLER OTEL_LOG_LEVEL OTEL_SDK_DISABLED PM2_HOME PM2_USAGE pm_id exec_mode instances
    POST HOSTS PORTS HOSTS_FILE WORKDIR WORK_DIR WORKING_DIR LOGS LOG LOG_DIR LOG_FILE LOG_FORMAT
    APPDATA LOCALAPPDATA ALLUSERSPROFILE COMPUTERNAME ComSpec CommonProgramFiles HOMEDRIVE HOMEPATH
    LOGONSERVER NUMBER_OF_PROCESSORS OS Path PATHEXT PROCESSOR_ARCHITECTURE ProgramData ProgramFiles PROMPT
    PSModulePath PUBLIC SystemDrive SystemRoot USERDOMAIN USERNAME USERPROFILE windir WT_SESSION
    TERM_PROGRAM TERM_PROGRAM_VERSION TERM_SESSION_ID ITERM_SESSION_ID VSCODE_PID VSCODE_IPC_HOOK
    VSCODE_GIT_ASKPASS_NODE GIT_ASKPASS GIT_AUTHOR_NAME GIT_DIR GIT_EDITOR GIT_PAGER TMUX TMUX_PANE STY
    WINDOWID GDK_BACKEND QT_QPA_PLATFORM WAYLAND_DISPLAY XAUTHORITY
  `
    .trim()
    .split(/\s+/);
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
    const { url, stop } = await startProcesses(
      api,
      readSettings(env),
      createLog('info', (line) => lines.push(line)),
    );
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect(lines.join('\n')).toContain(`"try":"${url}/books"`);
    expect(lines.join('\n')).toContain(`${url}/openapi.yaml`);
    expect(lines.join('\n')).toContain('"database":"sqlite::memory:"');
    for (const path of ['/books', '/tasks', '/notes', '/items']) {
      expect(Object(await (await fetch(url + path)).json()).length).toBe(3);
    }
    await stop();
    await expect(fetch(url)).rejects.toThrow();
  });

  it('fails clearly when the port is taken', async () => {
    const env = { PORT: '0', DATABASE_URL: 'sqlite::memory:' };
    const log = createLog('silent', () => {});
    const { url, stop } = await startProcesses(api, readSettings(env), log);
    const port = new URL(url).port;
    const taken = readSettings({ ...env, PORT: port });
    await expect(startProcesses(api, taken, log)).rejects.toThrow('EADDRINUSE');
    await stop();
  });
});
