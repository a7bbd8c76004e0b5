// engines: sqlite
// slow: starts servers for some of the reviews
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contracts } from '../../../src/kit/cli/contract/contract-texts.ts';
import { lintSettings } from '../../../src/kit/cli/contract/lint-settings.ts';
import { type ReviewOptions, reviewOf } from '../../../src/kit/cli/review/review.ts';

// A project of its own: that of this repository has code and operations.
const folder = mkdtempSync(join(tmpdir(), 'review-'));
const home = process.cwd();
beforeAll(() => process.chdir(folder));
afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

const options: ReviewOptions = {
  exceptions: [],
  usage: new Map(),
  lint: lintSettings({}),
  today: '2026-11-16',
};
const contracts = (openapi: string, sdl = ''): Contracts => ({ name: 'x', openapi, sdl });
const review = (before: Contracts, after: Contracts, more: Partial<ReviewOptions> = {}) =>
  reviewOf(before, after, { ...options, ...more });

const answer = (name: string) =>
  `responses: { '200': { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } } } }`;
const sky = (version: string, members = '') => `openapi: 3.1.0
info: { title: Sky, version: '${version}' }
paths:
  /planets: { get: { operationId: listPlanets, tags: [planets], ${answer('Planet')} } }
  /moons: { get: { operationId: listMoons, tags: [moons], ${answer('Moon')} } }
  /stars: { get: { operationId: listStars, tags: [stars], ${answer('Moon')} } }
components:
  schemas:
    Planet: { type: object, properties: { name: { type: string }${members} } }
    Moon: { type: object, properties: { name: { type: string } } }
`;
const more = ', mass: { type: number }';

describe('a review says of the version', () => {
  const gains = '`Planet` gains `mass`.';
  const touched = 'Touched: 1 operation.';
  it.each([
    ['', '', more, [gains, touched], `- ${gains}\n`],
    [
      '',
      '1.0.0',
      more,
      [gains, touched, 'The version has to become a minor one; it is 1.0.0.'],
      `- ${gains}\n`,
    ],
    [
      '1.0.0',
      '',
      more,
      [gains, touched, 'The version has to become 1.1.0; there is none.'],
      `## 1.1.0\n\n- ${gains}\n`,
    ],
    [
      '1.0.0',
      '1.0.1',
      more,
      [gains, touched, 'The version has to become 1.1.0; it is 1.0.1.'],
      `## 1.1.0\n\n- ${gains}\n`,
    ],
    [
      '1.0.0',
      '1.2.0',
      more,
      [gains, touched, 'The version goes from 1.0.0 to 1.2.0, as the change asks.'],
      `## 1.2.0\n\n- ${gains}\n`,
    ],
    ['1.0.0', '1.2.0', '', [], ''],
  ])('%s → %s%s', async (from, to, members, sentences, changelog) => {
    const found = await review(contracts(sky(from)), contracts(sky(to, members)));
    expect([found.sentences, found.changelog]).toEqual([sentences, changelog]);
  });
});

it('a review tells of methods of another name once, and in the order of gravity', async () => {
  const after = sky('1.0.0', more)
    .replace('operationId: listMoons', 'operationId: findMoons')
    .replace('tags: [planets]', 'deprecated: true, tags: [worlds]')
    .replace('/stars:', '/suns:');
  const { changes } = await review(contracts(sky('1.0.0')), contracts(after));
  expect(changes.map(({ rule, subject }) => `${rule} ${subject.name}`)).toEqual([
    'operation-moved GET /suns',
    'operation-renamed GET /moons',
    'sdk-method-renamed GET /planets',
    'deprecated GET /planets',
    'property-added Planet',
  ]);
});

it('a review tells where a shared type goes, and not where a shared parameter does', async () => {
  const limit = "parameters: [{ $ref: '#/components/parameters/Limit' }], ";
  const shared = 'parameters: { Limit: { name: limit, in: query, schema: { type: integer } } }';
  const before = sky('1.0.0', more)
    .replaceAll('tags:', `${limit}tags:`)
    .replace('  schemas:\n', `  ${shared}\n  schemas:\n`);
  const after = before.replace(limit, '').replace(more, '');
  const { noticed } = await review(contracts(before), contracts(after));
  expect(noticed.map(({ text }) => text)).toEqual([
    '`GET /planets` no longer takes the query parameter `limit`: clients that send it may be refused or get another answer.',
    '`mass` of `Planet` is gone: clients that read it find nothing. Answered by `GET /planets`.',
  ]);
});

it('a review finds the lines of a description in JSON, as it was and as it is', async () => {
  const text = (properties: object) =>
    JSON.stringify(
      {
        openapi: '3.1.0',
        info: { title: 'Sky', version: '1.0.0' },
        paths: {},
        components: { schemas: { Planet: { type: 'object', properties } } },
      },
      null,
      2,
    );
  const [before, after] = [text({ name: {}, mass: {} }), text({ moons: {}, name: { title: 'N' } })];
  const line = (of: string, name: string) =>
    of.split('\n').findIndex((each) => each.includes(`"${name}"`)) + 1;
  const { changes } = await review(contracts(before), contracts(after));
  expect(changes.map(({ rule, at }) => [rule, at])).toEqual([
    ['title-reworded', ''],
    ['property-removed', `openapi.yaml:${line(before, 'mass')}`],
    ['property-added', `openapi.yaml:${line(after, 'moons')}`],
  ]);
});

it('a review names the operations of the project that use what changed, words aside', async () => {
  const sdl = `type Query {
  planet(id: ID, near: Point): Planet
  moon: Moon
  star: Star
}
interface Named { name: String }
type Planet implements Named { name: String mass: Float }
type Moon implements Named { name: String }
type Star { name: String }
input Point { x: Float y: Float }
`;
  const after = sdl
    .replace('type Moon implements Named', 'type Moon')
    .replace('type Star { name', 'type Star { "Its name." name')
    .replace('mass: Float', 'mass: Int')
    .replace('near: Point)', 'near: Point, far: Int)');
  writeFileSync(
    'operations.graphql',
    [
      'query Moons { moon { name } }',
      'query Stars { star { name } }',
      'query Names { planet { name } }',
      'query Masses { planet { mass } }',
      'query Near { planet(near: { x: 1 }) { name } }',
    ].join('\n\n'),
  );
  const { graphqlOperations } = await review(contracts('', sdl), contracts('', after));
  expect(graphqlOperations).toEqual(['Moons', 'Masses']);
  rmSync('operations.graphql');
});
