// engines: sqlite
// slow: starts servers for each review
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lintSettings } from '../../../src/kit/cli/contract/lint-settings.ts';
import { type Review, type ReviewOptions, reviewOf } from '../../../src/kit/cli/review/review.ts';
import { formatted } from '../../../src/kit/cli/review/review-formats.ts';
import { plantedSdl } from '../../support/planted-contracts.ts';
import { skyAfter, skyBefore, skyOperations } from '../../support/reviewed-contracts.ts';

const nothing: ReviewOptions = {
  exceptions: [],
  usage: new Map(),
  lint: lintSettings({}),
  today: '2026-11-16',
};
const contracts = (name: string, openapi: string, sdl = '') => ({ name, openapi, sdl });

/** A page without its style and its script. */
const bare = (page: string) => page.replaceAll(/<(style|script)>[\s\S]*?<\/\1>/g, '<$1></$1>');

// A project of its own: that of this repository has code and operations.
const folder = mkdtempSync(join(tmpdir(), 'review-'));
const home = process.cwd();
beforeAll(() => {
  writeFileSync(join(folder, 'operations.graphql'), skyOperations);
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

describe('a review of a change in both contracts', () => {
  let review: Review;
  beforeAll(async () => {
    const accepted = { reason: 'Nobody asks for more.', owner: 'Ada', expires: '2026-11-16' };
    review = await reviewOf(
      contracts('v1', skyBefore.openapi, skyBefore.sdl),
      contracts('v2', skyAfter.openapi, skyAfter.sdl),
      {
        exceptions: [
          { place: '#/paths/~1planets/get', change: 'maximum-changed', ...accepted },
          { ...accepted, place: '#/paths/~1planets/get/parameters', change: '', owner: 'Bob' },
          { ...accepted, place: '#/components', change: 'no-such', expires: '2027-01-01' },
          { ...accepted, place: 'Planet', change: '', expires: '2026-11-15' },
          { ...accepted, place: 'Comet.tail', change: 'parity', reason: 'It is <new>.' },
        ],
        usage: new Map([
          ['listPlanets', { count: 1200, last: '2026-11-15' }],
          ['Planet', { count: 1, last: '' }],
        ]),
        lint: lintSettings({ 'schema-bounds': 'error' }),
        today: '2026-11-16',
      },
    );
  });

  it.each(['html', 'markdown', 'json', 'junit', 'sarif'] as const)(
    'is as written in %s',
    async (format) => {
      const text = bare(formatted(review, format, 'artefacts/review.html'));
      await expect(text).toMatchFileSnapshot(`expected/review-${format}.txt`);
    },
  );

  it('is as written in its parts', async () => {
    const parts = review.sections.map(({ changes, ...section }) => section);
    const text = `${JSON.stringify(parts, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('expected/review-parts.txt');
  });
});

describe('a review in Markdown', () => {
  const openapi = skyBefore.openapi;
  // The SDKs do not read answers in parts.
  const incremental = 'directive @defer on FIELD\ntype Query { a: Int }\n';
  const noVersion = "openapi: 3.1.0\ninfo: { title: Sky, version: '' }\npaths: {}\n";
  const stars = (paths: string) => `openapi: 3.1.0\ninfo: { title: Sky, version: v7 }\n${paths}`;
  const star = (name: string) =>
    `  /${name}: { get: { summary: Some., responses: { 200: { description: A. } } } }\n`;
  const many = (count: number) =>
    Array.from({ length: count }, (_, i) => star(`stars${i}`)).join('');

  it.each([
    ['nothing', openapi, openapi, '', ''],
    ['words alone', openapi, openapi.replace('summary: List', 'summary: Give'), '', ''],
    ['a version alone', openapi, openapi.replace('version: 1.0.0', 'version: 1.0.1'), '', ''],
    ['an SDL alone', '', '', plantedSdl, plantedSdl.replace('  ICE\n', '  ICE\n  OCEAN\n')],
    ['a contract that goes', openapi, '', plantedSdl, plantedSdl],
    [
      'a contract without a version',
      noVersion,
      openapi.replace('version: 1.0.0', "version: ''"),
      '',
      '',
    ],
    ['an SDK that cannot be made', noVersion, openapi, incremental, incremental],
    ['ten operations that go', stars(`paths:\n${many(11)}`), stars(`paths:\n${many(1)}`), '', ''],
    [
      'nine operations that come',
      stars(`paths:\n${many(1)}`),
      stars(`paths:\n${many(10)}`),
      '',
      '',
    ],
  ])('is as written of %s', async (what, before, after, old, sdl) => {
    const review = await reviewOf(contracts('a', before, old), contracts('b', after, sdl), nothing);
    await expect(formatted(review, 'markdown', 'review.md')).toMatchFileSnapshot(
      `expected/review-of-${what.replaceAll(' ', '-')}.txt`,
    );
  });
});
