// engines: sqlite
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schemaPage } from '../../../src/kit/docs/schema-page.ts';
import { typeUses } from '../../../src/kit/docs/type-uses.ts';
import { elementsIn, seenText } from '../../support/seen-text.ts';

const sdl = `
"""A library."""
schema { query: Root mutation: Change }
directive @limit("At most." most: Int!, by: Range) on FIELD_DEFINITION
scalar Date @specifiedBy(url: "https://x.example/date")
scalar Plain
enum Colour { "Like \`blood\`." RED GREEN @deprecated(reason: "Use RED.") }
input Range { "From \`where\`." from: Int! = 1 @deprecated(reason: "No.") to: [Date!] inner: Range }
input Choice @oneOf { a: Int b: Range }
interface Node { id: ID! }
interface Named implements Node { id: ID! name: String }
union Found = Book | Shelf
"A book."
type Book implements Named & Node { id: ID! name: String made: Date colour: Colour size: Float isNew: Boolean }
type Shelf implements Node { id: ID! above: Shelf books(range: Range = { from: 2 }, "Which." kind: Colour @deprecated(reason: "All.")): [Book!]! }
"The start."
type Root { find(by: Choice): [Found!] "One <shelf>." shelf: Shelf old: Plain @deprecated node: Node }
type Change { add: Book }`;

const mocked = {
  operations: new Set<string>(),
  fields: new Set(['Root.shelf', 'Change.add']),
  line: '2 of 5 fields are mocked',
};

/** The lines of the page from its contents on. */
const told = (text: string) => {
  const { html } = schemaPage(buildSchema(text)).body;
  // A list of nothing is seen as an empty line.
  expect(html).not.toContain('<ul></ul>');
  return seenText(html.slice(html.indexOf('<nav class="contents"')));
};
const a = (...names: string[]) => names.map((name) => `[${name}](#${name})`).join(' ');

describe('the page of a schema', () => {
  it('has every type by kind, with all that is said of it', () => {
    expect(told(sdl)).toEqual([
      ...[
        `Operations ${a('Root', 'Change')}`,
        `Types ${a('Book', 'Shelf')}`,
        `Interfaces ${a('Node', 'Named')}`,
      ],
      ...[`Unions ${a('Found')}`, `Inputs ${a('Range', 'Choice')}`, `Enums ${a('Colour')}`],
      ...[`Scalars ${a('Date', 'Plain')}`, `Directives ${a('@limit')}`],
      ...['## Root type', 'The start.', `find: [${a('Found')}!]`, `by: ${a('Choice')}`],
      ...[
        `shelf: ${a('Shelf')}`,
        'One <shelf>.',
        `old: ${a('Plain')}`,
        'Deprecated: No longer supported',
      ],
      ...[`node: ${a('Node')}`, '## Change type', `add: ${a('Book')}`],
      ...['## Book type', 'A book.', `Implements ${a('Named', 'Node')}`, 'id: ID!', 'name: String'],
      ...[`made: ${a('Date')}`, `colour: ${a('Colour')}`, 'size: Float', 'isNew: Boolean'],
      `Used by ${a('Found', 'Shelf.books', 'Change.add')}`,
      ...[
        '## Shelf type',
        `Implements ${a('Node')}`,
        'id: ID!',
        `above: ${a('Shelf')}`,
        `books: [${a('Book')}!]!`,
      ],
      ...[
        `range: ${a('Range')} = { from: 2 }`,
        `kind: ${a('Colour')} @deprecated(reason: "All.") Which.`,
        'Deprecated: All.',
      ],
      `Used by ${a('Found', 'Shelf.above', 'Root.shelf')}`,
      ...[
        '## Node interface',
        `Is one of ${a('Book', 'Shelf')}`,
        'id: ID!',
        `Used by ${a('Root.node')}`,
      ],
      ...[
        '## Named interface',
        `Implements ${a('Node')}`,
        `Is one of ${a('Book')}`,
        'id: ID!',
        'name: String',
      ],
      ...['## Found union', `Is one of ${a('Book', 'Shelf')}`, `Used by ${a('Root.find')}`],
      ...[
        '## Range input',
        'from: Int! = 1 @deprecated(reason: "No.")',
        'From where.',
        'Deprecated: No.',
      ],
      ...[`to: [${a('Date')}!]`, `inner: ${a('Range')}`],
      `Used by ${a('Range.inner', 'Choice.b', 'Shelf.books', '@limit')}`,
      ...['## Choice input, one of', 'a: Int', `b: ${a('Range')}`, `Used by ${a('Root.find')}`],
      ...[
        '## Colour enum',
        'RED',
        'Like blood.',
        'GREEN',
        'Deprecated: Use RED.',
        `Used by ${a('Book.colour', 'Shelf.books')}`,
      ],
      ...['## Date scalar', 'Specified by [https://x.example/date](https://x.example/date)'],
      `Used by ${a('Range.to', 'Book.made')}`,
      ...['## Plain scalar', `Used by ${a('Root.old')}`],
      ...['## @limit directive', 'most: Int!', 'At most.', 'by: Range'],
    ]);
  });

  it('begins with what the schema is, and what of it is mocked', () => {
    const { html } = schemaPage(buildSchema(sdl), mocked).body;
    const start = html.slice(0, html.indexOf('<div class="scroll picture"'));
    expect(seenText(start)).toEqual([
      ...['# GraphQL schema', 'A library.'],
      '[Try it in GraphiQL](/docs/graphql) [Download the SDL](/schema.graphql)',
      ...[
        '## Mocked fields',
        '2 of 5 fields are mocked. So are the fields below these that their records lack.',
      ],
      ...[a('Root.shelf'), a('Change.add')],
    ]);
    const ids = Array.from(
      html.matchAll(/<dt id="([^"]*)"><code>[^\n]*<span class="mark mocked">/g),
      ([, id]) => id,
    );
    expect(ids).toEqual(['Root.shelf', 'Change.add']);
    expect(schemaPage(buildSchema(sdl)).body.html).not.toContain('ocked');
  });

  it('says nothing of directives where there are none', () => {
    expect(told('type Query { a: Int }')).toEqual([
      `Operations ${a('Query')}`,
      '## Query type',
      'a: Int',
    ]);
  });

  it.each([
    [12, 12, undefined],
    [13, 12, '1 more'],
    [15, 12, '3 more'],
  ])('folds the uses of a type after twelve: %i', (count, shown, more) => {
    const fields = Array.from({ length: count }, (_, i) => `f${i}: Used`).join(' ');
    const { html } = schemaPage(buildSchema(`type Query { ${fields} } type Used { a: Int }`)).body;
    const [, uses = ''] = html.match(/<div class="uses">(.*?)<\/div>/s) ?? [];
    const [before = '', summary, ...after] = uses.split(/<\/?summary>/);
    expect(before.match(/<a /g)).toHaveLength(shown);
    expect(summary).toBe(more);
    expect(after.join().match(/<a /g)?.length ?? 0).toBe(count - shown);
  });

  it('knows where the types of arguments, inputs, unions and directives are used', () => {
    const uses = typeUses(buildSchema(sdl));
    expect(uses.get('Int')).toEqual(['Range.from', 'Choice.a', '@limit']);
    expect(uses.get('String')?.slice(0, 2)).toEqual(['Named.name', 'Book.name']);
    expect([...uses.keys()].filter((name) => name.startsWith('__'))).toEqual([]);
  });
});

