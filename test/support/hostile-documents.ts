const times = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

const nested = (depth: number, open: string, heart: string, close: string): string =>
  open.repeat(depth) + heart + close.repeat(depth);

const bomb = (length: number): string =>
  `${times(length, (i) => `fragment F${i} on User { ...F${i + 1} ...F${i + 1} }`)}
   fragment F${length} on User { id }`;

const ring = (length: number): string =>
  times(length, (i) => `fragment F${i} on User { id ...F${(i + 1) % length} }`);

/** Documents made to exhaust a server, by what they overdo. */
export const hostileDocuments: Readonly<Record<string, string>> = {
  'selections nested 5,000 deep': `{ ${nested(5_000, 'users { ', 'id', ' }')} }`,
  'selections nested 2,000 deep': `{ ${nested(2_000, 'users { ', 'id', ' }')} }`,
  'inline fragments nested 5,000 deep': `{ users { ${nested(5_000, '... { ', 'id', ' }')} } }`,
  'inline fragments nested 1,000 deep': `{ users { ${nested(1_000, '... { ', 'id', ' }')} } }`,
  'exponentially many spreads': `{ users { ...F0 } } ${bomb(60)}`,
  'exponentially many spreads, 10,000 fragments': `{ users { ...F0 } } ${bomb(10_000)}`,
  'exponentially many spreads, defined backwards': `fragment F60 on User { id }
    ${times(60, (i) => `fragment F${59 - i} on User { ...F${60 - i} ...F${60 - i} }`)}
    { users { ...F0 } }`,
  'a chain of 10,000 fragments': `{ users { ...F0 } }
    ${times(10_000, (i) => `fragment F${i} on User { ...F${i + 1} }`)} fragment F10000 on User { id }`,
  'a chain of 10,000 fragments, defined backwards': `fragment F10000 on User { id }
    ${times(10_000, (i) => `fragment F${9_999 - i} on User { ...F${10_000 - i} }`)}
    { users { ...F0 } }`,
  'a ring of 10,000 fragments': `{ users { ...F0 } } ${ring(10_000)}`,
  '10,000 aliases': `{ ${times(10_000, (i) => `a${i}: users { id }`)} }`,
  'aliases multiplied by fragments': `{ users { ...F0 } } ${bomb(4).replace('{ id }', '{ a: id }')}`,
  '50,000 duplicate fields': `{ users { ${'id '.repeat(50_000)} } }`,
  '50,000 duplicate fields in an unused fragment': `{ users { id } }
    fragment F on User { ${'id '.repeat(50_000)} }`,
  '5,000 duplicate fields in an unused fragment': `{ users { id } }
    fragment F on User { ${'id '.repeat(5_000)} }`,
  '3,000 duplicate lists in an unused fragment': `{ users { id } }
    fragment F on User { ${'posts { id } '.repeat(3_000)} }`,
  '20,000 directives on a field': `{ users { id ${'@include(if: true) '.repeat(20_000)} } }`,
  'a directive on each of many fields': `{ users { ${'id @skip(if: false) '.repeat(900)} } }`,
  '10,000 unknown directives': `{ users { id ${times(10_000, (i) => `@d${i}`)} } }`,
  '10,000 directives on an operation': `query ${'@x '.repeat(10_000)} { users { id } }`,
  '10,000 directives on a variable': `query ($v: ID ${'@x '.repeat(10_000)}) { user(id: $v) { id } }`,
  'lists within lists, asked for many times': `{ ${'users { posts { comments { body } } } '.repeat(40)} }`,
  '20,000 variables': `query (${times(20_000, (i) => `$v${i}: ID`)}) { users { id } }`,
  '20,000 variables of one name': `query (${'$v: ID '.repeat(20_000)}) { user(id: $v) { id } }`,
  '20,000 arguments': `{ user(${times(20_000, (i) => `a${i}: 1`)}) { id } }`,
  '20,000 arguments of one name': `{ user(${'id: 1 '.repeat(20_000)}) { id } }`,
  'a list literal of 50,000 members': `{ user(id: [${'1 '.repeat(50_000)}]) { id } }`,
  'an object literal of 50,000 members': `{ user(id: {${times(50_000, (i) => `a${i}: 1`)}}) { id } }`,
  'a default value of 50,000 members': `query ($v: ID = [${'1 '.repeat(50_000)}]) { user(id: $v) { id } }`,
  'list literals nested 5,000 deep': `{ user(id: ${nested(5_000, '[', '1', ']')}) { id } }`,
  'list literals nested 1,500 deep': `{ user(id: ${nested(1_500, '[', '1', ']')}) { id } }`,
  'object literals nested 5,000 deep': `{ user(id: ${nested(5_000, '{a:', '1', '}')}) { id } }`,
  'object literals nested 1,000 deep': `{ user(id: ${nested(1_000, '{a:', '1', '}')}) { id } }`,
  'a default value nested 1,500 deep': `query ($v: ID = ${nested(1_500, '[', '1', ']')}) { user(id: $v) { id } }`,
  'a variable type nested 5,000 deep': `query ($v: ${nested(5_000, '[', 'ID', ']')}) { user(id: $v) { id } }`,
  'a variable type nested 2,000 deep': `query ($v: ${nested(2_000, '[', 'ID', ']')}) { user(id: $v) { id } }`,
  '20,000 operations': times(20_000, (i) => `query Q${i} { users { id } }`),
  '20,000 operations without a name': '{ users { id } } '.repeat(20_000),
  '20,000 unused fragments': `{ users { id } } ${times(20_000, (i) => `fragment F${i} on User { id }`)}`,
  'introspection nested for mischief': `{ __schema { types { ${nested(5, 'fields { type { ', 'name', ' } }')} } } }`,
  'introspection through many types': `{ __schema { ${nested(20, 'types { fields { type { ', 'name', ' } } }')} } }`,
  'introspection asked for many times': `{ ${times(
    14,
    (i) => `a${i}: __schema { types { fields { args { name description type { name kind
      description fields { name } } } } } }`,
  )} }`,
  'wrapped types unwrapped 5,000 times': `{ __type(name: "User") { ${nested(5_000, 'ofType { ', 'name', ' }')} } }`,
  'wrapped types unwrapped 50 times': `{ __type(name: "User") { ${nested(50, 'ofType { ', 'name', ' }')} } }`,
};

/** Documents whose fragments contain themselves. */
export const circularDocuments: Readonly<Record<string, string>> = {
  'a fragment within itself': '{ users { ...A } } fragment A on User { id ...A }',
  'a ring of fragments': `{ users { ...F0 } } ${ring(3)}`,
  'a ring of fragments nobody spreads': `{ users { id } } ${ring(3)}`,
  'a ring through nested fields': `{ users { ...A } }
    fragment A on User { posts { ...B } } fragment B on Post { comments { ...A } }`,
  'eight fragments that all spread each other': `{ users { ...F0 } }
    ${times(8, (i) => `fragment F${i} on User { ${times(8, (j) => `...F${j}`)} }`)}`,
};
