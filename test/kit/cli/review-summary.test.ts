// engines: sqlite
import { describe, expect, it } from 'vitest';
import type { Change, Level } from '../../../src/kit/cli/review/change.ts';
import { nothing } from '../../../src/kit/cli/review/reach.ts';
import { noticed, summaryOf } from '../../../src/kit/cli/review/summary.ts';
import type { Document } from '../../../src/kit/contract/openapi-document.ts';

/** A change as the comparison tells it. */
function change(level: Level, name: string, rule: string, more: Partial<Change> = {}): Change {
  const kind = / |^(Query|Mutation)\./.test(name) ? 'operation' : 'type';
  return {
    contract: 'OpenAPI',
    ...{ level, rule, part: '', place: '#', readers: [] },
    ...{ isWording: false, isGone: false, isLooser: false },
    subject: { kind, name },
    message: `\`${name}\` has ${rule}.`,
    ...more,
  };
}

const documentOf = (...names: string[]): Document => {
  const item = { get: { summary: 'Get it.', responses: {} } };
  const paths = Object.fromEntries(names.map((name) => [name, item]));
  // A description that a reader of paths alone can take.
  return { openapi: '3.1.0', info: { title: 'Sky', version: '1' }, paths } as unknown as Document;
};
const documents = {
  before: documentOf('/planets'),
  after: documentOf('/planets', '/planets/{id}', '/planets/{id}/moons'),
};
const reach = () => nothing;
const said = (changes: readonly Change[], most?: number) =>
  summaryOf(changes, documents, reach, most);

