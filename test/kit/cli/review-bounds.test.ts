// engines: sqlite
import { describe, expect, it } from 'vitest';
import type { Review } from '../../../src/kit/cli/review/review.ts';
import { formatted } from '../../../src/kit/cli/review/review-formats.ts';
import type { Section } from '../../../src/kit/cli/review/sections.ts';
import { touchedSentence } from '../../../src/kit/cli/review/touched.ts';
import type { Problem, Reviewed } from '../../../src/kit/cli/review/verdict.ts';

const accepted = { place: '#/a', change: '', reason: 'R.', owner: 'Ada', expires: '2027-01-31' };

/** A review that says nothing but what is given. */
function review(more: Partial<Review>): Review {
  return {
    ...{ title: 'Sky', from: 'a', to: 'b', changelog: '' },
    verdict: { level: 'safe', label: 'Safe', counts: 'All.', reasons: ['it is'], isPassed: true },
    version: { from: '', to: '', asks: 'none', isMet: true, due: undefined },
    ...{ sentences: [], noticed: [], asBefore: [], problems: [], changes: [], sections: [] },
    ...{ methods: [], graphqlOperations: [], parity: [], exceptions: [] },
    digests: { before: '', after: '' },
    ...more,
  };
}

function change(level: Reviewed['level'], more: Partial<Reviewed> = {}): Reviewed {
  return {
    ...{ contract: 'OpenAPI', rule: 'x', level, part: '', place: '#', readers: [], at: '' },
    ...{ isWording: false, isGone: false, isLooser: false, accepted: undefined },
    ...{ subject: { kind: 'type', name: 'A' }, message: 'It changed.' },
    ...more,
  };
}

function section(
  kind: Section['subject']['kind'],
  level: Section['level'],
  more: Partial<Section> = {},
): Section {
  return {
    ...{ subject: { kind, name: 'It' }, contract: 'OpenAPI', level, readers: [] },
    ...{ changes: [change(level)], rows: [], unchanged: 0, lines: [], methods: [] },
    ...{ reach: { sentIn: [], answeredBy: [] }, exchange: undefined, use: undefined },
    ...more,
  };
}

const names = (count: number, name: string) =>
  Array.from({ length: count }, (_, i) => `${name}${i}`);
const problems = (count: number, more: Partial<Problem> = {}) =>
  names(count, 'fault').map(
    (message): Problem => ({
      ...{ source: 'lint', rule: 'r', message, place: '#', at: '', accepted: undefined, ...more },
    }),
  );
const methods = (count: number) =>
  names(count, 'm').map((name) => ({
    ...{ operation: name, name, before: undefined },
    after: { typescript: `${name}()`, python: `${name}()` },
  }));
const page = (more: Partial<Review>) => formatted(review(more), 'html', 'review.html');
const comment = (more: Partial<Review>) => formatted(review(more), 'markdown', 'review.md');
const count = (text: string, part: string) => text.split(part).length - 1;

