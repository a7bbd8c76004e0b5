import { defineConfig } from 'vitest/config';

// Tests over HTTP that reach the store; these run on both engines.
const onBoth = [
  'access',
  'across-protocols',
  'collections',
  'collections-model',
  'examples',
  'graphql',
  'graphql-batching',
  'graphql-bounds',
  'hostile-input',
  'idempotency',
  'rate-limit',
  'specification',
  'streaming',
  'workers',
].map((name) => `test/${name}.test.ts`);
const onPostgres = 'test/postgres*.test.ts';

export default defineConfig({
  // As Node itself resolves: graphql has other files for development, and must be loaded once.
  ssr: { resolve: { conditions: ['module-sync', 'node'] } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: ['test/**/*.test.ts'],
          exclude: [onPostgres],
          globalSetup: 'test/support/global-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [onPostgres, ...onBoth],
          globalSetup: 'test/support/postgres-setup.ts',
        },
      },
    ],
    // Tests start real servers and databases; a slow machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Servers under test note which parts of the contracts they were asked for.
    env: { CONTRACT_COVERAGE: 'artefacts/contract-coverage/counts' },
    reporters: ['default', ['json', { outputFile: 'artefacts/vitest.json' }]],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // Processes of their own, which their tests start: what runs there is not seen from here.
      exclude: [
        'src/copy.ts',
        'src/migrate.ts',
        'src/workers.ts',
        'src/operations/gather.ts',
        'src/operations/log-output.ts',
      ],
      reporter: ['text', 'html'],
      reportsDirectory: 'artefacts/coverage',
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