describe('the picture of a schema', () => {
  const drawn = (text: string) =>
    schemaPage(buildSchema(text)).body.html.match(/<svg.*<\/svg>/s)?.[0] ?? '';
  /** So many types besides Query, and so many fields of all of them. */
  const many = (types: number, fields: number) => {
    const own = (count: number) => Array.from({ length: count }, (_, i) => `f${i}: Int`).join(' ');
    const lead = Array.from({ length: types }, (_, i) => `t${i}: T${i}`).join(' ');
    const rest = fields - 2 * types;
    const each = Array.from({ length: types }, (_, i) => `type T${i} { f: Int }`).join(' ');
    return `type Query { ${lead} ${own(rest)} } ${each}`;
  };

  it.each([
    [39, 200, 40],
    [40, 200, 0],
    [1, 400, 2],
    [1, 401, 0],
  ])('with %i types besides Query and %i fields has %i boxes', (types, fields, boxes) => {
    expect(drawn(many(types, fields)).match(/<rect /g)?.length ?? 0).toBe(boxes);
  });

  it('has what every root leads to', () => {
    const roots =
      'type Query { a: Int } type Mutation { m: M } type Subscription { s: S } type M { a: Int } type S { a: Int }';
    const boxes = elementsIn(drawn(roots), 'a').map(({ href }) => href);
    expect(boxes).toEqual(['#Query', '#Mutation', '#Subscription', '#M', '#S']);
  });

  it('has boxes with a row for each field, and lines along them', () => {
    const picture = drawn(
      'type Query { a: A, n: Int } type A { u: U, i: I! } union U = B type B implements I { x: Int } interface I { x: Int }',
    );
    expect(elementsIn(picture, 'svg')).toEqual([
      {
        ...{
          name: 'svg',
          class: 'types',
          role: 'group',
          width: '1198',
          height: '174',
          viewBox: '-1 -1 1198 174',
        },
        'aria-label': 'The types: Query leads to A; A leads to U, I; U leads to B; I leads to B.',
      },
    ]);
    const boxes = elementsIn(picture, 'rect').map(({ x, y, width, height }) =>
      [x, y, width, height].map(Number),
    );
    // Query and A, then what A leads to, then what that leads to.
    expect(boxes).toEqual([
      [0, 0, 236, 84],
      [320, 0, 236, 84],
      [640, 0, 236, 60],
      [640, 88, 236, 84],
      [960, 0, 236, 60],
    ]);
    const words = Array.from(picture.matchAll(/<text[^>]*>(.*?)<\/text>/g), ([, word]) => word);
    expect(words).toEqual([
      ...['Query', 'a', 'A', 'n', 'Int', 'A', 'u', 'U', 'i', 'I!', 'U', '… on B', ''],
      ...['I', 'x', 'Int', '… on B', '', 'B', 'x', 'Int'],
    ]);
    expect(elementsIn(picture, 'a').map(({ href }) => href)).toEqual([
      '#Query',
      '#A',
      '#U',
      '#I',
      '#B',
    ]);
    const texts = Array.from(picture.matchAll(/<text[^>]* x="(\d+)" y="(\d+)"/g), ([, x, y]) => [
      Number(x),
      Number(y),
    ]);
    expect(texts.slice(0, 5)).toEqual([
      [12, 20],
      [12, 46],
      [224, 46],
      [12, 70],
      [224, 70],
    ]);
    const paths = elementsIn(picture, 'path').map(({ d }) => d);
    expect(paths).toEqual([
      'M236 42 C278 42 278 16 320 16',
      'M556 42 C598 42 598 16 640 16',
      'M556 66 C598 66 598 104 640 104',
      'M876 42 C918 42 918 16 960 16',
      'M876 154 C918 154 918 16 960 16',
    ]);
    expect(elementsIn(picture, 'circle').map(({ cx, cy }) => [cx, cy])).toEqual([
      ...[
        ['320', '16'],
        ['640', '16'],
        ['640', '104'],
        ['960', '16'],
        ['960', '16'],
      ],
    ]);
  });
});
