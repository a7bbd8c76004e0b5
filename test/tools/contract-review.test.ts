// long: starts servers for each review
import { describe, expect, it } from 'vitest';
import { type Contracts, workingContracts } from '../../src/kit/cli/contract/contract-texts.ts';
import { lintSettings } from '../../src/kit/cli/contract/lint-settings.ts';
import { type ReviewOptions, reviewOf } from '../../src/kit/cli/review/review.ts';
import { formatted } from '../../src/kit/cli/review/review-formats.ts';

const now = await workingContracts();
const nothing: ReviewOptions = {
  exceptions: [],
  usage: new Map(),
  lint: lintSettings({}),
  today: '2026-11-16',
};

/** A contract of somebody else, before a change with one breaking and two safe parts. */
const sky = `openapi: 3.1.0
info: { title: Sky, version: 1.0.0 }
paths:
  /planets:
    get:
      operationId: listPlanets
      tags: [planets]
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100 } }
      responses:
        '200':
          description: All planets.
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Planet' } }
components:
  schemas:
    Planet:
      type: object
      required: [id, name]
      properties:
        id: { type: integer }
        name: { type: string, maxLength: 100 }
`;
const later = sky
  .replace('maximum: 100', 'maximum: 50')
  .replace('maxLength: 100 }', 'maxLength: 100 }\n        moons: { type: integer }')
  .replace(
    '      responses:',
    '        - { name: sort, in: query, schema: { type: string } }\n      responses:',
  );
const contracts = (openapi: string, sdl = ''): Contracts => ({ name: 'x', openapi, sdl });

