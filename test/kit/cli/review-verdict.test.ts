// engines: sqlite
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { asBefore } from '../../../src/kit/cli/review/as-before.ts';
import { type Change, gravest, readersOf } from '../../../src/kit/cli/review/change.ts';
import type { Sides } from '../../../src/kit/cli/review/sides.ts';
import { type Problem, type Reviewed, verdictOn } from '../../../src/kit/cli/review/verdict.ts';
import type { Document } from '../../../src/kit/contract/openapi-document.ts';

function change(rule: string, level: Change['level'], more: Partial<Reviewed> = {}): Reviewed {
  return {
    contract: 'OpenAPI',
    ...{ rule, level, part: '', place: '#', message: '', readers: [], at: '' },
    ...{ isWording: false, isGone: false, isLooser: false, accepted: undefined },
    subject: { kind: 'type', name: 'A' },
    ...more,
  };
}

const exception = { place: '', change: '', reason: '', owner: '', expires: '' };
const problem = (source: Problem['source'], more: Partial<Problem> = {}): Problem => ({
  ...{
    source,
    rule: source,
    message: `a fault of ${source}`,
    place: '#',
    at: '',
    accepted: undefined,
  },
  ...more,
});
const version = { from: '1.0.0', to: '1.0.0', asks: 'none', isMet: true, due: undefined } as const;
const [breaking, decision, safe] = [
  change('a', 'breaking'),
  change('b', 'decision'),
  change('c', 'safe'),
];
const words = change('d', 'safe', { isWording: true });
const passes = 'The check passes: nothing is left to settle.';

describe('the verdict', () => {
  it.each([
    [
      'nothing',
      [],
      [],
      version,
      'safe',
      'Safe',
      true,
      ['nothing has changed'],
      `0 changes. ${passes}`,
    ],
    [
      'safe',
      [safe],
      [],
      version,
      'safe',
      'Safe',
      true,
      ['no client notices'],
      `1 change: 1 safe. ${passes}`,
    ],
    [
      'words',
      [words, words],
      [],
      version,
      'safe',
      'Safe',
      true,
      ['no client notices'],
      `0 changes; 2 texts reworded. ${passes}`,
    ],
    [
      'one word',
      [words, safe],
      [],
      version,
      'safe',
      'Safe',
      true,
      ['no client notices'],
      `1 change: 1 safe; 1 text reworded. ${passes}`,
    ],
    [
      'decision',
      [decision, safe],
      [],
      version,
      'decision',
      'Needs a decision',
      true,
      ['1 change depends on the client'],
      `2 changes: 1 depending on the client, 1 safe. ${passes}`,
    ],
    [
      'decisions',
      [decision, decision],
      [],
      version,
      'decision',
      'Needs a decision',
      true,
      ['2 changes depend on the client'],
      `2 changes: 2 depending on the client. ${passes}`,
    ],
    [
      'breaking',
      [breaking, decision],
      [],
      version,
      'breaking',
      'Breaking',
      true,
      ['1 change breaks clients', '1 change depends on the client'],
      `2 changes: 1 breaking, 1 depending on the client. ${passes}`,
    ],
    [
      'accepted',
      [{ ...breaking, accepted: exception }, decision],
      [],
      version,
      'breaking',
      'Breaking, accepted',
      true,
      ['1 change breaks clients', '1 change depends on the client'],
      `2 changes: 1 breaking, 1 depending on the client. ${passes}`,
    ],
    [
      'half accepted',
      [{ ...breaking, accepted: exception }, breaking],
      [],
      version,
      'breaking',
      'Breaking',
      true,
      ['2 changes break clients'],
      `2 changes: 2 breaking. ${passes}`,
    ],
    [
      'accepted with a problem',
      [{ ...breaking, accepted: exception }],
      [problem('lint')],
      version,
      'breaking',
      'Breaking',
      false,
      ['1 change breaks clients', '1 new lint error'],
      '1 change: 1 breaking. The check fails until 1 point below is settled.',
    ],
    [
      'a problem',
      [safe],
      [problem('parity'), problem('sdk'), problem('exception')],
      version,
      'decision',
      'Needs a decision',
      false,
      ['1 contradiction between the two contracts', '1 fault of the SDK', '1 exception is over'],
      '1 change: 1 safe. The check fails until 3 points below are settled.',
    ],
    [
      'problems',
      [],
      [...(['parity', 'lint', 'sdk', 'exception'] as const)].flatMap((each) => [
        problem(each),
        problem(each),
      ]),
      version,
      'decision',
      'Needs a decision',
      false,
      [
        '2 contradictions between the two contracts',
        '2 new lint errors',
        '2 faults of the SDK',
        '2 exceptions are over',
        'nothing has changed',
      ],
      '0 changes. The check fails until 8 points below are settled.',
    ],
    [
      'a problem that is accepted',
      [safe],
      [problem('parity', { accepted: exception })],
      version,
      'safe',
      'Safe',
      true,
      ['no client notices'],
      `1 change: 1 safe. ${passes}`,
    ],
    [
      'a version that is due',
      [breaking],
      [problem('version')],
      { ...version, isMet: false, asks: 'major' },
      'breaking',
      'Breaking',
      false,
      ['1 change breaks clients', 'a fault of version'],
      '1 change: 1 breaking. The check fails until 1 point below is settled.',
    ],
    [
      'a version that says so',
      [breaking],
      [],
      { ...version, to: '2.0.0', asks: 'major' },
      'breaking',
      'Breaking',
      true,
      ['1 change breaks clients', 'version 1.0.0 → 2.0.0 is right for it'],
      `1 change: 1 breaking. ${passes}`,
    ],
    [
      'a version without need',
      [],
      [],
      { ...version, to: '2.0.0' },
      'safe',
      'Safe',
      true,
      ['nothing has changed'],
      `0 changes. ${passes}`,
    ],
    [
      'no version',
      [safe],
      [],
      { ...version, from: '', to: '1.0.0', asks: 'minor' },
      'safe',
      'Safe',
      true,
      ['no client notices'],
      `1 change: 1 safe. ${passes}`,
    ],
  ] as const)('on %s', (_, changes, problems, given, level, label, isPassed, reasons, counts) => {
    expect(verdictOn(changes, problems, given)).toEqual({
      level,
      label,
      isPassed,
      reasons,
      counts,
    });
  });

  it('is as grave as the gravest', () => {
    expect([
      gravest([]),
      gravest(['safe', 'decision']),
      gravest(['decision', 'breaking', 'safe']),
    ]).toEqual(['safe', 'decision', 'breaking']);
  });
});

