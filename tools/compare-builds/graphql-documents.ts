import { getIntrospectionQuery } from 'graphql';

const nested = (depth: number, open: string, heart: string, close: string) =>
  open.repeat(depth) + heart + close.repeat(depth);
const times = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');
const bomb = (length: number) =>
  `${times(length, (i) => `fragment F${i} on User { ...F${i + 1} ...F${i + 1} }`)}
   fragment F${length} on User { a: id }`;
const deep = (depth: number) =>
  `{ users { ${nested(depth, 'posts { comments { ', 'id', ' } }')} } }`;
const aliases = (count: number) => `{ ${times(count, (i) => `a${i}: book(id: ${i}) { id }`)} }`;

/** Documents at a limit and beyond it, circular ones, introspection, and what is no document. */
export const documents: readonly string[] = [
  ...[
    '',
    ' ',
    '{',
    '}',
    '{}',
    '{ }',
    'x',
    'query',
    '{ __typename }',
    '{ users }',
    '{ id }',
    '#',
    '"x"',
  ],
  ...['{ __schema { types { name } } }', '{ __type(name: "Book") { name fields { name } } }'],
  ...[
    '{ __type(name: "Nothing") { name } }',
    'mutation { __typename }',
    'mutation { __schema { types { name } } }',
  ],
  ...[
    'type Query { a: Int }',
    'subscription { x }',
    'query ($v: Nothing) { __typename }',
    '{ users { nothing } }',
  ],
  ...[getIntrospectionQuery(), getIntrospectionQuery({ descriptions: false, oneOf: true })],
  getIntrospectionQuery({
    specifiedByUrl: true,
    schemaDescription: true,
    inputValueDeprecation: true,
  }),
  ...[aliases(15), aliases(16), aliases(100), deep(1), deep(3), deep(100)],
  ...[7, 8, 9].map((depth) => `{ __schema { ${nested(depth - 2, 'types { ', 'name', ' }')} } }`),
  ...[1, 2, 8].map(
    (count) => `{ __schema { ${nested(count, 'types { fields { type { ', 'name', ' } } }')} } }`,
  ),
  ...[8, 9].map((count) => `{ ${'book(id: 1) @include(if: true) { id } '.repeat(count)} }`),
  ...[900, 1100].map((count) => `{ users { ${'id '.repeat(count)} } }`),
  ...[990, 1100].map((count) => `${'#\n'.repeat(count)}{ users { id } }`),
  ...[
    `{ users { ...F0 } } ${bomb(3)}`,
    `{ users { ...F0 } } ${bomb(4)}`,
    `{ users { ...F0 } } ${bomb(60)}`,
  ],
  ...[
    '{ users { ...A } } fragment A on User { id ...A }',
    '{ users { id } } fragment A on User { ...A }',
  ],
  `{ users { ...A } } fragment A on User { posts { ...B } } fragment B on Post { comments { ...A } }`,
  `{ users { ${nested(500, '... { ', 'id', ' }')} } }`,
  `{ user(id: ${nested(200, '[', '1', ']')}) { id } }`,
  `{ user(id: [${'1 '.repeat(900)}]) { id } }`,
  `{ user(id: "${'x'.repeat(199_000)}") { id } }`,
  `{ user(id: "${'x'.repeat(201_000)}") { id } }`,
  `query (${times(300, (i) => `$v${i}: ID`)}) { users { id } }`,
  `{ ${times(6, (i) => `nothing${i}`)} }`,
  `{ ${times(5, (i) => `nothing${i}`)} }`,
  `{ ${times(12, () => 'users { posts { comments { body } } }')} }`,
  `{ users { id name email posts { id title body comments { id body } } } books { id title pages } todos { id } }`,
  times(50, (i) => `query Q${i} { users { id } }`),
  '{ a: users { id } a: books { id } }',
  '{ book(id: 1) { id } book(id: 2) { id } }',
  '{ user(id: 1, id: 2) { id } }',
  'query ($v: ID!, $v: ID!) { user(id: $v) { id } }',
  'query ($v: ID) { user(id: $v) { id } }',
  'query ($v: ID! = 1) { user(id: $v) { id } }',
  'query @skip(if: true) { users { id } }',
  '{ ... @include(if: false) { users { id } } }',
  '{ user(id: null) { id } }',
  '{ user(id: 1.5) { id } user2: user(id: true) { id } }',
  'mutation { addTodo(title: "") { id } other: addTodo(title: "after a failure") { id } }',
  'mutation { setTodoDone(id: 1, done: true) { id done } again: setTodoDone(id: 99, done: true) { id } }',
];
