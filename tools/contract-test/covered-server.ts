import { api } from '../../src/api/api.ts';
import { serveCovered } from '../../src/kit/cli/coverage/serve-covered.ts';
import { createLog } from '../../src/kit/observe/log.ts';
import { readSettings } from '../../src/kit/process/settings.ts';
import { untilSignal } from '../../src/kit/process/signals.ts';

/** Serves this API like src/main.ts, in one process, with contract coverage; CONTRACT_COVERAGE is its folder. */
const { CONTRACT_COVERAGE = 'artefacts/contract-coverage/counts', ...env } = process.env;
const settings = readSettings(env);
const log = createLog(settings.logLevel, (line) => process.stdout.write(line));
const signal = untilSignal(['SIGINT', 'SIGTERM']);
const { url, stop } = await serveCovered(CONTRACT_COVERAGE, api, { settings, log });
log.info(`Accord is at ${url}`);
await signal;
await stop();
