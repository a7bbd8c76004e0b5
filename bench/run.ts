import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openSource } from './databases.ts';
import { engines } from './engines.ts';
import type { Work } from './pairs.ts';
import { createProgress } from './progress.ts';
import { root } from './servers.ts';

/** Measures Accord: beside its peers, as its data and contracts grow, or beside its last release. */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    pairs: { type: 'string' },
    rounds: { type: 'string' },
    requests: { type: 'string' },
    'warm-up': { type: 'string' },
    only: { type: 'string' },
    peers: { type: 'string' },
    base: { type: 'string' },
    short: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
// With fewer requests V8 still compiles the larger servers while they are measured.
const preset: Readonly<Record<string, Work>> = {
  peers: { pairs: 5, rounds: 7, requests: 2000, warmUp: 20_000 },
  short: { pairs: 5, rounds: 5, requests: 2000, warmUp: 20_000 },
  growth: { pairs: 5, rounds: 7, requests: 6000, warmUp: 40_000 },
  quick: { pairs: 5, rounds: 3, requests: 1500, warmUp: 12_000 },
};
const modes = ['quick', 'growth', 'short'] as const;
const mode = modes.find((each) => values[each]) ?? 'peers';
const given = preset[mode] as Work;
const work: Work = {
  pairs: Number(values.pairs ?? given.pairs),
  rounds: Number(values.rounds ?? given.rounds),
  requests: Number(values.requests ?? given.requests),
  warmUp: Number(values['warm-up'] ?? given.warmUp),
};
const engine = engines.find((each) => each === values.engine);
if (!engine) throw new Error(`--engine takes ${engines.join()}, not ${values.engine}`);

// Without its peers Accord needs no other packages.
if ((mode === 'peers' || mode === 'short') && !existsSync(join(root, 'bench/node_modules'))) {
  execFileSync('npm', ['ci', '--ignore-scripts', '--prefix', join(root, 'bench')], {
    stdio: 'inherit',
  });
}
const folder = mkdtempSync(join(tmpdir(), 'accord-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const progress = createProgress();
const source = await openSource(engine, folder);
// Servers are killed when this process exits; PostgreSQL would outlive it.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void source.remove().finally(() => process.exit(1)));
}
const run = { engine, source, folder, work, progress, only: values.only?.split(',') };
try {
  if (mode === 'quick') {
    const { runQuick } = await import('./quick.ts');
    await runQuick(run, values.keep);
  } else if (mode === 'growth') {
    const { runGrowth } = await import('./growth.ts');
    await runGrowth(run);
  } else {
    const { runPeers } = await import('./comparison.ts');
    const { base, short } = values;
    await runPeers(run, { base, isShort: short, chosen: values.peers?.split(',') });
  }
} finally {
  await source.remove();
}