describe('a change is for those who look for it', () => {
  it.each([
    ['parameter-added', 'safe', 'product client architect security'],
    ['request-body-added', 'safe', 'client security'],
    ['field-argument-added', 'safe', 'product client architect security'],
    ['property-removed', 'breaking', 'product client architect'],
    ['operation-renamed', 'breaking', 'product client architect'],
    ['enum-value-added', 'safe', 'product client architect'],
    ['header-added', 'safe', 'client security'],
    ['header-removed', 'decision', 'client architect'],
    ['type-added', 'safe', 'product client architect security'],
    ['type-removed', 'safe', 'product client architect'],
    ['deprecated', 'safe', 'product client'],
    ['sunset-changed', 'safe', 'product client'],
    ['security-opened', 'decision', 'client architect security'],
    ['server-added', 'safe', 'client architect security'],
    ['response-media-type-added', 'safe', 'product client architect security'],
    ['request-media-type-removed', 'breaking', 'product client architect'],
    ['maximum-changed', 'safe', 'client'],
    ['maximum-changed', 'breaking', 'product client architect'],
    ['default-changed', 'decision', 'client architect'],
  ] as const)('%s, %s: %s', (rule, level, readers) => {
    const of = (isWording: boolean, isLooser: boolean) =>
      readersOf({ rule, level, isWording, isLooser }).join(' ');
    expect(of(false, false)).toBe(readers);
    expect(of(true, true)).toBe('product');
    expect(of(false, true)).toBe(readers.includes('security') ? readers : `${readers} security`);
  });
});

describe('what did not change', () => {
  const schema = buildSchema('type Query { a: Int }');
  // A document is there or not.
  const document = {} as Document;
  const both = {
    documents: { before: document, after: document },
    schemas: { before: schema, after: schema },
  };
  const rest = { ...both, schemas: { before: undefined, after: undefined } };
  const none = 'No operation, field or parameter is gone or has another name.';
  const credentials = 'Operations that existed ask for the same credentials.';
  const limits = 'No limit on what clients send is looser.';
  const graphql = { contract: 'GraphQL' } as const;
  const soleSchema = { ...both, schemas: { before: undefined, after: schema } };
  const lastSchema = { ...both, schemas: { before: schema, after: undefined } };
  const soleDocument = { ...both, documents: { before: undefined, after: document } };
  const lastDocument = { ...both, documents: { before: document, after: undefined } };

  it.each<[string, Reviewed[], Sides, string[]]>([
    ['words', [words], both, []],
    [
      'an SDL that is new',
      [change('contract-added', 'safe', graphql)],
      soleSchema,
      [none, credentials],
    ],
    [
      'an SDL that is gone',
      [change('contract-removed', 'breaking', graphql)],
      lastSchema,
      [credentials, limits],
    ],
    ['a description that is new', [change('contract-added', 'safe')], soleDocument, [none]],
    [
      'a description that is gone',
      [change('contract-removed', 'breaking')],
      lastDocument,
      [limits],
    ],
    [
      'a parameter',
      [change('parameter-added', 'safe')],
      both,
      ['GraphQL is the same.', none, credentials, limits],
    ],
    [
      'a field',
      [change('field-added', 'safe', graphql)],
      both,
      ['REST is the same.', none, credentials, limits],
    ],
    [
      'both',
      [change('parameter-added', 'safe'), change('field-added', 'safe', graphql)],
      both,
      [
        'Clients of REST keep working as they are.',
        'Clients of GraphQL keep working as they are.',
        none,
        credentials,
        limits,
      ],
    ],
    [
      'both, where one breaks',
      [change('x', 'breaking'), change('field-added', 'safe', graphql)],
      both,
      ['Clients of GraphQL keep working as they are.', none, credentials, limits],
    ],
    ['REST alone', [change('parameter-added', 'safe')], rest, [none, credentials, limits]],
    ['a removal', [change('property-removed', 'breaking')], rest, [credentials, limits]],
    ['a move', [change('operation-moved', 'breaking')], rest, [credentials, limits]],
    ['a name', [change('operation-renamed', 'breaking')], rest, [credentials, limits]],
    ['a removal in a name', [change('removed-x', 'breaking')], rest, [none, credentials, limits]],
    ['security', [change('security-added', 'breaking')], rest, [none, limits]],
    ['a limit', [change('maximum-changed', 'safe')], rest, [none, credentials]],
    ...[
      'operation',
      'property',
      'request-property',
      'field-argument',
      'input-field',
      'type',
      'header',
      'response-status',
    ].map((kind): [string, Reviewed[], Sides, string[]] => [
      kind,
      [change(`${kind}-added`, 'safe')],
      rest,
      [none, credentials, limits],
    ]),
    ['a value', [change('enum-value-added', 'safe')], rest, [none, credentials]],
  ])('beside %s', (_, changes, sides, sentences) => {
    expect(asBefore(changes, sides)).toEqual(sentences);
  });
});
