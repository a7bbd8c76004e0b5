import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { seconds } from '../support/check-report.ts';
import { blocksOf } from './guide-blocks.ts';
import { prepare, runBlocks } from './run-guide.ts';

/** Runs every command of docs/scale-out.md, as a reader would. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const all = blocksOf(readFileSync(new URL('../../docs/scale-out.md', import.meta.url), 'utf8'));
const start = performance.now();
const missing = await prepare(all);
const blocks = all.filter(({ kind }) => kind === 'plain' || (kind === 'debian' && !missing));
const code = await runBlocks(root.replace(/\/$/, ''), blocks);
const skipped = missing ? all.filter(({ kind }) => kind === 'debian') : [];
const say = (line: string) => process.stdout.write(`${line}\n`);
for (const { line, heading } of skipped) say(`skipped: line ${line}, ${heading}: ${missing}`);
say(
  `${code === 0 ? 'ok  ' : 'FAIL'} ${blocks.length} blocks of commands, ${skipped.length} skipped`,
);
say(`     took ${seconds(performance.now() - start)}`);
// CI skips nothing.
process.exitCode = code === 0 && (skipped.length === 0 || process.env.CI !== 'true') ? 0 : 1;