describe('the page of a review', () => {
  it('has no section of what there is not', () => {
    expect(page({})).not.toMatch(/<h2>|class="(tools|as-before|group)"/);
    const words = [change('safe', { isWording: true, message: 'Words.' })];
    const ofWords = page({
      changes: words,
      sections: [section('type', 'safe', { changes: words })],
    });
    expect(ofWords).toContain('1 text reworded');
    expect(ofWords).not.toMatch(/class="(tools|group|part)|Who is touched/);
  });

  it('lists fifty problems, and how many more there are', () => {
    const [some, more] = [page({ problems: problems(50) }), page({ problems: problems(52) })];
    expect([count(some, '<b>lint</b>'), some.includes('more</li>')]).toEqual([50, false]);
    expect([count(more, '<b>lint</b>'), more.includes('<li>… and 2 more</li>')]).toEqual([
      50,
      true,
    ]);
  });

  it('lists what people have accepted, whether it is there or not', () => {
    const other = { ...accepted, place: '#/b' };
    const text = page({
      changes: [change('breaking', { accepted })],
      exceptions: [accepted, other],
    });
    expect(count(text, '<td>Ada</td>')).toBe(2);
    expect(count(text, 'matches nothing that counts')).toBe(1);
    expect(text).toContain('<code>#/b</code> (matches nothing that counts)');
    expect(page({ problems: problems(1, { accepted }) })).not.toContain('To decide or mend');
  });

  it('puts the group with the gravest change first', () => {
    const order = (...sections: Section[]) =>
      [...page({ sections }).matchAll(/<h2>(\w+).*?<span class="soft">(\d+)<\/span>/g)].map(
        ([, title, size]) => `${title} ${size}`,
      );
    const [operation, type, api] = [
      section('operation', 'safe'),
      section('type', 'breaking'),
      section('api', 'decision'),
    ];
    expect(order(operation, type, type, api)).toEqual(['Types 2', 'The 1', 'Operations 1']);
    expect(order(api, section('operation', 'decision'))).toEqual(['Operations 1', 'The 1']);
  });

  it.each([
    [40, '', false],
    [41, 'and 1 more</p>', true],
  ])('names forty operations that a type reaches, of %i', (size, end, isCut) => {
    const reach = { sentIn: names(size, 'GET /'), answeredBy: [] };
    const text = page({ sections: [section('type', 'safe', { reach })] });
    const [shown = ''] = /<p class="reach">.*<\/p>/.exec(text) ?? [];
    expect([count(shown, '<code>'), shown.endsWith(end), shown.includes('more')]).toEqual([
      40,
      true,
      isCut,
    ]);
  });

  it.each([
    [400, false],
    [401, true],
  ])('shows four hundred lines of a contract, of %i', (size, isCut) => {
    const lines = names(size, 'l').map((text) => ({ sign: '+', text }) as const);
    const text = page({ sections: [section('type', 'safe', { lines })] });
    expect([count(text, '<ins>+ l'), text.includes('…</pre>')]).toEqual([400, isCut]);
  });

  it.each([
    [0, []],
    [1, ['1 other part is as before.']],
    [2, ['2 other parts are as before.']],
  ])('says that %i parts are as before', (unchanged, said) => {
    const rows = [{ name: 'a', before: '', after: 'text', mark: 'new' }] as const;
    const text = page({ sections: [section('type', 'safe', { rows, unchanged })] });
    expect(text.match(/\d other parts? (is|are) as before\./g) ?? []).toHaveLength(said.length);
    for (const each of said) expect(text).toContain(each);
  });

  it('says whether REST and GraphQL agree', () => {
    const meant = { entity: 'A', field: 'b', message: 'is other', reason: 'It is <meant>.' };
    const text = page({ parity: [meant] });
    expect(text).toContain('They agree, apart from 1 difference on purpose');
    expect(text).toContain('<td>It is &#60;meant&#62;.</td>');
    const open = page({ parity: [meant, { ...meant, reason: undefined }] });
    expect(open).toContain('They contradict each other in 1 place<');
    expect(open).toContain('<td>no reason is given</td>');
  });
});

describe('a review says who is touched', () => {
  const method = 'method of the SDKs (`m0`)';
  it.each<[number, number, number, string[]]>([
    [0, 0, 0, []],
    [1, 1, 0, [`Touched: 1 operation, 1 ${method}.`]],
    [1, 0, 1, ['Touched: 1 operation, the GraphQL operation `Q0`.']],
    [0, 1, 1, [`Touched: 0 operations, 1 ${method}, the GraphQL operation \`Q0\`.`]],
    [
      2,
      4,
      2,
      [
        'Touched: 2 operations, 4 methods of the SDKs (`m0`, `m1`, `m2` and 1 more), the GraphQL operations `Q0` and `Q1`.',
      ],
    ],
  ])('%i operations, %i methods, %i of GraphQL', (operations, ofSdk, ofGraphql, sentences) => {
    const sections = [
      section('type', 'safe', { reach: { sentIn: names(operations, 'P'), answeredBy: ['P0'] } }),
      section('operation', 'safe', { subject: { kind: 'operation', name: 'P0' } }),
    ].slice(0, operations > 0 ? 2 : 0);
    const graphqlOperations = names(ofGraphql, 'Q');
    expect(touchedSentence(sections, methods(ofSdk), graphqlOperations)).toEqual(sentences);
    const text = page({ sections, methods: methods(ofSdk), graphqlOperations });
    expect(text.includes('Who is touched')).toBe(sentences.length > 0);
    expect(text.includes('of operations.graphql')).toBe(ofGraphql > 0);
  });
});

describe('the comment of a review', () => {
  it('lists eight problems and eight things that clients notice, and how many more there are', () => {
    const noticed = (size: number) =>
      names(size, 'n').map((text) => ({ level: 'safe', text }) as const);
    expect(comment({})).toBe('## 🟢 Safe: Sky, a → b\n\n**It is.**\n\nAll.\n');
    const some = comment({ problems: problems(8), noticed: noticed(8) });
    expect([count(some, '**lint**'), count(some, '🟢 n'), count(some, 'more')]).toEqual([8, 8, 0]);
    const more = comment({ problems: problems(9), noticed: noticed(10) });
    expect([count(more, '**lint**'), count(more, '🟢 n')]).toEqual([8, 8]);
    expect(more).toMatch(/- … and 1 more, below\n[\s\S]*- … and 2 more, below\n/);
  });

  it('shows code as it is, and other words without markup', () => {
    const text = comment({ sentences: ['A <b> of `a<b>` and\n<c>.'] });
    expect(text).toContain('- A &lt;b> of `a<b>` and &lt;c>.\n');
  });

  it('shows twenty rows of a part and forty methods', () => {
    const rows = names(21, 'r').map(
      (name) => ({ name, before: '', after: 'a', mark: 'new' }) as const,
    );
    const sections = [section('type', 'safe', { rows })];
    expect(count(comment({ sections }), '| new |')).toBe(20);
    expect(count(comment({ methods: methods(41) }), '+ m')).toBe(80);
  });
});

it('a change fails in JUnit where nobody has accepted it and the version does not say it', () => {
  const failures = (changes: Reviewed[], isMet: boolean) => {
    const version = { from: '1', to: '1', asks: 'major', isMet, due: undefined } as const;
    const text = formatted(review({ changes, version }), 'junit', 'r.xml');
    return [count(text, '<testcase'), Number(/ failures="(\d+)"/.exec(text)?.[1])];
  };
  const all = [change('breaking'), change('decision'), change('safe')];
  expect(failures(all, false)).toEqual([3, 1]);
  expect(failures(all, true)).toEqual([3, 0]);
  expect(failures([change('breaking', { accepted })], false)).toEqual([1, 0]);
  expect(failures([change('safe', { isWording: true })], false)).toEqual([0, 0]);
});

it('JUnit has every character of a change that XML takes', () => {
  const changes = [change('safe', { message: 'A <b> & "c"\u0001 of `d`.' })];
  const version = { from: '1', to: '1', asks: 'patch', isMet: true, due: undefined } as const;
  expect(formatted(review({ changes, version }), 'junit', 'r.xml')).toContain(
    '<system-out>safe: A &lt;b&gt; &amp; &quot;c&quot;  of d.</system-out>',
  );
});
