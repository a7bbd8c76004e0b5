import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

// A test file names the engines that it runs on in its first line; SQLite alone when it names none.
const onEngine = (engine: string) =>
  globSync('test/**/*.test.ts', { exclude: ['test/slow/**'] }).filter((file) => {
    const [, engines = 'sqlite'] = readFileSync(file, 'utf8').match(/^\/\/ engines: (.*)\n/) ?? [];
    return engines.split(', ').includes(engine);
  });
// What the server's modules keep changes no answer, so that a process is good for many files: to load all
// of it again takes each of them about a second.
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
          include: onEngine('sqlite'),
          isolate,
          globalSetup: 'test/support/global-setup.ts',
          // Servers under test note which parts of the contracts they were asked for. To do so they listen in
          // on each answer, which is then written another way: on the other engine they do not.
          env: { CONTRACT_COVERAGE: 'artefacts/contract-coverage/counts' },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: onEngine('postgres'),
          isolate,
          globalSetup: 'test/support/postgres-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          // In a browser, or a measure: each has the machine and a process to itself.
          name: 'slow',
          include: ['test/slow/*.test.ts'],
          fileParallelism: false,
        },
      },
    ],
    // Tests start real servers and databases; a slow machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Many wait for a process or a database; while one does, another has the processor.
    maxWorkers: '100%',
    reporters: ['default', 'json'],
    outputFile: { json: 'artefacts/vitest.json' },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // Processes of their own, which their tests start: what runs there is not seen from here.
      exclude: [
        'src/kit/process/copy-command.ts',
        'src/main.ts',
        'src/kit/process/migrate-command.ts',
        'src/kit/process/run.ts',
        'src/kit/process/signals.ts',
        'src/kit/process/workers.ts',
        'src/kit/observe/cluster-metrics.ts',
        'src/kit/observe/log-output.ts',
      ],
      reporter: ['text', 'html'],
      reportsDirectory: 'artefacts/coverage',
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
