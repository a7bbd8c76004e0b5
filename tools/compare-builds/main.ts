import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { generate } from './choice.ts';
import { type Contracts, readContracts } from './compared-contract.ts';
import type { Exchange } from './compared-exchange.ts';
import { type Databases, type Engine, engines, openDatabases } from './databases.ts';
import { createTally, type Tally } from './difference-tally.ts';
import type { Difference } from './intended.ts';
import type { Common } from './masks.ts';
import { type Checkouts, startPair } from './pair.ts';
import { anyExchange, filling } from './requests.ts';
import { type Variant, variants } from './variants.ts';

const USE =
  'npm run compare -- --base <other checkout> [--requests 20000] [--seed 1] [--engine sqlite|postgres|both]';

type Run = {
  readonly checkouts: Checkouts;
  readonly common: Common;
  readonly contracts: Contracts;
  readonly databases: Databases;
  readonly tally: Tally;
};

/** Sends generated requests to the servers of this tree and another one; they must answer the same. */
async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      base: { type: 'string' },
      requests: { type: 'string', default: '20000' },
      seed: { type: 'string', default: '1' },
      engine: { type: 'string', default: 'both' },
    },
  });
  const chosen = engines.filter((each) => values.engine === each || values.engine === 'both');
  if (!values.base || chosen.length === 0) throw new Error(USE);
  const own = fileURLToPath(new URL('../../', import.meta.url));
  const checkouts = { base: resolve(values.base), own };
  let isSame = true;
  for (const engine of chosen) {
    const count = await compareOn(engine, checkouts, Number(values.requests), Number(values.seed));
    isSame &&= count === 0;
  }
  return isSame;
}

async function compareOn(engine: Engine, checkouts: Checkouts, requests: number, seed: number) {
  const common = { ...commonOf(checkouts), order: engine === 'sqlite' };
  const contracts = await readContracts();
  const tally = createTally((text) => process.stdout.write(text));
  const databases = await openDatabases(engine);
  const start = Date.now();
  const shares = variants.reduce((sum, { share }) => sum + share, 0);
  try {
    for (const [i, variant] of variants.entries()) {
      const count = Math.ceil((requests * variant.share) / shares);
      const run = { checkouts, common, contracts, databases, tally };
      await compareVariant(run, variant, count, seed * 1000 + i * 100);
    }
  } finally {
    await databases.remove();
  }
  tally.print(`${engine}, ${Math.round((Date.now() - start) / 1000)} s`);
  return tally.count();
}

// How often a pair is started anew because the two states have parted.
const MOST_RESTARTS = 10;

/** Each round has servers and databases of its own; one ends early when the two states have parted. */
async function compareVariant(run: Run, variant: Variant, count: number, seed: number) {
  let left = count;
  for (let round = 0; left > 0; round++) {
    const size = Math.min(left, variant.round);
    const exchanges = generatedFor(run.contracts, variant, seed + round, size);
    const most = round < count / variant.round + MOST_RESTARTS ? 1 : exchanges.length;
    left -= await compareRound(run, variant, exchanges, most);
  }
  process.stdout.write(`${variant.name}: compared, ${run.tally.count()} differences so far\n`);
}

function generatedFor(contracts: Contracts, variant: Variant, seed: number, count: number) {
  const { adapt = (_, exchange) => exchange } = variant;
  return [
    ...generate((choice) => filling(choice, contracts, variant.filledWith), seed, 1),
    ...generate((choice) => adapt(choice, anyExchange(choice, contracts)), seed, count),
  ];
}

/** Compares until the states have parted `most` times, and says how many exchanges there were. */
async function compareRound(
  run: Run,
  variant: Variant,
  exchanges: readonly Exchange[],
  most: number,
): Promise<number> {
  const pair = await startPair(run.checkouts, run.databases, variant, run.common);
  let count = 0;
  let parted = 0;
  try {
    for (const exchange of exchanges) {
      const compared = await pair.send(exchange);
      run.tally.add(compared);
      count++;
      if (haveParted(compared)) parted++;
      const ended = pair.ended();
      if (ended !== undefined) process.stdout.write(`\nA server has ended: ${ended}\n`);
      if (ended !== undefined || parted >= most) return count;
    }
    return count;
  } finally {
    await pair.stop();
  }
}

/** Whether only one of two servers may have written something. */
function haveParted({ exchange, before, after }: Difference): boolean {
  const isWrite = exchange.requests.some(({ method }) => /^(POST|PUT|DELETE)$/.test(method));
  const statuses = (text: string) => text.match(/^HTTP\/1\.1 \d{3}/gm)?.join() ?? '';
  return before !== after && isWrite && statuses(before) !== statuses(after);
}

function commonOf({ base, own }: Checkouts): Omit<Common, 'order'> {
  const isSame = (...files: string[]) =>
    files.every((file) => readFileSync(join(base, file)).equals(readFileSync(join(own, file))));
  return {
    contracts: isSame('openapi.yaml', 'schema.graphql'),
    changelog: isSame('CHANGELOG.md'),
    // Tests leave it behind.
    report: ![base, own].some((each) => existsSync(join(each, 'artefacts/contract-coverage'))),
  };
}

// What was started is ended on exit.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

process.exitCode = (await main()) ? 0 : 1;
