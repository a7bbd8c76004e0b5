import type { Api } from '../api-declaration.ts';
import { createLog, type Log } from '../observe/log.ts';
import { standardOutput } from '../observe/log-output.ts';
import { serve } from '../serve.ts';
import { shownAddress } from '../store/database-address.ts';
import { createKeptChecks } from './kept-checks.ts';
import { readSettings, type Settings, settingsByName } from './settings.ts';
import { untilSignal } from './signals.ts';
import { starter, startWorkers, type Workers } from './workers.ts';

/** The command line of a server: serves until a signal, or carries out the command that is named. */
export async function run(api: Api): Promise<void> {
  try {
    await carryOut(api, process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`accord: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
    starter.leaving();
  }
}

async function carryOut(api: Api, [command, ...given]: readonly string[]): Promise<void> {
  switch (command) {
    case undefined:
      return serveUntilSignal(api);
    case 'migrate':
      return (await import('./migrate-command.ts')).migrate(api, given);
    case 'copy':
      return (await import('./copy-command.ts')).copy(api, given);
    case 'backup':
      return (await import('./backup-command.ts')).backUp(readSettings(process.env), given);
    case 'help':
    case '--help':
      return help();
    default:
      throw new Error(`there is no command ${command}, only migrate, copy, backup and help`);
  }
}

// How many milliseconds a process that has stopped waits for the reader of its log.
const LAST_LINES = 2000;

/** Serves until a signal, then drains. */
export async function serveUntilSignal(api: Api, env = process.env): Promise<void> {
  const settings = readSettings(env);
  const { write, lost } = standardOutput();
  const log = createLog(settings.logLevel, write, lost);
  const signal = untilSignal(starter.isThere ? ['SIGTERM'] : ['SIGINT', 'SIGTERM']);
  const running = startProcesses(api, settings, log);
  const isReady = running.then(() => true);
  if (!(await Promise.race([isReady, signal.then(() => false)]))) {
    // It waits for its database, and has nothing to finish.
    log.info(`${await signal}: stopped before it was ready`);
    process.exit(0);
  }
  const name = await signal;
  const { stop } = await running;
  // Of several processes only the primary logs this.
  if (!starter.isThere) log.info(`${name}: draining`);
  await stop();
  if (!starter.isThere) log.info('Stopped');
  // Unread lines do not keep the process alive.
  setTimeout(() => process.exit(), LAST_LINES).unref();
}

/** Starts one process or several, and logs where to look. */
export async function startProcesses(api: Api, settings: Settings, log: Log): Promise<Workers> {
  if (starter.isThere) return startAsWorker(api, settings, log);
  const { url, stop, mocked } =
    settings.workers > 1
      ? await startSeveral(settings.workers, log)
      : await serve(api, { settings, log, checks: createKeptChecks() });
  log.info(`Accord is at ${url}`, {
    ...(settings.introspection && {
      ...(api.firstLook && { try: `${url}${api.firstLook}` }),
      docs: `${url}/docs`,
      contract: [api.openapi && '/openapi.yaml', api.graphql && '/schema.graphql']
        .flatMap((path) => (path ? [`${url}${path}`] : []))
        .join(' '),
    }),
    ...(api.graphql && { graphql: `${url}/graphql` }),
    health: `${url}/readyz ${url}/metrics`,
    ...(api.tables && { database: shownAddress(settings.databaseUrl) }),
    ...(mocked && { mocked }),
  });
  return { url, stop };
}

async function startSeveral(count: number, log: Log) {
  (await import('../http/rate-limit.ts')).shareRateLimit();
  return { mocked: undefined, ...(await startWorkers(count, log)) };
}

async function startAsWorker(api: Api, settings: Settings, log: Log): Promise<Workers> {
  // Ctrl-C reaches each of several processes; the primary sends SIGTERM.
  process.on('SIGINT', () => {});
  const { url, stop, mocked } = await serve(api, { settings, log, checks: createKeptChecks() });
  if (mocked && starter.isFirst) log.info(`${mocked}; each process keeps what it is sent`);
  starter.serving(url);
  return { url, stop: () => stop().then(starter.leaving) };
}

function help(): void {
  const lines = [...settingsByName].map(([name, each]) => `${name}  ${each.help}: ${each.takes}`);
  process.stdout.write(
    `Commands: none to serve, migrate, migrate --draft <name>, migrate --check [<empty database>], copy <from> <to>, backup --out <file>, help\n${lines.join('\n')}\n`,
  );
}
