import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { contractsOf, workingContracts } from '../../src/kit/cli/contract/contract-texts.ts';
import { lintSettings } from '../../src/kit/cli/contract/lint-settings.ts';
import { projectSettings } from '../../src/kit/cli/project.ts';
import { reviewOf } from '../../src/kit/cli/review/review.ts';
import { formatted } from '../../src/kit/cli/review/review-formats.ts';

// The worked example of a review: what changed in these contracts since 1.0.0. With --check it is compared only.
const folder = 'docs/review-example/1.0.0';
const files = { openapi: `${folder}/openapi.yaml`, schema: `${folder}/schema.graphql` };
const before = await contractsOf(files, '1.0.0');
const after = { ...(await workingContracts()), name: 'today' };
const review = await reviewOf(before, after, {
  ...{ exceptions: [], usage: new Map(), today: '' },
  lint: lintSettings(projectSettings().lint),
});
const pages = [
  ['docs/review-example.html', 'html'],
  ['docs/review-example.md', 'markdown'],
] as const;
const stale = pages.filter(([file, format]) => {
  const text = formatted(review, format, file);
  const isSame = existsSync(file) && readFileSync(file, 'utf8') === text;
  if (!isSame && !process.argv.includes('--check')) writeFileSync(file, text);
  return !isSame;
});
if (process.argv.includes('--check') && stale.length > 0) {
  const names = stale.map(([file]) => file).join(' and ');
  process.stderr.write(`${names} is not what accord review makes: npm run review:example\n`);
  process.exitCode = 1;
}
