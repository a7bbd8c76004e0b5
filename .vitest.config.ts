import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// The first lines of a test file declare how it runs: `// engines: sqlite, postgres` (SQLite alone without it),
// `// slow: why`, which keeps it out of `npm run test:quick`, and `// long: why`, which puts it into `npm run test:long`.
const declared = globSync('test/**/*.test.ts', { exclude: ['test/slow/**'] }).map((file) => {
  const [head = ''] = readFileSync(file, 'utf8').match(/^(\/\/.*\n)*/) ?? [];
  const [, engines = 'sqlite'] = head.match(/^\/\/ engines: (.*)$/m) ?? [];
  const [isSlow, isLong] = [/^\/\/ slow: /m.test(head), /^\/\/ long: /m.test(head)];
  return { file, engines: engines.split(', '), isSlow, isLong };
});
const onEngine = (engine: string) => declared.filter(({ engines }) => engines.includes(engine));
const long = (engine: string) => onEngine(engine).filter(({ isLong }) => isLong);
const usual = (engine: string) => onEngine(engine).filter(({ isLong }) => !isLong);
const files = (chosen: typeof declared) => chosen.map(({ file }) => file);
// Loading the server's modules takes a file about a second; they hold no state that a test could see.
const isolate = false;

export default defineConfig({
  // As Node itself resolves: graphql has other files for development, and must be loaded once.
  ssr: { resolve: { conditions: ['module-sync', 'node'] } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: files(usual('sqlite')),
          isolate,
          globalSetup: 'test/support/global-setup.ts',
          // Servers under test count which parts of the contracts they were asked for.
          env: { CONTRACT_COVERAGE: 'artefacts/contract-coverage/counts' },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: files(usual('postgres')),
          isolate,
          globalSetup: 'test/support/postgres-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'quick',
          include: files(usual('sqlite').filter(({ isSlow }) => !isSlow)),
          isolate,
        },
      },
      { extends: true, test: { name: 'long', include: files(long('sqlite')), isolate } },
      {
        extends: true,
        test: {
          name: 'long-postgres',
          include: files(long('postgres')),
          isolate,
          globalSetup: 'test/support/postgres-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          // A browser or a measurement: one at a time, each in its own process.
          name: 'slow',
          include: ['test/slow/*.test.ts'],
          fileParallelism: false,
        },
      },
    ],
    // Tests start real servers and databases, also on slow machines.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Many tests wait for a process or a database: more workers than cores.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Failures in full, and a summary.
    reporters: ['minimal', 'json'],
    outputFile: { json: 'artefacts/vitest.json' },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // These run in processes and threads that tests start, where coverage is not measured.
      exclude: [
        'src/kit/cli/**',
        'src/kit/sdk/**',
        'src/kit/docs/sample-worker.ts',
        'src/kit/process/backup-command.ts',
        'src/kit/process/copy-command.ts',
        'src/main.ts',
        'src/kit/process/migrate-command.ts',
        'src/kit/process/run.ts',
        'src/kit/process/signals.ts',
        'src/kit/process/workers.ts',
        'src/kit/observe/cluster-metrics.ts',
        'src/kit/observe/log-output.ts',
        'src/kit/observe/log-sinks.ts',
      ],
      reporter: ['text-summary', 'html'],
      reportsDirectory: 'artefacts/coverage',
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
