import type { Choice } from './choice.ts';
import { documents } from './graphql-documents.ts';
import type { GraphqlOperation } from './random-operations.ts';

/** A document that was valid, with one thing in it changed. */
export function faultyOperation(choice: Choice, valid: GraphqlOperation): GraphqlOperation {
  const { query, variables } = valid;
  const at = choice.below(query.length);
  const names = Object.keys(variables);
  const name = names.length > 0 ? choice.one(names) : 'v';
  const texts = [
    query.slice(0, at),
    query.slice(at),
    query.slice(0, at) + choice.one(inserted) + query.slice(at),
    query.replace(/\bid\b/, 'idd'),
    query.replace(/\btitle\b/, 'titel'),
    query.replace(/\{ (\w+) \}/, '{ }'),
    query.replace(/: ID!/, ': Int!'),
    query.replace(/!/, ''),
    query.replace(/on (\w+)/, 'on Query'),
    query.replace(/\.\.\.F\d+/, '...Nobody'),
    query.replace(/@\w+/, '@nothing'),
    query.replace(/\(if: \w+\)/, ''),
    query.replace(
      /^(query|mutation)/,
      choice.one(['subscription', 'fragment', 'mutation', 'query']),
    ),
    query.replace(/\("?\w+: [^)]*\)/, ''),
    `${query} ${query}`,
    `${query} query Other { __typename }`,
    `${query} fragment Unused on Book { id }`,
    `# comment\n${query}`,
    `\ufeff${query}`,
  ];
  const wrong = { ...variables, [name]: choice.one(wrongValues) };
  const { [name]: _, ...missing } = variables;
  return choice.make<GraphqlOperation>([
    [5, () => ({ query: choice.one(texts), variables })],
    [names.length > 0 ? 2 : 0, () => ({ query, variables: wrong })],
    [names.length > 0 ? 1 : 0, () => ({ query, variables: missing })],
    [1, () => ({ query, variables: { ...variables, unknown: 1 } })],
    [4, () => ({ query: choice.one(documents), variables: {} })],
  ]);
}

const inserted = [
  '{',
  '}',
  '(',
  '$',
  '"',
  '"""',
  '@',
  '...',
  '!',
  '\0',
  '\\',
  '💥',
  ' x ',
  '&',
  '|',
  ':',
];
const wrongValues: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    -1,
    1.5,
    2_147_483_648,
    1e300,
    '',
    'x',
    [],
    [1],
    {},
    { a: 1 },
    '\ud800',
    '\u0000',
  ],
];
