#!/usr/bin/env node
import { keepCompiledCode } from '../process/compile-cache.ts';
import { type Command, WrongUse } from './command.ts';

// The commands are loaded after it.
keepCompiledCode();

/** The command line `accord`: exit code 0, 1 where a command found something, 2 for wrong use and failures. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import('./init/init-command.ts')).initCommand,
  mock: async () => (await import('./mock/mock-command.ts')).mockCommand,
  generate: async () => (await import('./generate/generate-command.ts')).generateCommand,
  dev: async () => (await import('./dev/dev-command.ts')).devCommand,
  add: async () => (await import('./add/add-command.ts')).addCommand,
  proxy: async () => (await import('./proxy/proxy-command.ts')).proxyCommand,
  lint: async () => (await import('./contract/lint-command.ts')).lintCommand,
  diff: async () => (await import('./contract/diff-command.ts')).diffCommand,
  parity: async () => (await import('./contract/parity-command.ts')).parityCommand,
  review: async () => (await import('./contract/review-command.ts')).reviewCommand,
  sdk: async () => (await import('./sdk/sdk-command.ts')).sdkCommand,
  test: async () => (await import('./test/test-command.ts')).testCommand,
  coverage: async () => (await import('./coverage/coverage-command.ts')).coverageCommand,
};

// A project has those of the commands that it uses; together, so that the second one is not found missing next.
const packages = [
  ['openapi-typescript', 'typescript'],
  ['@graphql-inspector/core', 'recheck', 'refa'],
];

const [name = 'help', ...args] = process.argv.slice(2);
process.exitCode = await carryOut(name, args);

async function carryOut(name: string, args: readonly string[]): Promise<number> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) return overview(name);
  try {
    const { help, run } = await load();
    if (args.some((each) => each === '--help' || each === '-h')) {
      process.stdout.write(help);
      return 0;
    }
    return (await run(args)) ? 0 : 1;
  } catch (error) {
    const message =
      missingPackages(error) ?? (error instanceof Error ? error.message : String(error));
    const advice = error instanceof WrongUse ? `\nSee: accord ${name} --help` : '';
    process.stderr.write(`accord ${name}: ${message}${advice}\n`);
    return 2;
  }
}

async function overview(name: string): Promise<number> {
  const isAsked = ['help', '--help', '-h'].includes(name);
  if (!isAsked) process.stderr.write(`accord: there is no command ${name}\n`);
  const width = Math.max(...Object.keys(commands).map((each) => each.length));
  const lines = await Promise.all(
    Object.entries(commands).map(
      async ([each, load]) => `  ${each.padEnd(width)}  ${(await load()).summary}\n`,
    ),
  );
  const text = `accord <command>\n\n${lines.join('')}\naccord <command> --help says more.\n`;
  (isAsked ? process.stdout : process.stderr).write(text);
  return isAsked ? 0 : 2;
}

/** How to get a package that only commands need, where it is missing beside the kit. */
function missingPackages(error: unknown): string | undefined {
  const [, name = ''] =
    String(error).match(/Cannot find (?:package|module) '(@[^/']+\/[^/']+|[^/.'][^/']*)/) ?? [];
  if (!name) return undefined;
  const all = packages.find((each) => each.includes(name)) ?? [name];
  return `needs packages that are not there: npm install --save-dev ${all.join(' ')}`;
}
