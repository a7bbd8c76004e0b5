import { setFlagsFromString } from 'node:v8';
import { shareRateLimit } from './kit/http/rate-limit.ts';
import { createLog, type Log } from './kit/observe/log.ts';
import { standardOutput } from './kit/observe/log-output.ts';
import { readSettings, type Settings } from './kit/process/settings.ts';
import { untilSignal } from './kit/process/signals.ts';
import { starter, startWorkers, type Workers } from './kit/process/workers.ts';
import { start } from './kit/serve.ts';
import { shownAddress } from './kit/store/database-address.ts';

// For how many milliseconds a process that has stopped waits for the reader of its log.
const LAST_LINES = 2000;

/** Starts one process or several, and says where to look. */
export async function run(config: Settings, log: Log): Promise<Workers> {
  if (starter.isThere) return runAsWorker(config, log);
  if (config.workers > 1) shareRateLimit();
  const { url, stop } =
    config.workers > 1 ? await startWorkers(config.workers, log) : await start(config, log);
  log.info(`Accord is at ${url}`, {
    ...(config.introspection && {
      try: `${url}/books`,
      docs: `${url}/docs`,
      contract: `${url}/openapi.yaml ${url}/schema.graphql`,
    }),
    graphql: `${url}/graphql`,
    health: `${url}/readyz ${url}/metrics`,
    database: shownAddress(config.databaseUrl),
  });
  return { url, stop };
}

async function runAsWorker(config: Settings, log: Log): Promise<Workers> {
  // Ctrl-C reaches each of several processes; the one that started them sends SIGTERM.
  process.on('SIGINT', () => {});
  const { url, stop } = await start(config, log);
  starter.serving(url);
  return { url, stop: () => stop().then(starter.leaving) };
}

if (import.meta.main) {
  // In a crowd requests live longer. V8 would conclude that what they are made of lives long, and from then
  // on have all of it outlive many garbage collections.
  setFlagsFromString('--no-allocation-site-pretenuring');
  try {
    await serve();
  } catch (error) {
    process.stderr.write(`accord: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
    starter.leaving();
  }
}

/** Serves until a signal, then drains. */
async function serve(): Promise<void> {
  const config = readSettings(process.env);
  const { write, lost } = standardOutput();
  const log = createLog(config.logLevel, write, lost);
  const signal = untilSignal(starter.isThere ? ['SIGTERM'] : ['SIGINT', 'SIGTERM']);
  const running = run(config, log);
  const isReady = running.then(() => true);
  if (!(await Promise.race([isReady, signal.then(() => false)]))) {
    // It waits for its database, and has nothing to finish.
    log.info(`${await signal}: stopped before it was ready`);
    process.exit(0);
  }
  const name = await signal;
  const { stop } = await running;
  // Of several processes the one that started them speaks.
  if (!starter.isThere) log.info(`${name}: draining`);
  await stop();
  if (!starter.isThere) log.info('Stopped');
  // Lines that nobody reads do not keep the process.
  setTimeout(() => process.exit(), LAST_LINES).unref();
}
