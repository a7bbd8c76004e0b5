import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Tests start real servers and databases; a slow machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // graphql must be loaded once, or its errors are not instances of each other's classes.
    server: { deps: { inline: [/graphql/] } },
    // Servers under test note which parts of the contracts they were asked for.
    env: { CONTRACT_COVERAGE: 'artefacts/contract-coverage/counts' },
    reporters: ['default', ['json', { outputFile: 'artefacts/vitest.json' }]],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text', 'html'],
      reportsDirectory: 'artefacts/coverage',
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