describe('the summary of a review', () => {
  it('has a few sentences, however many changes there are', async () => {
    const several = (count: number, level: Level, rule: string) =>
      Array.from({ length: count }, (_, i) =>
        change(level, `GET /${rule}/${i}`, rule, { part: `part${i}` }),
      );
    const grid = [0, 1, 2, 3, 6].flatMap((breaking) =>
      [0, 1, 2, 5].flatMap((decision) =>
        [0, 1, 3].flatMap((news) => [0, 1, 2].map((rest) => [breaking, decision, news, rest])),
      ),
    );
    const kinds = ['parameter-added', 'deprecated', 'property-added'];
    const texts = grid.map(([breaking = 0, decision = 0, news = 0, rest = 0]) => {
      const sentences = said([
        ...several(breaking, 'breaking', 'breaks'),
        ...several(decision, 'decision', 'decide'),
        ...kinds.slice(0, news).map((rule) => change('safe', 'GET /a', rule, { part: 'query b' })),
        ...several(rest, 'safe', 'other'),
        ...(rest === 1 ? [change('safe', 'Planet', 'words', { isWording: true })] : []),
        ...(rest === 2
          ? several(2, 'safe', 'words').map((each) => ({ ...each, isWording: true }))
          : []),
      ]);
      return `${breaking} ${decision} ${news} ${rest}\n${sentences.map((each) => `- ${each}\n`).join('')}`;
    });
    await expect(texts.join('')).toMatchFileSnapshot('expected/review-summaries.txt');
  });

  it('tells the same change of several operations once, and where a type goes', () => {
    const part = { part: 'query a' };
    const all = ['GET /a', 'GET /b', 'GET /c', 'GET /d', 'GET /e'].map((name) =>
      change('breaking', name, 'parameter-removed', part),
    );
    const first = '`GET /a` has parameter-removed.';
    expect(said(all)).toEqual([
      `${first} Likewise for \`GET /b\`, \`GET /c\`, \`GET /d\` and 1 more.`,
    ]);
    const ids = ['GET /a', 'POST /b'].map((name) => change('breaking', name, 'operation-removed'));
    expect(said(ids)).toEqual(['`GET /a` has operation-removed. Likewise for `POST /b`.']);
    const type = change('breaking', 'Planet', 'type-changed', { brief: 'In short.' });
    const moved = change('breaking', 'GET /z', 'operation-moved');
    const used = { request: new Set(['POST /a']), response: new Set(['GET /a', 'GET /b']) };
    const reachOf = ({ subject }: Change) => (subject.kind === 'type' ? used : nothing);
    const told = [
      '`GET /z` has operation-moved.',
      '`GET /y` has body-added.',
      'In short. Sent in `POST /a`. Answered by `GET /a` and `GET /b`.',
    ];
    const changes = [type, change('breaking', 'GET /y', 'body-added', { part: 'body' }), moved];
    expect(summaryOf(changes, documents, reachOf)).toEqual(told);
    const all3 = [...changes, change('decision', 'Moon', 'a'), change('safe', 'Moon', 'b')];
    expect(noticed(all3, reachOf)).toEqual([
      ...told.map((text) => ({ level: 'breaking', text })),
      {
        level: 'decision',
        text: '`Moon` has a. Sent in `POST /a`. Answered by `GET /a` and `GET /b`.',
      },
    ]);
  });

  const add = (name: string) => change('safe', name, 'operation-added');
  const part = (name: string, rule: string, part: string, contract?: 'GraphQL') =>
    change('safe', name, rule, { part, ...(contract && { contract }) });
  const root = (name: string) => change('safe', name, 'field-added', { contract: 'GraphQL' });

  it.each<[string, readonly Change[], string[]]>([
    [
      'a resource',
      [
        'GET /comets',
        'POST /comets',
        'GET /comets/{id}',
        'PUT /comets/{id}',
        'PATCH /comets/{id}',
        'DELETE /comets/{id}',
        'HEAD /comets',
      ].map(add),
      ['Comets are new: list, create, get, replace, change, delete, head.'],
    ],
    [
      'a resource of a version',
      [add('GET /api/v2/dwarf-stars_x')],
      ['Dwarf stars x are new: list.'],
    ],
    ['the root', [add('GET /')], ['The API are new: list.']],
    [
      'operations of a resource that was there',
      [add('GET /planets/{id}'), add('PUT /planets/{id}')],
      ['New for planets: get it (`GET /planets/{id}`); PUT /planets/{id}.'],
    ],
    [
      'three of them',
      [add('GET /planets/{id}'), add('PUT /planets/{id}'), add('PATCH /planets/{id}')],
      ['New for planets: get it (`GET /planets/{id}`); PUT /planets/{id}; PATCH /planets/{id}.'],
    ],
    [
      'many of them',
      ['a', 'b', 'c', 'd'].map((each) => add(`GET /planets/${each}`)),
      ['4 operations are new for planets.'],
    ],
    ['two resources', [add('GET /a'), add('GET /b')], ['A are new: list.', 'B are new: list.']],
    [
      'three resources',
      ['a', 'b', 'c'].map((each) => add(`GET /${each}`)),
      ['3 operations are new, for a, b and c.'],
    ],
    [
      'many resources',
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((each) => add(`GET /${each}`)),
      ['7 operations are new, for a, b, c, d, e, f and 1 more.'],
    ],
    [
      'operations of GraphQL',
      [root('Query.a'), root('Mutation.b')],
      ['GraphQL has new operations: `Query.a` and `Mutation.b`.'],
    ],
    [
      'filters',
      [
        part('GET /a', 'parameter-added', 'query b'),
        part('GET /a', 'parameter-added', 'query c'),
        part('Query.a', 'field-argument-added', 'd', 'GraphQL'),
      ],
      ['`GET /a` and `Query.a` can be filtered by `b`, `c` and `d`.'],
    ],
    ['an order', [part('GET /a', 'parameter-added', 'query sort')], ['`GET /a` can be sorted.']],
    [
      'an order and a filter',
      [
        part('GET /a', 'parameter-added', 'query orderBy'),
        part('GET /a', 'parameter-added', 'query b'),
      ],
      ['`GET /a` can be sorted and filtered by `b`.'],
    ],
    [
      'an input',
      [part('GET /a', 'parameter-added', 'header X')],
      ['`GET /a` takes more inputs: `X`.'],
    ],
    [
      'inputs of several',
      [
        part('POST /a', 'parameter-added', 'query b'),
        part('Mutation.a', 'field-argument-added', 'c', 'GraphQL'),
        part('Planet', 'field-argument-added', 'moons.d', 'GraphQL'),
      ],
      ['3 operations and types take more inputs: `b`, `c` and `d`.'],
    ],
    [
      'members',
      [
        part('POST /a', 'request-property-added', 'body z'),
        part('A', 'property-added', 'b'),
        part('A', 'field-added', 'b'),
        part('A', 'input-field-added', 'c'),
      ],
      ['`A` gains `b` and `c`; `POST /a` gains `body z`.'],
    ],
    [
      'members of four types',
      ['A', 'B', 'C', 'D'].map((each) => part(each, 'property-added', 'b')),
      ['`A` gains `b`; `B` gains `b`; `C` gains `b`; 1 more gain fields.'],
    ],
    [
      'members of many types',
      ['A', 'B', 'C', 'D', 'E'].map((each) => part(each, 'property-added', 'b')),
      ['`A` gains `b`; `B` gains `b`; `C` gains `b`; 2 more gain fields.'],
    ],
    [
      'a deprecation',
      [part('A', 'field-deprecation-added', 'b.@deprecated')],
      ['`A.b` is deprecated: what uses them still works.'],
    ],
    [
      'deprecations',
      [
        part('GET /a', 'deprecated', ''),
        part('Kind', 'enum-value-deprecation-reason-added', 'ICE'),
      ],
      ['`GET /a` and `Kind.ICE` are deprecated: what uses them still works.'],
    ],
    [
      'looser limits',
      [
        change('safe', 'A', 'maximum-changed', { isLooser: true, part: 'b' }),
        change('safe', 'C', 'x', { isLooser: true }),
      ],
      ['Limits on what clients send are looser: `A b` and `C`.'],
    ],
    ['a type alone', [change('safe', 'A', 'type-added')], []],
    ['a member without a name', [part('A', 'property-added', '')], ['1 further change is safe.']],
    [
      'what is rest, and words',
      [
        change('safe', 'A', 'x'),
        change('safe', 'A', 'y'),
        change('safe', 'A', 'z', { isWording: true }),
      ],
      ['2 further changes are safe, and 1 text is reworded, which no program notices.'],
    ],
    [
      'words alone',
      [
        change('safe', 'A', 'y', { isWording: true }),
        change('safe', 'A', 'z', { isWording: true }),
      ],
      ['2 texts are reworded, which no program notices.'],
    ],
  ])('tells of %s', (_, changes, sentences) => {
    expect(said(changes)).toEqual(sentences);
  });
});