describe('npx accord review', () => {
  it('has one verdict, sentences and everything by operation and by type', async () => {
    const review = await reviewOf(contracts(sky), contracts(later), nothing);
    expect(review.verdict).toMatchObject({ level: 'breaking', label: 'Breaking', isPassed: false });
    expect(review.verdict.reasons).toEqual([
      '1 change breaks clients',
      'the version is still 1.0.0, and 2.0.0 is due',
    ]);
    expect(review.sentences).toEqual([
      'The query parameter `limit` of `GET /planets` is at most 50 in requests from now on (before: at most 100). Requests that do not keep to it are refused.',
      '`GET /planets` can be sorted.',
      '`Planet` gains `moons`.',
      'Touched: 1 operation, 1 method of the SDKs (`planets.list`).',
      'The version has to become 2.0.0; it is 1.0.0.',
    ]);
    const [operation, type] = review.sections;
    expect(operation?.rows).toEqual([
      {
        ...{ name: 'query limit', mark: 'changed' },
        ...{ before: 'whole number, 1 to 100, optional', after: 'whole number, 1 to 50, optional' },
      },
      { name: 'query sort', mark: 'new', before: '', after: 'text, optional' },
    ]);
    expect(operation?.changes[0]?.at).toBe('openapi.yaml:9');
    expect(operation?.methods[0]?.after?.python).toContain('sort: str | None = None');
    expect(operation?.exchange?.after?.request).toBe('GET /planets?sort=string');
    expect(operation?.exchange?.before?.answer).toMatch(/^200 OK/);
    expect(type?.reach).toEqual({ sentIn: [], answeredBy: ['GET /planets'] });
    expect(type?.rows[0]?.after).toBe('whole number, optional');
    expect(review.verdict.counts).toBe(
      '3 changes: 1 breaking, 2 safe. The check fails until 1 point below is settled.',
    );
    expect(review.changelog).toMatch(/^## 2\.0\.0\n\n- The query parameter/);
  });

  it('says what did not change', async () => {
    const sdl = 'type Query { planets: [String!]! }\n';
    const { asBefore } = await reviewOf(contracts(sky, sdl), contracts(later, sdl), nothing);
    expect(asBefore).toEqual([
      'GraphQL is the same.',
      'No operation, field or parameter is gone or has another name.',
      'Operations that existed ask for the same credentials.',
      'No limit on what clients send is looser.',
    ]);
    const closed = `${later.replace('name: limit', 'name: most')}security: [{ key: [] }]\n`.replace(
      'components:',
      'components:\n  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }',
    );
    const added = sdl.replace('}', 'stars: Int }');
    const changed = await reviewOf(contracts(sky, sdl), contracts(closed, added), nothing);
    expect(changed.asBefore).toEqual(['Clients of GraphQL keep working as they are.']);
  });

  it('does not say that nothing is gone when a whole contract is', async () => {
    const sdl = 'type Query { planets: [String!]! }\n';
    const { verdict, asBefore } = await reviewOf(contracts(sky, sdl), contracts(sky), nothing);
    expect(verdict.level).toBe('breaking');
    expect(asBefore.join()).not.toContain('is gone');
  });

  it('says which limits are looser, and shows them to security', async () => {
    const wide = sky.replace('maximum: 100', 'maximum: 500');
    const { sentences, asBefore, sections } = await reviewOf(
      contracts(sky),
      contracts(wide),
      nothing,
    );
    expect(sentences).toContain(
      'Limits on what clients send are looser: `GET /planets query limit`.',
    );
    expect(asBefore).not.toContain('No limit on what clients send is looser.');
    expect(sections[0]?.readers).toEqual(['client', 'security']);
  });

  it('takes the version that the change asks for', async () => {
    const major = later.replace('version: 1.0.0', 'version: 2.0.0');
    const review = await reviewOf(contracts(sky), contracts(major), nothing);
    expect(review.verdict).toMatchObject({ level: 'breaking', isPassed: true });
    expect(review.verdict.reasons).toContain('version 1.0.0 → 2.0.0 is right for it');
  });

  it('accepts what people have accepted, until its day', async () => {
    const exception = {
      ...{ place: '#/paths/~1planets/get/parameters/0', change: 'maximum-changed' },
      ...{ reason: 'Nobody asks for more.', owner: 'Ada', expires: '2026-11-30' },
    };
    const minor = later.replace('version: 1.0.0', 'version: 1.1.0');
    const exceptions = [exception];
    const review = await reviewOf(contracts(sky), contracts(minor), { ...nothing, exceptions });
    expect(review.verdict).toMatchObject({ label: 'Breaking, accepted', isPassed: true });
    expect(formatted(review, 'html', 'review.html')).toContain('Nobody asks for more.');
    expect(formatted(review, 'markdown', 'review.md')).toContain(
      'Accepted by Ada until 2026-11-30',
    );
    expect(formatted(review, 'sarif', 'r.sarif')).toContain('"suppressions"');
    const over = { ...nothing, exceptions, today: '2026-12-01' };
    const { verdict } = await reviewOf(contracts(sky), contracts(minor), over);
    expect(verdict).toMatchObject({ label: 'Breaking', isPassed: false });
    expect(verdict.reasons).toContain('1 exception is over');
  });

  it('has contradictions, lint errors and a missing version in the verdict', async () => {
    const sdl = 'type Query { planets: [Planet!]! }\ntype Planet { id: ID!, name: Int! }\n';
    const broken = later.replace('operationId: listPlanets', 'operationId: list planets');
    const review = await reviewOf(contracts(sky, sdl), contracts(broken, sdl), nothing);
    const { reasons } = review.verdict;
    expect(reasons).toContainEqual(
      expect.stringMatching(/contradictions? between the two contracts/),
    );
    expect(reasons).toContainEqual(expect.stringMatching(/new lint errors?$/));
    expect(reasons).toContainEqual(expect.stringMatching(/2\.0\.0 is due$/));
    const safe = await reviewOf(contracts(sky, sdl), contracts(sky, sdl), nothing);
    expect(safe.verdict).toMatchObject({ level: 'decision', isPassed: false });
  });

  it('takes an SDK method of another name for breaking', async () => {
    const moved = sky.replace('tags: [planets]', 'tags: [worlds]');
    const { changes, verdict } = await reviewOf(contracts(sky), contracts(moved), nothing);
    expect(verdict.level).toBe('breaking');
    expect(changes.map(({ message }) => message)).toContain(
      'The SDKs call `GET /planets` as `worlds.listPlanets` instead of `planets.list`: code that uses it no longer compiles.',
    );
  });

  it('tells how often what changed is used', async () => {
    const usage = new Map([['listPlanets', { count: 1200, last: '2026-11-15' }]]);
    const review = await reviewOf(contracts(sky), contracts(later), { ...nothing, usage });
    expect(formatted(review, 'html', 'review.html')).toContain(
      'Used 1,200 times, last on 2026-11-15',
    );
  });

  it('is one page that loads nothing, and says the same in every format', async () => {
    const review = await reviewOf(contracts(sky), contracts(later), nothing);
    const page = formatted(review, 'html', 'review.html');
    expect(page).not.toMatch(/<link|<img|src=|url\(|@import|https?:/);
    for (const format of ['html', 'markdown', 'json', 'junit', 'sarif'] as const) {
      expect(formatted(review, format, 'x')).toContain('is at most 50 in requests from now on');
    }
    expect(formatted(review, 'junit', 'x')).toMatch(/tests="\d+" failures="2"/);
    const { runs } = JSON.parse(formatted(review, 'sarif', 'x'));
    expect(runs[0].results[0]).toMatchObject({
      ...{ ruleId: 'maximum-changed', level: 'error' },
      locations: [{ physicalLocation: { region: { startLine: 9 } } }],
    });
  });

  it('shows what a server of this project really answers', async () => {
    const before = {
      ...now,
      name: 'before',
      openapi: now.openapi.replace(/(operationId: replaceBook\n[\s\S]*?) {8}"412": .*\n/, '$1'),
      sdl: now.sdl.replace('name: String! @bounds(minLength: 1, maxLength: 200)', 'name: String!'),
    };
    const review = await reviewOf(before, now, nothing);
    const replace = review.sections.find(({ subject }) => subject.name === 'PUT /books/{id}');
    expect(replace?.exchange?.after).toMatchObject({
      isMock: false,
      answer: expect.stringMatching(/^200 OK/),
    });
    expect(review.graphqlOperations).toContain('CreateUser');
  });

  it('says that nothing has changed', async () => {
    const review = await reviewOf(contracts(sky), contracts(sky), nothing);
    expect(review.verdict).toMatchObject({
      level: 'safe',
      isPassed: true,
      reasons: ['nothing has changed'],
    });
    expect(formatted(review, 'markdown', 'x')).toContain('Nothing has changed.');
  });
});

it('the Markdown shows words of the contract without their markup', async () => {
  const bold = (version: string) =>
    sky
      .replace(/title: \w+/, 'title: "T<script>alert(1)</script>"')
      .replace(/version: [\d.]+/, `version: "${version}"`);
  const review = await reviewOf(contracts(bold('1.0.0')), contracts(bold('1.0.0<b>')), nothing);
  const text = formatted(review, 'markdown', 'review.md');
  expect(text).toContain('T&lt;script>alert(1)');
  expect(text).not.toMatch(/<script|<b>/);
});
