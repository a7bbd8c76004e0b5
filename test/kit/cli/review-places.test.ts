// engines: sqlite
import { describe, expect, it } from 'vitest';
import type { Contracts } from '../../../src/kit/cli/contract/contract-texts.ts';
import { lintSettings } from '../../../src/kit/cli/contract/lint-settings.ts';
import type { Change } from '../../../src/kit/cli/review/change.ts';
import { createLocate } from '../../../src/kit/cli/review/locate.ts';
import {
  contradictions,
  newErrors,
  overProblems,
  parityProblem,
  versionProblem,
} from '../../../src/kit/cli/review/problems.ts';
import { createReach } from '../../../src/kit/cli/review/reach.ts';
import type { Document } from '../../../src/kit/contract/openapi-document.ts';

const exception = { place: '', change: '', reason: '', owner: '', expires: '' };

describe('a change is found in its file', () => {
  const yaml = 'openapi: 3.1.0\npaths:\n  /a:\n    get: {}\n';
  const json =
    '{\n  "openapi": "3.1.0",\n  "paths": {\n    "/a": [\n      1,\n      2\n    ]\n  }\n}\n';
  const sdl = `type Query {
  a(
    b: Int
  ): Int
}
enum Kind {
  A
}
input In {
  c: Int
}
interface Named {
  d: Int
}
directive @mark on FIELD
scalar Day
`;
  const at = async (
    before: Partial<Contracts>,
    after: Partial<Contracts>,
    change: Partial<Change>,
  ) => {
    const given = { contract: 'OpenAPI', place: '#', isGone: false, ...change } as const;
    const none = { openapi: '', sdl: '' };
    const locate = await createLocate(
      { name: 'a', ...none, ...before },
      { name: 'b', ...none, ...after },
      [given],
    );
    return locate(given);
  };

  it('of an OpenAPI description', async () => {
    const place = '#/paths/~1a/get';
    expect(await at({}, { openapi: yaml }, { place })).toBe('openapi.yaml:4');
    expect(await at({ openapi: yaml }, {}, { place, isGone: true })).toBe('openapi.yaml:4');
    expect(
      await at({}, { openapi: json, files: { openapi: 'api.json' } }, { place: '#/paths/~1a/1' }),
    ).toBe('api.json:6');
    expect(await at({ openapi: ` \n${json}` }, {}, { place: '#/paths/~1a/0', isGone: true })).toBe(
      'openapi.yaml:6',
    );
    expect(await at({}, { openapi: yaml, bundle: { text: yaml, told: String } }, { place })).toBe(
      'openapi.yaml',
    );
    expect(await at({}, { openapi: yaml }, { place, contract: 'SDK' })).toBe('');
  });

  it.each([
    ['Query', 1],
    ['Query.a', 2],
    ['Query.a.b', 3],
    ['Query.a.none', 2],
    ['Query.none', 1],
    ['Kind.A', 7],
    ['In.c', 10],
    ['Named.d', 13],
    ['@mark', 15],
    ['Day', 16],
  ])('of an SDL: %s', async (place, line) => {
    const graphql = { contract: 'GraphQL', place } as const;
    expect(await at({}, { sdl }, graphql)).toBe(`schema.graphql:${line}`);
    expect(
      await at({ sdl, files: { schema: 'old.graphql' } }, {}, { ...graphql, isGone: true }),
    ).toBe(`old.graphql:${line}`);
  });

  it('of an SDL that has no such part', async () => {
    expect(await at({}, { sdl }, { contract: 'GraphQL', place: 'None' })).toBe('schema.graphql');
    expect(await at({}, {}, { contract: 'GraphQL', place: 'None' })).toBe('schema.graphql');
  });
});

describe('problems', () => {
  const accepted = () => undefined;
  const contracts = { name: 'a', openapi: '', sdl: '' };

  it('are versions that do not say what the changes do', () => {
    const given = {
      from: '1.0.0',
      to: '1.0.0',
      asks: 'major',
      isMet: false,
      due: '2.0.0',
    } as const;
    const of = (version: object, files?: Contracts['files']) =>
      versionProblem({ ...given, ...version }, { ...contracts, ...(files && { files }) }, accepted);
    expect(of({ isMet: true })).toEqual([]);
    expect(of({})).toEqual([
      {
        source: 'version',
        rule: 'version-due',
        place: '#/info/version',
        at: '',
        message: 'the version is still 1.0.0, and 2.0.0 is due',
        accepted: undefined,
      },
    ]);
    expect(of({ to: '1.1.0', due: undefined }, { openapi: '/x/api.yaml' })[0]).toMatchObject({
      at: '/x/api.yaml',
      message: 'the version goes from 1.0.0 to 1.1.0, and a major version is due',
    });
    expect(of({ from: '', to: '' })[0]?.message).toBe(
      'clients break, and the contracts have no version to tell them',
    );
  });

  it('are exceptions that are over, from the day after', () => {
    const over = { ...exception, place: '#/a', owner: 'Ada', expires: '2027-01-31' };
    expect(overProblems([over], '2027-01-31')).toEqual([]);
    expect(overProblems([over], '2027-02-01')).toMatchObject([
      {
        source: 'exception',
        message: 'The exception for `#/a` (Ada) ended on 2027-01-31: it no longer counts.',
      },
    ]);
  });

  it('are contradictions, the new ones first', () => {
    const openapi = (more: string) =>
      `openapi: 3.1.0\ninfo: { title: A, version: '1' }\npaths: {}\ncomponents: { schemas: { A: { type: object, x-parity: { m: Meant. }, properties: { m: {}, a: {}, b: {}${more} } } } }\n`;
    const sdl = 'type Query { a: Int }\ntype A { a: Int }\n';
    const found = contradictions(
      { ...contracts, openapi: openapi(''), sdl },
      { ...contracts, openapi: openapi(', c: {}'), sdl },
    );
    expect(found.map(({ field, isNew }) => [field, isNew])).toEqual([
      ['c', true],
      ['b', false],
    ]);
    expect(found.map((each) => parityProblem(each, accepted).message)).toEqual([
      'The two contracts contradict each other: `A.c` is in REST only.',
      'The two contracts contradict each other, as before: `A.b` is in REST only.',
    ]);
  });

  it('are lint errors that were not there', async () => {
    const of = (more: string) => ({
      ...contracts,
      openapi: `openapi: 3.1.0\ninfo: { title: A, version: '1' }\npaths: {}\ncomponents: { schemas: { A: { type: object, properties: { a: { type: string }${more} } } } }\n`,
    });
    const [old, now] = [of(''), of(', b: { type: string }')];
    const settings = lintSettings({ 'schema-bounds': 'error', 'closed-object': 'warning' });
    const places = async (before: Contracts, after: Contracts) =>
      (await newErrors(before, after, settings))
        .filter(({ rule }) => rule !== 'info-license')
        .map(({ rule, place }) => `${rule} ${place}`);
    expect(await places(old, now)).toEqual(['schema-bounds #/components/schemas/A/properties/b']);
    expect(await places(now, old)).toEqual([]);
    expect(await places(contracts, old)).toContain(
      'schema-bounds #/components/schemas/A/properties/a',
    );
  });
});

it('a shared part reaches the operations that use it, however far', () => {
  const ref = (name: string) => ({ schema: { $ref: `#/components/schemas/${name}` } });
  const content = (name: string) => ({ content: { 'application/json': ref(name) } });
  const document = {
    openapi: '3.1.0',
    info: { title: 'A', version: '1' },
    paths: {
      '/a': {
        parameters: [{ name: 'p', in: 'query', ...ref('P') }],
        get: {
          parameters: [{ name: 'q', in: 'query', ...ref('Q') }],
          responses: { 200: { description: '', ...content('Outer') } },
        },
        post: {
          requestBody: content('Outer'),
          responses: { 200: { description: '', example: ref('E') } },
        },
      },
    },
    components: {
      schemas: {
        P: {},
        Q: {},
        E: {},
        Inner: { properties: { outer: ref('Outer').schema } },
        Outer: { items: ref('Inner').schema },
      },
    },
  } as unknown as Document;
  const reach = createReach(document);
  const of = (place: string) => {
    const { request, response } = reach(place);
    return [[...request], [...response]];
  };
  expect(of('#/components/schemas/P')).toEqual([['GET /a', 'POST /a'], []]);
  expect(of('#/components/schemas/Q')).toEqual([['GET /a'], []]);
  expect(of('#/components/schemas/Inner/properties/outer')).toEqual([['POST /a'], ['GET /a']]);
  expect(of('#/components/schemas/Outer')).toEqual([['POST /a'], ['GET /a']]);
  expect(of('#/components/schemas/E')).toEqual([[], []]);
});
